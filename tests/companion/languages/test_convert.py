from __future__ import annotations

from pathlib import Path

from companion.languages import Words
from companion.languages.catalogues import Catalogues
from companion.languages.convert import convert


def test_a_table_becomes_a_template_and_a_german_catalogue(tmp_path: Path) -> None:
    first = {
        "a.b": Words("{n} tiles", "{n} Steine"),
        "a.c": Words("done", "fertig"),
    }
    assert convert(first, "tiles", tmp_path) == []
    assert convert(first, "tiles", tmp_path) == []
    later = {"a.b": Words("{n} dominoes", "{n} Dominos"), "a.c": Words("done", "erledigt")}
    assert convert(later, "tiles", tmp_path) == ["a.b"]
    catalogues = Catalogues(tmp_path)
    assert set(catalogues.messages) == {"a.b", "a.c"}
    assert catalogues.say("a.b", "de", {"n": 2}) == "2 Dominos"
    assert catalogues.say("a.b", "en", {"n": 2}) == "2 dominoes"
    assert catalogues.say("a.c", "de", {}) == "erledigt"
