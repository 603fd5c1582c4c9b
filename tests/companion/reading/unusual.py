"""A reading of each game in which no field has the value that it has by default."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board, Piece, Shape
from scorer.kingdomino import Kingdom
from vision.domino_duell.result import BoardReading, HollowReading
from vision.kingdomino.result import LABELS, KingdomReading, PhotoReading, SquareReading
from vision.pip_dominoes.result import DominoReading, HandReading, Missed


def kingdoms_reading() -> PhotoReading:
    """Two kingdoms, the first with another reading of itself."""
    first = replace(_kingdom(3, "w1 f . c/g s1 m l"), next_best=_kingdom(4, "c w"))
    return PhotoReading(
        (first, _kingdom(5, "w w/m3 c")), 4000, 3000, {"decode": 0.1 + 0.2}, ("other_squares",)
    )


def _kingdom(seed: int, notation: str) -> KingdomReading:
    rng, kingdom = np.random.default_rng(seed), Kingdom.parse(notation)
    squares = tuple(
        tuple(SquareReading(str(each), rng.random(), "w2", True, "x", "glare") for each in row)
        for row in kingdom.rows
    )
    grid = (kingdom.height, kingdom.width)
    return KingdomReading(
        kingdom,
        squares,
        rng.normal(size=(3, 3)) * 1e3,
        castle_colour="pink",
        lattice_certain=False,
        probabilities=rng.dirichlet(np.full(len(LABELS), 0.05), grid),
        considered=rng.random(grid) < 0.5,
        unpaired=frozenset({(0, 1), (0, 0)}),
        photos=(2, 0),
        warnings=("cut_off", "hidden"),
    )


def hand_reading() -> HandReading:
    rng = np.random.default_rng(6)
    dominoes = tuple(
        DominoReading(
            halves, rng.random((4, 2)) * 1000, rng.random(), True, "5|8",
            rng.random((2, 19)), 0.97, ("unlikely", "existence"),
        )
        for halves in ((9, 5), (0, 0))
    )  # fmt: skip
    warnings = ("set_inferred", "cut_off")
    missed = (Missed(rng.random((4, 2)) * 1000, "3|14"),)
    return HandReading(dominoes, 15, warnings, 640, 480, {"locate": 1 / 7}, missed)


def board_reading(shape: Shape = DEFAULT_SHAPE) -> BoardReading:
    rng = np.random.default_rng(7)
    pieces: tuple[Piece | None, ...] = (STONES[5], JOKER, None)
    hollows = tuple(
        HollowReading(
            hollow,
            pieces[index] if index < 3 else None,
            float(rng.random()),
            (STONES[6], None, JOKER)[index % 3],
            doubtful=bool(rng.random() < 0.5),
            settled_from="rcw" if index == 0 else None,
        )
        for index, hollow in enumerate(shape.hollows)
    )
    return BoardReading(
        Board(shape, tuple(each.piece for each in hollows)),
        hollows,
        rng.random((3, 3)),
        400,
        300,
        certain=False,
        tried_on="paper",
        seconds={"locate": 0.123},
    )


def kept_kingdom() -> KeptReading:
    return KeptReading(kingdoms_reading().kingdoms[0], "photo-1", 4000, 3000, ("other_squares",))


def kept_hand() -> KeptHandReading:
    return KeptHandReading.of(hand_reading(), "photo-2", 640, 480)
