"""The board: a kingdom on its photo and as tiles, edited with fingers, mouse or keys.

A page takes what a phone has sent, keeps it, and draws the board with the state that follows;
drawing answers the change::

    change = take_change("board")
    if change is not None:
        keep(change)  # must be safe before the board says so
    board(state_now(), key="board", words=board_words(language))
"""

from __future__ import annotations

from companion.web.board.component import board, take_change
from companion.web.board.messages import (
    AS_READ,
    Action,
    BoardBonus,
    BoardChange,
    BoardPhoto,
    BoardReading,
    BoardScore,
    BoardState,
    BoardStep,
    ChangeKind,
    Corners,
    Frame,
    ReadSquare,
    board_words,
    parse_change,
)

__all__ = [
    "AS_READ",
    "Action",
    "BoardBonus",
    "BoardChange",
    "BoardPhoto",
    "BoardReading",
    "BoardScore",
    "BoardState",
    "BoardStep",
    "ChangeKind",
    "Corners",
    "Frame",
    "ReadSquare",
    "board",
    "board_words",
    "parse_change",
    "take_change",
]
