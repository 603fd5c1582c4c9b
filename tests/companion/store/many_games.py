"""Many finished games at once, for what a store costs when others fill it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import insert, literal, select

from companion.store import Store
from companion.store.exchange import compare_copies, export_text
from companion.store.history import (
    count_games,
    find_games,
    kinds_and_players,
    remembered_names,
    results_csv,
    statistics_by_player,
)
from companion.store.tables import Base, DeviceRow, GameRow, NameRow, PartRow, ResultRow

DEVICE = "my-phone"

FAMILY = ("Anna", "Ben")
CLUB = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Greta", "Hans", "Ida", "Jan", "Kim", "Lea")
DETAILS = ("wheat", "forest", "lake", "meadow", "swamp", "mine", "bonuses", "crowns")

CALLS: dict[str, Callable[[Store, str], object]] = {
    "home": lambda store, device: find_games(store, device=device, limit=3),
    "history": lambda store, device: find_games(store, device=device, limit=60),
    "of a kind": lambda store, device: find_games(store, device=device, kind="kingdomino"),
    "deleted": lambda store, device: find_games(store, device=device, deleted=True),
    "search": lambda store, device: find_games(store, "anna", device=device, limit=60),
    "of a player": lambda store, device: find_games(store, device=device, player="Ben"),
    "count": lambda store, device: count_games(store, "anna", device=device, player="Ben"),
    "players": lambda store, device: kinds_and_players(store, device),
    "statistics": lambda store, device: statistics_by_player(
        store, "kingdomino", device=device, details=DETAILS
    ),
    "names": lambda store, device: remembered_names(store, device, 20),
    "copies of a phone": lambda store, device: compare_copies(store, device, {"other1": 0}),
    "CSV": lambda store, device: deque(results_csv(store, device=device), 0),
    "export": lambda store, device: deque(export_text(store, device=device), 0),
}
"""What a device asks about its own games."""


def add_games(
    store: Store,
    count: int,
    device: Callable[[int], str],
    first_day: datetime,
    prefix: str,
    members: Sequence[str] = FAMILY,
) -> None:
    """Insert ``count`` games, one a minute, the n-th of ``device(n)``.

    Two play of two members, three of more, in turn.
    """
    seats = min(3, len(members))
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
            names_here = [members[(number + seat) % len(members)] for seat in range(seats)]
            text = f"{' '.join(names_here)} an evening in march".casefold()
            games.append(
                {"id": game_id, "kind": "kingdomino", "search_text": text, **flags, **moments}
            )
            parts.append({"game_id": game_id, "key": "about", "sequence": 1, "value": {}})
            devices.append({"game_id": game_id, "device": owner, "joined_at": at})
            for player, name in enumerate(names_here):
                key = {"name": name, "name_key": name.casefold()}
                points = 50 + number % 20 - player
                place = {"points": points, "place": 1 + player, "won": player == 0}
                details = {each: (number + n) % 12 for n, each in enumerate(DETAILS)}
                results.append(
                    {"game_id": game_id, "player": player, "details": details, **key, **place}
                )
                names[owner, name] = {"device": owner, "used_at": at, **key}
        with store.writing() as session:
            session.execute(insert(GameRow), games)
            session.execute(insert(PartRow), parts)
            session.execute(insert(ResultRow), results)
            session.execute(insert(DeviceRow), devices)
            for row in names.values():
                session.merge(NameRow(**row))


def double_games(store: Store, mark: str) -> None:
    """As many games again, of as many other devices, by the database itself; ``mark`` is new."""
    with store.writing() as session:
        for row in (GameRow, PartRow, ResultRow, DeviceRow, NameRow):
            table = Base.metadata.tables[row.__tablename__]
            owners = {"games": ("id",), "names": ("device",)}.get(table.name, ("game_id", "device"))
            columns = [
                (literal(mark) + each).label(each.name) if each.name in owners else each
                for each in table.columns
            ]
            session.execute(insert(table).from_select(table.columns.keys(), select(*columns)))
