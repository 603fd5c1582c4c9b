"""The four games on the first page, and the figures that statistics show of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games import Actor, Game, open_store
from companion.languages import Language
from companion.pip_dominoes.kept_hand import KeptHand
from companion.pip_dominoes.kinds import KINDS
from companion.pip_dominoes.table import new_table
from companion.web.games import registered_pages
from companion.web.pip_dominoes.pages import DETAILS, PAGES


def test_all_four_are_offered() -> None:
    offered = {each.kind for each in registered_pages()}
    assert [kind.key for kind in KINDS] == [each.kind for each in PAGES]
    assert {each.kind for each in PAGES} <= offered


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


@pytest.mark.parametrize("kind", DETAILS)
def test_every_figure_that_is_named_is_counted(kind: str, tmp_path: Path) -> None:
    anna = a_game(kind, tmp_path).results.players[0]
    (pages,) = [each for each in PAGES if each.kind == kind]
    assert set(pages.details) <= set(anna.details)
    for words in pages.details.values():
        assert words(Language.ENGLISH) != words(Language.GERMAN)
