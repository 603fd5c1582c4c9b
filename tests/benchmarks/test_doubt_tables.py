"""The documents say what the rules of doubt do."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.doubt_tables import DOCS, TABLES, with_table, write_tables
from vision.domino_duell import judge as duel
from vision.pip_dominoes import judge as pips


@pytest.mark.parametrize("name", TABLES)
def test_the_table_of_a_document_is_that_of_the_rules(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert with_table(text, TABLES[name]()) == text, "run python -m benchmarks.doubt_tables"


def test_every_rule_and_its_figures_are_told() -> None:
    table = TABLES["pip_reader.md"]()
    assert [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")] == [
        *(rule.code for rule in pips.RULES),
        *(rule.code for rule in pips.PHOTO_RULES),
    ]
    assert "less than 97% probable" in table
    assert "{" not in table + TABLES["domino_duell.md"]()


def test_a_changed_rule_changes_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in TABLES:
        shutil.copy(DOCS / name, tmp_path)
    monkeypatch.setattr(duel, "RULES", (replace(duel.RULES[0], meaning="nobody knows"),))
    write_tables(tmp_path)
    text = (tmp_path / "domino_duell.md").read_text(encoding="utf-8")
    assert "| `placing` | nobody knows |" in text
    assert "`burnt`" not in text
    assert text.startswith("# Domino-Duell")
    assert text.endswith((DOCS / "domino_duell.md").read_text(encoding="utf-8")[-500:])


def test_a_document_without_a_place_for_the_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="end of doubts"):
        with_table("# No table here\n", "| |")
