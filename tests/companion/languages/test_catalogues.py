from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.languages import Language, say
from companion.languages.language import OWN_FOLDER, Catalogues

HEADER = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && '
    '(n%100<10 || n%100>=20) ? 1 : 2);\\n"\n\n'
)
UKRAINIAN = """\
msgctxt "crowns"
msgid "{count} crown"
msgid_plural "{count} crowns"
msgstr[0] "{count} корона"
msgstr[1] "{count} корони"
msgstr[2] "{count} корон"

msgctxt "terrain.w"
msgid "wheat field"
msgstr "пшеничне поле"
"""


@pytest.fixture
def further(tmp_path: Path) -> Path:
    """A folder with a small catalogue of a language with three plural forms."""
    folder = tmp_path / "uk" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "words.po").write_text(HEADER + UKRAINIAN, encoding="utf-8")
    return tmp_path


def test_plurals_of_english_and_german() -> None:
    assert [say("crowns", Language.ENGLISH, count=count) for count in (0, 1, 2)] == [
        "0 crowns",
        "1 crown",
        "2 crowns",
    ]
    assert [say("crowns", Language.GERMAN, count=count) for count in (0, 1, 2)] == [
        "0 Kronen",
        "1 Krone",
        "2 Kronen",
    ]


def test_a_third_language_needs_a_catalogue_and_no_code(further: Path) -> None:
    catalogues = Catalogues(OWN_FOLDER, further)
    assert catalogues.languages == ("de", "en", "uk")
    told = [catalogues.say("crowns", "uk", {"count": count}) for count in (1, 2, 5, 21)]
    assert told == ["1 корона", "2 корони", "5 корон", "21 корона"]
    # What nobody translated yet is said in English.
    assert catalogues.say("terrain.f", "uk", {}) == "forest"
    assert catalogues.say("read.seconds", "uk", {"seconds": 1.336}) == "Read in 1,34 s."


def test_the_command_speaks_a_third_language(further: Path) -> None:
    environment = {**os.environ, "COMPANION_LOCALE": str(further), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "companion.cli.kingdomino", "--language", "uk"]
    done = subprocess.run(
        [*command, "score", "c w1 w"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    assert "Пшеничне поле: 2 squares × 1 корона = 2" in done.stdout


def test_a_later_folder_goes_before_an_earlier_one(tmp_path: Path) -> None:
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    text = 'msgid ""\nmsgstr ""\n\nmsgctxt "terrain.w"\nmsgid "wheat field"\nmsgstr "Weizen"\n'
    (folder / "words.po").write_text(text, encoding="utf-8")
    catalogues = Catalogues(OWN_FOLDER, tmp_path)
    assert catalogues.say("terrain.w", "de", {}) == "Weizen"


def test_a_changed_english_sentence_leaves_its_translation_behind(tmp_path: Path) -> None:
    template = (OWN_FOLDER / "words.pot").read_text(encoding="utf-8")
    changed = template.replace('msgid "castle"', 'msgid "the castle"')
    assert changed != template
    (tmp_path / "words.pot").write_text(changed, encoding="utf-8")
    catalogues = Catalogues(tmp_path, OWN_FOLDER)
    assert catalogues.say("square.castle", "de", {}) == "the castle"
    assert catalogues.say("square.empty", "de", {}) == "kein Feld"


def test_a_code_in_two_templates_is_a_mistake(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.pot").write_bytes((OWN_FOLDER / "photo.pot").read_bytes())
    with pytest.raises(ValueError, match=r"defined twice: photo\.\w+ in two\.pot"):
        _ = Catalogues(tmp_path).messages


def test_a_plural_asks_for_its_count() -> None:
    with pytest.raises(KeyError):
        say("crowns", Language.GERMAN)
    with pytest.raises(TypeError, match="count: expected an int for crowns, got '2'"):
        say("crowns", Language.GERMAN, count="2")
