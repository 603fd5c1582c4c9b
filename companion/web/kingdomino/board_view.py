"""What goes down to the board of a seat."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.kingdomino.kept_board import KeptBoard
from companion.kingdomino.kept_reading import KeptReading
from companion.kingdomino.wording import bonus_name
from companion.web.board import BoardPhoto, BoardReading, BoardScore, BoardState
from companion.web.kingdomino.changes import board_frame
from companion.web.kingdomino.table import Seat
from companion.web.visit import Visit

__all__ = ["board_state"]

_PHOTO = re.compile(r"[A-Za-z0-9_-]{1,64}")


def board_state(
    visit: Visit, seat: Seat, kept: KeptReading | None, notice: str | None = None
) -> BoardState:
    """What goes down to the board of a seat that has one."""
    assert seat.board is not None
    assert seat.score is not None
    photo = None
    if kept is not None and _PHOTO.fullmatch(kept.photo or "") and kept.width and kept.height:
        photo = BoardPhoto(f"photo/{kept.photo}", kept.width, kept.height)
    return BoardState(
        seat.board.kingdom,
        seat.revision,
        score=BoardScore.of(seat.score, lambda bonus: bonus_name(bonus, visit.language)),
        photo=photo,
        reading=_board_reading(visit, seat.board, kept) if kept else None,
        settled=seat.board.corrected,
        frame=board_frame(seat.board),
        title=seat.player.name,
        colour=seat.player.colour,
        notice=notice,
    )


def _board_reading(visit: Visit, kept_board_: KeptBoard, kept: KeptReading) -> BoardReading:
    """The reading with the doubts of now: settling a table may have added some."""
    found = BoardReading.of(kept.reading)
    frame = board_frame(kept_board_)
    doubts = {frame.lattice_place(place) for place in kept_board_.doubtful}
    rows = tuple(
        tuple(
            replace(
                each,
                doubtful=each.doubtful or (row, column) in doubts,
                why=_why(visit, kept.reading.squares[row][column].reason),
            )
            for column, each in enumerate(squares)
        )
        for row, squares in enumerate(found.squares)
    )
    return replace(found, squares=rows)


def _why(visit: Visit, code: str | None) -> str:
    """What makes a square doubtful besides its label; "" for what this version has no words for."""
    try:
        return visit.say(f"reason.{code}") if code else ""
    except KeyError:
        return ""
