"""Drawn boards of a make that the reader never saw, and the hollows of them that are corrected."""

from __future__ import annotations

from functools import cache
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, Colour, SymbolColour
from training.domino_duell import scenes
from training.domino_duell.known import drawn_board
from vision.common.refit import LabelledSquares
from vision.domino_duell.classify import Evidence
from vision.domino_duell.detect import places_of
from vision.domino_duell.judge import read_hollows
from vision.domino_duell.refit import KnownBoard, known_boards, label_of
from vision.domino_duell.result import HollowReading
from vision.domino_duell.weights import Weights

PAINTS = {
    Colour.YELLOW: (245.0, 140.0, 30.0),
    Colour.RED: (215.0, 70.0, 140.0),
    Colour.BLUE: (20.0, 150.0, 150.0),
    Colour.GREEN: (120.0, 150.0, 40.0),
}
INKS = {
    SymbolColour.WHITE: (250.0, 235.0, 200.0),
    SymbolColour.BLACK: (60.0, 40.0, 30.0),
    SymbolColour.GREY: (150.0, 120.0, 100.0),
    SymbolColour.LIGHT_BLUE: (110.0, 130.0, 230.0),
}


def _strange(seed: list[int]) -> KnownBoard:
    with patch.dict(scenes.PAINTS, PAINTS), patch.dict(scenes.INKS, INKS):
        return drawn_board(seed)


@cache
def strange_boards() -> tuple[KnownBoard, ...]:
    """Boards to learn from, in paints and inks of their own."""
    return tuple(_strange([61, index]) for index in range(6))


@cache
def new_boards() -> tuple[KnownBoard, ...]:
    """Other boards of the same make."""
    return tuple(_strange([62, index]) for index in range(4))


@cache
def few_known() -> tuple[tuple[KnownBoard, ...], tuple[KnownBoard, ...]]:
    """Boards of the makes that the reader knows."""
    return known_boards(3)


def hollows_read(weights: Weights, patches: NDArray[np.uint8]) -> tuple[HollowReading, ...]:
    """The hollows of a board whose place is known, settled and flagged."""
    evidence = Evidence.of(weights.board_views(patches, places_of(DEFAULT_SHAPE)))
    return read_hollows(evidence, DEFAULT_SHAPE, True)


@cache
def corrected_hollows() -> LabelledSquares:
    """What is kept of ``strange_boards``: hollows in doubt or read wrongly; a board is a game."""
    patches, labels, sessions = [], [], []
    for number, board in enumerate(strange_boards()):
        read = hollows_read(Weights.load(), board.patches)
        for picture, hollow, true in zip(board.patches, read, board.pieces, strict=True):
            if hollow.doubtful or hollow.piece != true:
                patches.append(picture)
                labels.append(label_of(true))
                sessions.append(f"game {number}")
    return LabelledSquares(np.stack(patches), tuple(labels), tuple(sessions))
