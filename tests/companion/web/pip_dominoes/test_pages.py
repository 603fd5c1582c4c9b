"""The four games on the first page, and the figures that statistics show of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kind import KINDS
from companion.games.pip_dominoes.table import new_table
from companion.languages import Language
from companion.store import Actor, Game, open_store
from companion.web.game_pages import pages_of, registered_pages

KEYS = [kind.key for kind in KINDS]


def test_all_four_are_offered_in_their_order() -> None:
    offered = [each.kind for each in registered_pages()]
    assert [kind for kind in offered if kind in KEYS] == KEYS


def a_game(kind: str, folder: Path) -> Game:
    store = open_store(f"sqlite:///{folder / 'games.sqlite'}")
    names = ["Anna"] if kind == "castle_rock" else ["Anna", "Ben"]
    table = new_table(store, kind, names, {}, Actor("device-of-anna-1"))
    if kind == "muggins":
        table.add_play(1, 0, 10)
    elif kind == "castle_rock":
        table.set_clock(5.0, None)
    table.set_hand(1, 0, KeptHand())
    game = table.game
    store.close()
    return game


@pytest.mark.parametrize("kind", KEYS)
def test_every_figure_that_is_named_is_counted(kind: str, tmp_path: Path) -> None:
    anna = a_game(kind, tmp_path).results.players[0]
    pages = pages_of(kind)
    assert pages is not None
    assert pages.details
    assert set(pages.details) <= set(anna.details)
    for words in pages.details.values():
        assert words(Language.ENGLISH) != words(Language.GERMAN)
