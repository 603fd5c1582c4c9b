from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.games.pip_dominoes.card import CardLayout, result_card
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kind import KINDS
from companion.games.pip_dominoes.standing import winner_sentence
from companion.games.pip_dominoes.table import new_table
from companion.languages import Language
from companion.store import Actor, Game, Store, open_store
from companion.web.game_pages import pages_of
from scorer.pip_dominoes import Tile

ANNA = Actor("a-device-of-this-test")
FOUR = ("Anna", "Ben", "Cem", "Dora")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{(tmp_path / 'games.sqlite').as_posix()}")
    yield opened
    opened.close()


def train(store: Store, rounds: Sequence[Sequence[int]], names: Sequence[str] = FOUR) -> Game:
    """Mexican Train with the points of everybody in each round."""
    rules = {"set": 12, "rounds": len(rounds)}
    table = new_table(store, "mexican_train", names, rules, ANNA)
    for number, points in enumerate(rounds, start=1):
        for player, counted in enumerate(points):
            table.set_hand(number, player, KeptHand(counted=counted) if counted else KeptHand())
    return table.game


def muggins(store: Store, names: Sequence[str], points: Sequence[int]) -> Game:
    table = new_table(store, "muggins", names, {"target": 100}, ANNA)
    for number, each in enumerate(points):
        table.add_play(1, number % len(names), each, play_id=f"play{number}")
    return table.game


def castle(store: Store, hand: KeptHand, seconds: float = 0) -> Game:
    table = new_table(store, "castle_rock", ["Anna"], {"set": 9, "challenge": "pips"}, ANNA)
    if seconds:
        table.set_clock(seconds, None)
    table.set_hand(1, 0, hand)
    return table.game


def drawn(game: Game, language: Language = Language.ENGLISH) -> NDArray[np.uint8]:
    with Image.open(BytesIO(result_card(game, language))) as card:
        assert card.format == "PNG"
        return np.asarray(card.convert("RGB"))


def test_every_game_has_a_card(store: Store) -> None:
    games = [
        train(store, [(7, 0, 5, 9)]),
        muggins(store, ("Ben", "Eva"), (50, 10, 50)),
        castle(store, KeptHand.of_tiles([Tile(1, 2)])),
    ]
    for game in games:
        english, german = (drawn(game, language) for language in Language)
        assert english.shape[1] == CardLayout().width_px
        assert english.shape != german.shape or (english != german).any()
    for kind in KINDS:
        pages = pages_of(kind.key)
        assert pages is not None
        assert pages.card is result_card


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_none_before_the_end(store: Store, kind: str) -> None:
    names = FOUR[: 1 if kind == "castle_rock" else 2]
    game = new_table(store, kind, names, {}, ANNA).game
    for made in (result_card, winner_sentence):
        with pytest.raises(ValueError, match="complete"):
            made(game, Language.ENGLISH)


def test_the_sentence_says_who_won(store: Store) -> None:
    def said(game: Game, language: Language = Language.ENGLISH) -> str:
        return winner_sentence(game, language)

    assert said(train(store, [(7, 0, 5, 9), (0, 1, 9, 9)])) == "Ben wins with 1 point"
    shared = train(store, [(7, 3, 3, 9)])
    assert said(shared) == "Ben and Cem share the win with 3 points"
    assert said(shared, Language.GERMAN) == "Ben und Cem teilen sich den Sieg mit 3 Punkten"
    assert said(muggins(store, ("Ben", "Eva"), (50, 10, 50))) == "Ben wins with 100 points"
    teams = muggins(store, FOUR, (50, 10, 60))
    assert said(teams, Language.GERMAN) == "Anna und Cem gewinnen mit 110 Punkten"
    tiles = KeptHand.of_tiles([Tile(1, 2), Tile(0, 9)])
    assert said(castle(store, tiles)) == "Anna: 2 dominoes left with 12 pips"
    assert said(castle(store, KeptHand(counted=17)), Language.GERMAN) == "Anna: 17 Augen übrig"
    assert said(castle(store, KeptHand())) == "Anna wins: nothing is left!"


def test_what_is_on_it_depends_on_the_game(store: Store) -> None:
    two, other = (train(store, [(7, 0, 5, each), (0, 1, 9, 9)]) for each in (9, 8))
    assert (drawn(two) != drawn(other)).any()
    one = castle(store, KeptHand.of_tiles([Tile(1, 2)]))
    left = castle(store, KeptHand.of_tiles([Tile(0, 3)]))
    # The same figures, but another domino.
    assert (drawn(one) != drawn(left)).any(2).sum() > 500


def test_many_players_rounds_and_dominoes_fit(store: Store) -> None:
    names = [f"Somebody with a long name {number}" for number in range(9)]
    card = drawn(train(store, [range(100, 109)] * 13, names))
    tiles = [Tile(low, high) for high in range(10) for low in range(high + 1)]
    for each in (card, drawn(castle(store, KeptHand.of_tiles(tiles), 4000))):
        edge = CardLayout().margin_px + CardLayout().padding_px
        paper = each[edge:-edge, edge - 12 : edge - 4]
        assert (paper == paper[0, 0]).all()
        paper = each[edge:-edge, -edge + 4 : -edge + 12]
        assert (paper == paper[0, 0]).all()


def test_it_is_the_same_every_time(store: Store) -> None:
    game = train(store, [(7, 0, 5, 9)])
    assert result_card(game, Language.GERMAN) == result_card(game, Language.GERMAN)
