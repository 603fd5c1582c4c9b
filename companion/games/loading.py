"""A game and its log as they are given to others, read from the tables."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.games.collisions import open_collisions
from companion.games.errors import StoreError
from companion.games.kinds import kind_of
from companion.games.model import Game, Logged, Outcome, Part
from companion.games.tables import ChangeRow, GameRow, PartRow

__all__ = ["load", "logged"]


def load(session: Session, game_id: str) -> Game:
    """The game as it stands in this session; StoreError ``no_game``."""
    game = session.get(GameRow, game_id)
    if game is None:
        raise StoreError("no_game")
    rows = session.scalars(select(PartRow).where(PartRow.game_id == game_id).order_by(PartRow.key))
    parts = {row.key: Part(row.value, row.sequence) for row in rows}
    values = {key: part.value for key, part in parts.items() if part.value is not None}
    return Game(
        game.id,
        game.kind,
        game.kept,
        game.created_at,
        game.changed_at,
        game.played_at,
        game.deleted_at,
        game.sequence,
        parts,
        kind_of(game.kind).results(values),
        open_collisions(session, game_id),
    )


def logged(row: ChangeRow) -> Logged:
    """A line of the log as it is given to others."""
    points = {int(player): value for player, value in (row.points or {}).items()}
    return Logged(
        row.sequence,
        row.part,
        row.part_sequence,
        row.action,
        Outcome(row.outcome),
        row.device,
        row.who,
        row.at,
        row.change_id,
        row.value,
        row.undoes,
        points,
    )
