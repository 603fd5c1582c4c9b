"""What is chosen for a new game, and the rules that come of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import Store, open_store
from companion.languages import Language
from companion.pip_dominoes.kinds import CASTLE_ROCK, KINDS, MEXICAN_TRAIN, MUGGINS
from companion.web.house import House
from companion.web.pip_dominoes.new_game_view import NewGame, new_game_markup
from companion.web.visit import Visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


def test_names_are_seated_once_and_moved() -> None:
    chosen = NewGame(MEXICAN_TRAIN.key)
    for name in (" Anna ", "Ben", "anna", "", "Cem"):
        chosen.add(name)
    chosen.move_up("Cem")
    assert chosen.names == ["Anna", "Cem", "Ben"]
    chosen.first = 2
    chosen.remove("Anna")
    assert (chosen.names, chosen.first) == (["Cem", "Ben"], 1)


@pytest.mark.parametrize(
    ("kind", "names", "ready"),
    [
        (MEXICAN_TRAIN.key, 1, False),
        (MEXICAN_TRAIN.key, 2, True),
        (MUGGINS.key, 4, True),
        (CASTLE_ROCK.key, 0, False),
        (CASTLE_ROCK.key, 1, True),
    ],
)
def test_a_game_starts_with_enough_players(kind: str, names: int, ready: bool) -> None:
    chosen = NewGame(kind)
    for number in range(names):
        chosen.add(f"P{number}")
    assert chosen.is_ready is ready


def test_no_more_sit_down_than_the_game_takes() -> None:
    muggins, castle = NewGame(MUGGINS.key), NewGame(CASTLE_ROCK.key)
    for name in "abcdef":
        muggins.add(name)
        castle.add(name)
    assert (muggins.names, castle.names) == (list("abcd"), ["f"])


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_rules_are_those_of_the_kind(kind: str, store: Store) -> None:
    chosen = NewGame(kind, ["Anna"], highest=12, rounds=3, target=100)
    game = store.create_game(kind, {"rules": chosen.rules()})
    rules = game.values["rules"]
    expected = {"muggins": ("target", 100), "castle_rock": ("challenge", "pips")}
    name, value = expected.get(kind, ("rounds", 3))
    assert rules[name] == value


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_page_says_how_to_set_up(kind: str, language: Language, store: Store) -> None:
    visit = Visit(House(store), "device-of-anna-1", language)
    chosen = NewGame(kind)
    shown = new_game_markup(visit, chosen)
    assert "disabled" in shown
    for name in ("Anna", "<b>Ben</b>", "Cem", "Dora")[: min(4, chosen.most_players)]:
        chosen.add(name)
    shown = new_game_markup(visit, chosen)
    said = {
        "mexican_train": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "chickenfoot": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "muggins": ("Each draws 5 dominoes, 8 stay", "Jeder zieht 5 Steine, 8 bleiben"),
        "castle_rock": ("Lay 3 dominoes", "3 Steine offen"),
    }[kind]
    assert said[language is Language.GERMAN] in shown
    assert "<b>Ben" not in shown


def test_large_sets_are_said_to_be_unproven(store: Store) -> None:
    visit = Visit(House(store), "device-of-anna-1", Language.ENGLISH)
    names = ["Anna", "Ben"]
    known, large = (
        new_game_markup(visit, NewGame("chickenfoot", names, each)) for each in (12, 15)
    )
    assert "never checked" in large
    assert "never checked" not in known
    # The sheet has no draw for two with either set.
    assert "agree on one" in large
