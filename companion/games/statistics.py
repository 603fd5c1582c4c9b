"""What the complete games say of each player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from companion.games.history import games_of
from companion.games.store import Store
from companion.games.tables import GameRow, ResultRow

__all__ = ["GamePoints", "PlayerStatistics", "statistics_by_player"]


@dataclass(frozen=True)
class GamePoints:
    """The points of a player in one game, for a chart over time."""

    game_id: str
    played_at: datetime
    points: int
    place: int
    won: bool


@dataclass(frozen=True)
class PlayerStatistics:
    """A player over all complete games of a kind; a shared victory counts as a win for each.

    ``best`` and ``worst`` are points, the lowest being best where the lowest wins. ``details``
    are the means of the further figures a kind gives, such as the points by terrain.
    """

    name: str
    games: int
    wins: int
    mean: float
    best: int
    worst: int
    details: Mapping[str, float]
    history: tuple[GamePoints, ...]

    @property
    def win_share(self) -> float:
        """Wins over games, 0 to 1."""
        return self.wins / self.games


def statistics_by_player(
    store: Store, kind: str, *, device: str | None = None, highest_wins: bool = True
) -> list[PlayerStatistics]:
    """Every player of complete games that are not deleted, most wins first, then most games.

    Names are one player however they are capitalised; the last spelling is shown.
    """
    games = games_of(device).with_only_columns(GameRow.id, GameRow.played_at)
    games = games.where(
        GameRow.kind == kind,
        GameRow.complete.is_(True),
        GameRow.kept.is_(False),
        GameRow.deleted_at.is_(None),
    )
    wanted = games.subquery()
    with store.reading() as session:
        rows = session.execute(
            select(ResultRow, wanted.c.played_at)
            .join(wanted, wanted.c.id == ResultRow.game_id)
            .where(ResultRow.points.is_not(None))
            .order_by(wanted.c.played_at, ResultRow.game_id)
        ).all()
    by_player: dict[str, list[tuple[ResultRow, datetime]]] = defaultdict(list)
    for result, played_at in rows:
        by_player[result.name_key].append((result, played_at))
    found = [_of_player(results, highest_wins) for results in by_player.values()]
    return sorted(found, key=lambda each: (-each.wins, -each.games, each.name.casefold()))


def _of_player(rows: list[tuple[ResultRow, datetime]], highest_wins: bool) -> PlayerStatistics:
    history = tuple(
        GamePoints(row.game_id, played_at, row.points or 0, row.place or 0, row.won)
        for row, played_at in rows
    )
    points = [each.points for each in history]
    details: dict[str, list[int]] = defaultdict(list)
    for row, _ in rows:
        for name, value in row.details.items():
            details[name].append(value)
    return PlayerStatistics(
        rows[-1][0].name,
        len(history),
        sum(each.won for each in history),
        sum(points) / len(points),
        max(points) if highest_wins else min(points),
        min(points) if highest_wins else max(points),
        {name: sum(values) / len(values) for name, values in details.items()},
        history,
    )
