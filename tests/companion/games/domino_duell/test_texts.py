"""A reading and a result of Domino-Duell in words and as a card."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageColor

from companion.games.domino_duell.card import FILLS, INKS, CardLayout, draw_board, result_card
from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.reading_text import board_lines, board_record
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.languages import Language
from companion.store import Actor, Store
from scorer.domino_duell import STONES, Board, legal_moves, parse_board
from tests.companion.games.domino_duell.duels import START
from tests.companion.reading.unusual import board_reading


def test_the_lines_are_a_board_and_say_how_little_is_sure() -> None:
    reading = board_reading()
    for language in Language:
        lines = list(board_lines(reading, language))
        assert parse_board("\n".join(lines)) == reading.position
        assert lines[0].startswith("# ")
        # The placing is in doubt, so no hollow is named.
        assert sum(line.startswith("#") for line in lines) == 2


def test_the_record_asks_about_what_is_in_doubt() -> None:
    reading = board_reading()
    record = board_record("a.jpg", reading)
    asked = {each.hollow: each for each in reading.hollows if each.doubtful}
    assert {each["hollow"] for each in record["check"]} == {*asked}
    for each in record["check"]:
        hollow = asked[each["hollow"]]
        assert each["read"] == (str(hollow.piece) if hollow.piece else None)
        assert each["runner_up"] == (str(hollow.runner_up) if hollow.runner_up else None)
        assert each["probability"] == round(hollow.probability, 4)
    assert {each["read"] is None for each in record["check"]} == {True, False}
    assert (record["photo"], record["tried_on"], record["certain"]) == ("a.jpg", "paper", False)
    assert record["seconds"] == {"locate": 0.123}


def played(store: Store, names: list[str], moves: int) -> DuelTable:
    table = new_duel(store, names, Actor("a-device-of-this-test")).set_rules(KeptSetUp(START))
    for _ in range(moves):
        assert table.duel is not None
        best = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(best.stone, best.hollow)
    return table


def test_a_card_of_a_complete_game(store: Store) -> None:
    table = played(store, ["Anna", "Ben mit einem Namen, der nicht passt"], 6)
    with pytest.raises(ValueError, match="complete"):
        result_card(table.game, Language.ENGLISH)
    for _ in table.players:
        table = table.sit_out()
    cards = {}
    for language in Language:
        file = result_card(table.game, language)
        with Image.open(BytesIO(file)) as card:
            assert card.width == CardLayout().width_px
            cards[language] = np.asarray(card.convert("RGB"))
    assert cards[Language.ENGLISH].shape == cards[Language.GERMAN].shape
    assert (cards[Language.ENGLISH] != cards[Language.GERMAN]).any()


def test_every_stone_laid_shows_on_the_card(store: Store) -> None:
    """Of two games that differ in one stone the boards differ."""
    first, second = (played(store, ["Anna", "Ben"], moves).sit_out().sit_out() for moves in (2, 4))
    one, other = (
        np.asarray(Image.open(BytesIO(result_card(each.game, Language.ENGLISH))).convert("RGB"))
        for each in (first, second)
    )
    top, bottom = 300, 800
    assert (one[top:bottom] != other[top:bottom]).any(2).sum() > 2000


BOX = (10, 20, 250, 220)


def drawn(position: Board) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    card = Image.new("RGB", (260, 240), "#ffffff")
    draw_board(card, position, BOX)
    return np.asarray(card)


def test_the_board_stays_in_its_box() -> None:
    picture = drawn(Board.of())
    outside = np.ones(picture.shape[:2], bool)
    outside[BOX[1] : BOX[3], BOX[0] : BOX[2]] = False
    assert (picture[outside] == 255).all()
    assert (picture[120, 130] != 255).any()


def test_each_of_the_stones_looks_different() -> None:
    seen = {drawn(Board.of({"f6": stone})).tobytes() for stone in STONES}
    assert len(seen) == len(STONES)


def test_a_stone_has_its_colours() -> None:
    for stone in STONES[::7]:
        picture = drawn(Board.of({"f6": stone}))
        for colour in (FILLS[stone.colour], INKS[stone.symbol_colour]):
            off = np.abs(picture.astype(int) - ImageColor.getrgb(colour)[:3]).max(2)
            assert off.min() <= 3
