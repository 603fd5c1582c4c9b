"""Results as a table that every spreadsheet opens."""

from __future__ import annotations

import csv
from io import StringIO

from sqlalchemy import select

from companion.games.history import games_of
from companion.games.store import Store
from companion.games.tables import GameRow, ResultRow

__all__ = ["COLUMNS", "results_csv"]

COLUMNS = ("game", "kind", "played_at", "complete", "player", "points", "place", "won")
"""The first columns; after them come the further figures of all kinds, by name."""


def results_csv(store: Store, *, device: str | None = None, kind: str | None = None) -> str:
    """A line for each player of each game that is not deleted, the earliest game first.

    ``game`` counts the games from 1; their links stay secret. A text that a spreadsheet would
    take for a formula is led by an apostrophe.
    """
    games = games_of(device).where(GameRow.kept.is_(False), GameRow.deleted_at.is_(None))
    if kind is not None:
        games = games.where(GameRow.kind == kind)
    with store.reading() as session:
        rows = session.scalars(games.order_by(GameRow.played_at, GameRow.id)).all()
        results: dict[str, list[ResultRow]] = {row.id: [] for row in rows}
        found = select(ResultRow).where(ResultRow.game_id.in_(results))
        for each in session.scalars(found.order_by(ResultRow.game_id, ResultRow.player)):
            results[each.game_id].append(each)
    details = sorted({name for game in results.values() for each in game for name in each.details})
    file = StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow((*COLUMNS, *details))
    for number, row in enumerate(rows, start=1):
        for each in results[row.id]:
            writer.writerow(
                (
                    number,
                    row.kind,
                    row.played_at.isoformat(timespec="seconds"),
                    int(row.complete),
                    _harmless(each.name),
                    each.points,
                    each.place,
                    int(each.won),
                    *(each.details.get(name) for name in details),
                )
            )
    return file.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
