"""Undo and redo through the log, so that they outlast a reload and respect others' changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.confirming import Step, value_at
from companion.games.errors import StoreError
from companion.games.tables import ChangeRow

__all__ = ["REDO", "UNDO", "Line", "Step", "redo_step", "undo_step"]

UNDO = "undo"
REDO = "redo"


@dataclass(frozen=True)
class Line:
    """What undoing looks at in a line of the log; ``undoes`` is what it undid or did again."""

    sequence: int
    device: str
    action: str
    undoes: int | None


def undo_step(session: Session, game_id: str, part: str, device: str | None) -> Step:
    """The last change of a part, or the last one by a device, that is not undone yet.

    StoreError ``nothing_to_undo``.
    """
    sequence = undo_target(_lines(session, game_id, part), device)
    if sequence is None:
        raise StoreError("nothing_to_undo")
    number = _part_sequence(session, game_id, sequence)
    after = value_at(session, game_id, part, number)
    return Step(sequence, UNDO, after, value_at(session, game_id, part, number - 1), number)


def redo_step(session: Session, game_id: str, part: str, device: str | None) -> Step:
    """The change undone last, as long as nothing new was done since.

    StoreError ``nothing_to_redo``.
    """
    sequence = redo_target(_lines(session, game_id, part), device)
    if sequence is None:
        raise StoreError("nothing_to_redo")
    number = _part_sequence(session, game_id, sequence)
    before = value_at(session, game_id, part, number - 1)
    return Step(sequence, REDO, before, value_at(session, game_id, part, number), number)


def undo_target(lines: Iterable[Line], device: str | None) -> int | None:
    """The sequence number of the change to undo; None where there is nothing left."""
    ordinary, undone = _folded(lines)
    left = [
        each.sequence
        for each in ordinary
        if each.sequence not in undone and device in (None, each.device)
    ]
    return left[-1] if left else None


def redo_target(lines: Iterable[Line], device: str | None) -> int | None:
    """The sequence number of the change to do again; None where there is nothing to."""
    ordinary, undone = _folded(lines)
    mine = [each for each in ordinary if device in (None, each.device)]
    last = max((each.sequence for each in mine), default=0)
    open_undos = {
        undone[each.sequence]: each.sequence for each in mine if undone.get(each.sequence, 0) > last
    }
    return open_undos[max(open_undos)] if open_undos else None


def _folded(lines: Iterable[Line]) -> tuple[list[Line], dict[int, int]]:
    """The ordinary changes, and those of them that are undone now with the line that did it."""
    ordinary: list[Line] = []
    undone: dict[int, int] = {}
    for line in lines:
        if line.undoes is None:
            ordinary.append(line)
        elif line.action == UNDO:
            undone[line.undoes] = line.sequence
        else:
            undone.pop(line.undoes, None)
    return ordinary, undone


def _lines(session: Session, game_id: str, part: str) -> list[Line]:
    rows = session.execute(
        select(ChangeRow.sequence, ChangeRow.device, ChangeRow.action, ChangeRow.undoes)
        .where(ChangeRow.game_id == game_id, ChangeRow.part == part)
        .order_by(ChangeRow.sequence)
    )
    return [Line(*row) for row in rows]


def _part_sequence(session: Session, game_id: str, sequence: int) -> int:
    return session.scalars(
        select(ChangeRow.part_sequence).where(
            ChangeRow.game_id == game_id, ChangeRow.sequence == sequence
        )
    ).one()
