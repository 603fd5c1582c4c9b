"""What a kingdom was before, from the log, so that a board can undo after a reload, too."""

from __future__ import annotations

from sqlalchemy import select

from companion.games import Store
from companion.games.tables import ChangeRow
from companion.kingdomino.kept_board import KeptBoard
from companion.web.board import BoardStep, ChangeKind
from companion.web.kingdomino.changes import board_frame

__all__ = ["MAX_STEPS", "earlier_steps"]

MAX_STEPS = 200
_MAX_LINES = 600


def earlier_steps(store: Store, game_id: str, part: str, revision: int) -> tuple[BoardStep, ...]:
    """The states of a kingdom before the one of that revision, the oldest first.

    What was undone is not among them, nor what was there before the kingdom was read anew.
    """
    wanted = (
        select(ChangeRow.action, ChangeRow.value)
        .where(
            ChangeRow.game_id == game_id,
            ChangeRow.part == part,
            ChangeRow.part_sequence <= revision,
            ChangeRow.part_sequence > revision - _MAX_LINES,
        )
        .order_by(ChangeRow.part_sequence)
    )
    steps: list[BoardStep] = []
    reading: str | None = None
    with store.reading() as session:
        for action, value in session.execute(wanted):
            if value is None:
                steps.clear()
                continue
            board = KeptBoard.from_data(value)
            if board.reading != reading:
                steps.clear()
                reading = board.reading
            step = BoardStep(board.kingdom, board.corrected, board_frame(board))
            if action == ChangeKind.UNDO and step in steps:
                del steps[_last_index(steps, step) :]
            if not steps or steps[-1] != step:
                steps.append(step)
    return tuple(steps[:-1][-MAX_STEPS:])


def _last_index(steps: list[BoardStep], step: BoardStep) -> int:
    return max(index for index, each in enumerate(steps) if each == step)
