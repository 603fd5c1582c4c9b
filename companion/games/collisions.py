"""Collisions: two changes that set the same place, kept until somebody settles them."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.common_parts import leaf_of
from companion.games.kinds import GameKind
from companion.games.merging import WHOLE, Json
from companion.games.model import Change, Collision
from companion.games.tables import ChangeRow, CollisionRow

__all__ = ["open_collisions", "settle_collisions"]


def open_collisions(
    session: Session, game_id: str, sequence: int | None = None
) -> tuple[Collision, ...]:
    """Collisions that nobody has settled: of the game, or of one change."""
    wanted = select(CollisionRow).where(
        CollisionRow.game_id == game_id, CollisionRow.settled_by.is_(None)
    )
    if sequence is not None:
        wanted = wanted.where(CollisionRow.sequence == sequence)
    rows = session.scalars(wanted.order_by(CollisionRow.sequence, CollisionRow.leaf))
    return tuple(Collision(row.sequence, row.part, row.leaf, row.kept, row.other) for row in rows)


def settle_collisions(
    session: Session, kind: GameKind, change: Change, row: ChangeRow, values: tuple[Json, Json]
) -> None:
    """Mark the collisions that this change settles.

    It names them, or it was made knowing them and sets their place to something else.
    """
    rows = session.execute(
        select(CollisionRow, ChangeRow.part_sequence)
        .join(
            ChangeRow,
            (ChangeRow.game_id == CollisionRow.game_id)
            & (ChangeRow.sequence == CollisionRow.sequence),
        )
        .where(
            CollisionRow.game_id == row.game_id,
            CollisionRow.part == row.part,
            CollisionRow.settled_by.is_(None),
            CollisionRow.sequence < row.sequence,
        )
    ).all()
    for each, seen in rows:
        knowing = change.based_on >= seen and _touches(kind, each.leaf, row.part, values)
        if knowing or (each.sequence, each.leaf) in change.settles:
            each.settled_by = row.sequence


def _touches(kind: GameKind, leaf: str, part: str, values: tuple[Json, Json]) -> bool:
    if leaf == WHOLE:
        return bool(values[0] != values[1])
    before, after = (leaf_of(kind, part, value, leaf) for value in values)
    return bool(before != after)
