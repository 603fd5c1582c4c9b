"""The texts themselves: complete in English and German, and every code that is said is there."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

import companion.games.domino_duell  # noqa: F401  (registers its words)
from companion.cli.parser import DOMAIN
from companion.languages import Language, codes, say
from companion.languages.language import CATALOGUES, OWN_FOLDER
from scorer.kingdomino import Goal, Terrain

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
