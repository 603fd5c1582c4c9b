"""What is chosen for a new game, and the rules that come of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.pip_dominoes.kind import CASTLE_ROCK, KINDS, MEXICAN_TRAIN, MUGGINS
from companion.store import Store, open_store
from companion.web.pip_dominoes.new_game import NewGame


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
