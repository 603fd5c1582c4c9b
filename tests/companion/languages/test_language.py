"""Languages and sentences: complete in English and German, every value filled in."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import companion.games.domino_duell  # noqa: F401  (registers its words)
from companion.cli.terminal import DOMAIN
from companion.languages import (
    Language,
    codes,
    language,
    language_of_locale,
    preferred_language,
    say,
    translate,
)
from companion.languages.language import CATALOGUES, OWN_FOLDER, Catalogues, filled
from scorer import domino_duell, kingdomino, pip_dominoes
from scorer.errors import CodedError
from scorer.kingdomino import Goal, Terrain
from vision.photo.errors import PhotoError


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", Language.GERMAN),
        ("de-CH", Language.GERMAN),
        ("de_AT.UTF-8", Language.GERMAN),
        ("DE", Language.GERMAN),
        ("den", Language.ENGLISH),
        ("en-US", Language.ENGLISH),
        ("xx", Language.ENGLISH),
        ("C.UTF-8", Language.ENGLISH),
        ("", Language.ENGLISH),
        (None, Language.ENGLISH),
    ],
)
def test_language_of_a_locale(locale: str | None, language: Language) -> None:
    assert language_of_locale(locale) is language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "en_GB.UTF-8"}, Language.ENGLISH),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_DE.UTF-8"}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, Language.GERMAN),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, Language.ENGLISH),
        ({}, Language.ENGLISH),
    ],
)
def test_language_of_the_environment(environment: dict[str, str], language: Language) -> None:
    assert preferred_language(environment) is language


def test_a_language_is_its_code_and_there_is_one_value_for_each() -> None:
    assert Language("de") is Language.GERMAN
    assert Language.GERMAN == "de"
    assert Language.GERMAN.value == "de"
    assert {Language.ENGLISH, Language.GERMAN} <= set(Language)
    assert copy.deepcopy(Language.GERMAN) is Language.GERMAN


def test_a_language_without_catalogues_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of de en, got 'xx'"):
        Language("xx")


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


def test_the_templates_are_read_as_babel_reads_them() -> None:
    expected = {}
    for file in OWN_FOLDER.glob("*.pot"):
        with file.open("rb") as opened:
            for message in read_po(opened, abort_invalid=True):
                if message.context:
                    ids = (message.id, None) if isinstance(message.id, str) else tuple(message.id)
                    expected[message.context] = (file.stem, *ids)
    messages = CATALOGUES.messages.items()
    found = {code: (each.domain, each.singular, each.plural) for code, each in messages}
    assert found == expected
    assert len(found) > 500


def test_an_english_sentence_is_said_without_babel() -> None:
    code = (
        "import sys\n"
        "from companion.languages import Language, say\n"
        "print(say('crowns', Language.ENGLISH, count=2), 'babel' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2 crowns False\n"


def test_a_third_language_needs_a_catalogue_and_no_code(further: Path) -> None:
    catalogues = Catalogues(OWN_FOLDER, further)
    assert catalogues.languages == ("de", "en", "uk")
    told = [catalogues.say("crowns", "uk", {"count": count}) for count in (1, 2, 5, 21)]
    assert told == ["1 корона", "2 корони", "5 корон", "21 корона"]
    # What nobody translated yet is said in English.
    assert catalogues.say("terrain.f", "uk", {}) == "forest"
    assert catalogues.say("read.seconds", "uk", {"seconds": 1.336}) == "Read in 1,34 s."


def test_a_catalogue_of_a_territory_goes_before_that_of_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in ("pt", "pt_BR"):
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "store.po").write_text('msgid ""\nmsgstr ""\n', encoding="utf-8")
    monkeypatch.setattr(language, "CATALOGUES", Catalogues(OWN_FOLDER, tmp_path))
    spoken = [language_of_locale(each) for each in ("pt-BR", "pt_BR.UTF-8", "pt-PT", "pt")]
    assert spoken == ["pt_BR", "pt_BR", "pt", "pt"]


def test_no_text_has_no_translation() -> None:
    assert translate("", Language.GERMAN, DOMAIN) == ""


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


@pytest.mark.parametrize(
    ("text", "value", "english", "german"),
    [
        ("{x:.2f}", 1.336, "1.34", "1,34"),
        ("{x:.1f}", 2, "2.0", "2,0"),
        ("{x:.0f}", 1234.4, "1,234", "1.234"),
        ("{x}", 999, "999", "999"),
        ("{x}", 1000, "1,000", "1.000"),
        ("{x}", -1, "-1", "-1"),
        ("{x}", 12345, "12,345", "12.345"),
        ("{x}", 0.5, "0.5", "0,5"),
        ("{x:d}", 12345, "12345", "12345"),
        ("{x}", True, "True", "True"),
        ("{x}", "1.5", "1.5", "1.5"),
        ("{x:>4}", "a", "   a", "   a"),
        ("{x:long}", date(2026, 3, 1), "March 1, 2026", "1. März 2026"),
        ("{x}", date(2026, 3, 1), "Mar 1, 2026", "01.03.2026"),
        ("{x:short}", datetime(2026, 3, 1, 18, 5), "3/1/26, 6:05\u202fPM", "01.03.26, 18:05"),
        (
            "{x}",
            datetime(2026, 3, 1, 18, 5),
            "Mar 1, 2026, 6:05:00\u202fPM",
            "01.03.2026, 18:05:00",
        ),
        ("{x}", None, "None", "None"),
    ],
)
def test_values_are_written_as_the_language_does(
    text: str, value: object, english: str, german: str
) -> None:
    assert filled(text, "en", {"x": value}) == english
    assert filled(text, "de", {"x": value}) == german


def test_a_field_without_its_value_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        filled("{there} and {missing}", "en", {"there": 1})


@pytest.mark.parametrize("language", ["qqq", "not a code", ""])
def test_a_language_without_known_numbers_writes_them_as_english_does(language: str) -> None:
    assert filled("{x:.1f}", language, {"x": 1.5}) == "1.5"


@pytest.mark.parametrize("number", [10**29, -(10**4000), 1e300])
def test_a_number_of_any_size_is_written(number: float) -> None:
    assert filled("{x}", "en", {"x": number}) == f"{Decimal(str(number)):,f}"


def test_seconds_in_german() -> None:
    assert say("read.seconds", Language.GERMAN, seconds=1.336) == "In 1,34 s gelesen."


ROOT = Path(__file__).parents[3]
TEMPLATES = sorted(OWN_FOLDER.glob("*.pot"))
TRANSLATED = sorted(OWN_FOLDER.glob("*/LC_MESSAGES/*.po"))


def catalogue(file: Path) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts(value: str | tuple[str, ...] | list[str] | None) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def test_german_has_a_catalogue_for_each_template_and_no_other() -> None:
    german = {file.stem for file in TRANSLATED if file.parts[-3] == "de"}
    assert german == {file.stem for file in TEMPLATES}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.stem)
def test_german_is_complete_and_has_nothing_left_over(template: Path) -> None:
    german = catalogue(OWN_FOLDER / "de" / "LC_MESSAGES" / f"{template.stem}.po")
    wanted = {(message.context, str(message.id)) for message in catalogue(template) if message.id}
    found = {
        (message.context, str(message.id))
        for message in german
        if message.id and not message.fuzzy and all(texts(message.string))
    }
    assert found == wanted
    assert all(context for context, _ in wanted) or template.stem == DOMAIN


@pytest.mark.parametrize("file", TRANSLATED, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_translations_keep_the_fields(file: Path) -> None:
    for message in catalogue(file):
        if message.id:
            ids = fields(texts(message.id)[-1])
            for text in texts(message.string):
                assert not text or fields(text) == ids, message.context


def test_no_german_text_was_forgotten() -> None:
    """Only texts without a word of either language may be equal."""
    equal = [
        str(message.id)
        for file in TRANSLATED
        if file.parts[-3] == "de"
        for message in catalogue(file)
        if message.id and message.id == message.string
    ]
    wordy = [text for text in equal if re.search(r"[a-z]{4}", re.sub(r"{.*?}", "", text))]
    same = {"Notation", "Notation: {kingdom}", "[NAME=]NOTATION", "SCHEDULER"}
    assert set(wordy) - same == set()


def test_every_code_that_the_companion_says_is_in_a_catalogue() -> None:
    said = set()
    for file in (ROOT / "companion").rglob("*.py"):
        said |= set(re.findall(r'\bsay\(\s*"([a-z_.]+)"', file.read_text(encoding="utf-8")))
    assert len(said) > 50
    assert said <= codes()


def test_every_refusal_of_a_photo_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "vision").rglob("*.py"):
        raised |= set(re.findall(r'PhotoError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert {"missing_file", "is_folder", "not_a_picture", "truncated"} <= raised
    assert {f"photo.{code}" for code in raised} <= codes()


def test_every_problem_has_its_words() -> None:
    source = (ROOT / "scorer/kingdomino/problems.py").read_text(encoding="utf-8")
    found = set(re.findall(r'Problem\(\s*"(\w+)"', source)) | {"too_wide", "too_high"}
    assert {"no_castle", "same_colour", "not_connected"} <= found
    assert {f"problem.{code}" for code in found} <= codes()


def test_every_contradiction_of_the_rules_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "scorer/kingdomino").rglob("*.py"):
        raised |= set(re.findall(r'RulesError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert "five_players_need_expansion" in raised
    assert {f"rules_error.{code}" for code in raised} <= codes()


@pytest.mark.parametrize("terrain", Terrain)
def test_terrains_are_called_as_on_the_sheets(terrain: Terrain) -> None:
    assert say(f"terrain.{terrain.letter}", Language.ENGLISH) == terrain.english
    assert say(f"terrain.{terrain.letter}", Language.GERMAN) == terrain.german


@pytest.mark.parametrize("goal", Goal)
def test_quests_are_called_as_on_the_sheets(goal: Goal) -> None:
    assert say(f"quest.{goal.key}", Language.ENGLISH) == goal.english
    assert say(f"quest.{goal.key}", Language.GERMAN) == goal.german


def test_an_unknown_code_is_no_silent_text() -> None:
    with pytest.raises(KeyError):
        say("no.such_code", Language.ENGLISH)
    assert "no.such_code" not in CATALOGUES.messages


ERRORS: dict[type[CodedError], str] = {
    kingdomino.NotationError: "notation",
    kingdomino.RulesError: "rules_error",
    pip_dominoes.NotationError: "domino_error",
    pip_dominoes.RulesError: "domino_error",
    domino_duell.DuelError: "duell_error",
    PhotoError: "photo",
}
NO_ERRORS = {
    *(f"notation.{code}" for code in ("refused", "perhaps_file")),
    *(f"photo.{code}" for code in ("reading", "turn", "later", "failed")),
}


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: f"{error.__module__}.{error.__name__}")
def test_errors_of_the_library_say_what_the_catalogues_say(error: type[CodedError]) -> None:
    before = f"{ERRORS[error]}."
    expected = {
        code.removeprefix(before): message.singular
        for code, message in CATALOGUES.messages.items()
        if code.startswith(before) and code not in NO_ERRORS
    }
    assert expected
    assert error.sentences == expected


def test_the_text_of_an_error_is_readable() -> None:
    """For whoever uses the library alone: the code, then what is wrong in a sentence."""
    with pytest.raises(kingdomino.NotationError) as notation:
        kingdomino.Kingdom.parse("c w/x w")
    assert str(notation.value).startswith("bad_square: “x” in row 2, column 1 is no square; write")
    with pytest.raises(kingdomino.RulesError) as rules:
        kingdomino.Rules(size=6)
    assert str(rules.value) == "bad_size: a grid is 5 or 7 squares wide, not 6"
    with pytest.raises(pip_dominoes.RulesError) as table:
        pip_dominoes.setup_guide(pip_dominoes.Game.MUGGINS, 9, pip_dominoes.DominoSet(6))
    assert "9 players, but for 2, 3 and 4" in str(table.value)
    with pytest.raises(domino_duell.NotationError) as stone:
        domino_duell.parse_piece("qq")
    assert str(stone.value).startswith("bad_stone: “qq” is no stone")
    assert str(PhotoError("not_a_picture")).endswith("Choose a photo: JPEG, PNG and others.")
    assert str(PhotoError("truncated")).startswith("truncated: The picture ends too early")
    assert str(kingdomino.RulesError("bad_size")) == "bad_size"
