from __future__ import annotations

import numpy as np
from PIL import Image, ImageColor

from companion.games.domino_duell.card import FILLS, INKS, draw_board
from scorer.domino_duell import STONES, Board

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
