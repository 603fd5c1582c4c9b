"""Many finished games at once, for what a store costs when others fill it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert

from companion.store import Store
from companion.store.exchange import export_games
from companion.store.history import find_games, remembered_names, results_csv, statistics_by_player
from companion.store.tables import DeviceRow, GameRow, NameRow, PartRow, ResultRow

__all__ = ["CALLS", "DEVICE", "add_games"]

DEVICE = "my-phone"

CALLS: dict[str, Callable[[Store], object]] = {
    "home": lambda store: find_games(store, device=DEVICE, limit=3),
    "history": lambda store: find_games(store, device=DEVICE, limit=60),
    "continued": lambda store: find_games(
        store, device=DEVICE, after=(datetime(2100, 1, 1, tzinfo=UTC), "")
    ),
    "of a kind": lambda store: find_games(store, device=DEVICE, kind="kingdomino"),
    "deleted": lambda store: find_games(store, device=DEVICE, deleted=True),
    "search": lambda store: find_games(store, "anna", device=DEVICE, limit=60),
    "statistics": lambda store: statistics_by_player(store, "kingdomino", device=DEVICE),
    "names": lambda store: remembered_names(store, DEVICE, "an"),
    "CSV": lambda store: results_csv(store, device=DEVICE),
    "export": lambda store: export_games(store, device=DEVICE),
}
"""What a device asks about its own games."""


def add_games(
    store: Store, count: int, device: Callable[[int], str], first_day: datetime, prefix: str
) -> None:
    """Insert ``count`` games of Anna and Ben, one a minute, the n-th of ``device(n)``."""
    for start in range(0, count, 10_000):
        games, parts, results, devices, names = [], [], [], [], {}
        for number in range(start, min(start + 10_000, count)):
            at, game_id, owner = (
                first_day + timedelta(minutes=number),
                f"{prefix}{number}",
                device(number),
            )
            moments = dict.fromkeys(("created_at", "changed_at", "played_at"), at)
            flags = {"kept": False, "complete": True, "deleted_at": None, "sequence": 0}
            text = "anna ben an evening in march"
            games.append(
                {"id": game_id, "kind": "kingdomino", "search_text": text, **flags, **moments}
            )
            parts.append({"game_id": game_id, "key": "about", "sequence": 1, "value": {}})
            devices.append({"game_id": game_id, "device": owner, "joined_at": at})
            for player, name in enumerate(("Anna", "Ben")):
                key = {"name": name, "name_key": name.casefold()}
                place = {"points": 50 - player, "place": 1 + player, "won": player == 0}
                results.append(
                    {"game_id": game_id, "player": player, "details": {"lake": 9}, **key, **place}
                )
                names[owner, name] = {"device": owner, "used_at": at, **key}
        with store.writing() as session:
            session.execute(insert(GameRow), games)
            session.execute(insert(PartRow), parts)
            session.execute(insert(ResultRow), results)
            session.execute(insert(DeviceRow), devices)
            for row in names.values():
                session.merge(NameRow(**row))
