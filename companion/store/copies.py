"""The copies of games that phones keep, compared with what is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from companion.store.history import games_of
from companion.store.store import Store
from companion.store.tables import ErasedRow, GameRow

__all__ = ["MAX_COPIES", "Compared", "compare_copies"]

MAX_COPIES = 200
"""So many games a phone keeps, those that were changed last."""


@dataclass(frozen=True)
class Compared:
    """What is to be done with the copies of a phone, by the ids of games.

    It should fetch ``newer``, those changed last first, drop ``gone``, and give ``lacking`` back:
    they are not here, or not as far as on the phone.
    """

    newer: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def compare_copies(store: Store, device: str, held: Mapping[str, int]) -> Compared:
    """Compare the copies that a device holds, the number of the last change by game.

    A game that was deleted or erased here is gone, whoever did it; one that this store has never
    had, or has forgotten, is lacking.
    """
    mine = games_of(device)
    wanted = (
        select(mine.id, mine.sequence)
        .where(mine.deleted_at.is_(None))
        .order_by(mine.changed_at.desc(), mine.id)
        .limit(MAX_COPIES)
    )
    ids = list(held)
    with store.reading() as session:
        kept = {row.id: row.sequence for row in session.execute(wanted)}
        here = {
            row.id: row
            for row in session.execute(
                select(GameRow.id, GameRow.sequence, GameRow.deleted_at).where(GameRow.id.in_(ids))
            )
        }
        erased = set(session.scalars(select(ErasedRow.id).where(ErasedRow.id.in_(ids))))
    deleted = {game for game, row in here.items() if row.deleted_at is not None}
    gone = deleted | (erased - here.keys())
    return Compared(
        tuple(game for game, sequence in kept.items() if sequence > held.get(game, -1)),
        tuple(game for game in held if game in gone),
        tuple(
            game
            for game, sequence in held.items()
            if game not in gone and (game not in here or here[game].sequence < sequence)
        ),
    )
