"""The time of a confirmed change, and of a request for news.

    python -m benchmarks.store --changes 500 --out benchmarks/store.md
    python -m benchmarks.store --games 1000000 --out benchmarks/store_games.md

In a game of four full kingdoms each change sets one square, is scored, logged and synced to the
disk; on an SQLite file, and on a temporary PostgreSQL server with durable commits if one is
installed. ``--games`` measures instead what devices with 5, 2,000 and 20,000 games ask, in stores
of both kinds with that many games of others.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.serving import database_mb
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Change, Store, new_id, open_store
from tests.companion.store.many_games import CALLS, CLUB, add_games, double_games
from tests.companion.store.servers import fresh_database, postgres_binaries, postgres_server
from tests.scorer.kingdomino.random_games import full_kingdom

Times = tuple[list[float], list[float], list[float], list[float]]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=500)
    parser.add_argument("--out", type=Path, help="write the table here too")
    parser.add_argument("--games", type=int, help="games of others, instead of changes")
    options = parser.parse_args(argv)
    if options.games is not None:
        show(crowded(options.games), options.out)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'games.sqlite'}"
        rows = [("SQLite", measured(url, options.changes))]
    if postgres_binaries() is not None:
        with postgres_server(durable=True) as server:
            url = fresh_database(server, "measured")
            rows.append(("PostgreSQL", measured(url, options.changes)))
    show(report(rows, options.changes), options.out)
    return 0


OWN = {"5, the earliest": "early", "5, the latest": "late", "2,000": "club", "20,000": "large-club"}
"""Devices whose games are asked for, by how many they have."""


def crowded(others: int) -> str:
    """A table for each database of the milliseconds of each call of devices among many others."""
    lines = [
        f"# Own games among {others:,} of others",
        "",
        f"{provenance()}, `python -m benchmarks.store --games {others}`, Python "
        f"{platform.python_version()}, {_load()}.",
        "",
        "Milliseconds by the clock, and in brackets of the processor, a database server's "
        "included; the median of 25, of five where there are thousands of own games. CSV and "
        "export are all of it, written piece by piece.",
        "",
    ]
    with tempfile.TemporaryDirectory() as folder:
        lines += _crowded_table("SQLite", f"sqlite:///{Path(folder) / 'games.sqlite'}", others)
    if postgres_binaries() is not None:
        with postgres_server(durable=False) as server:
            lines += _crowded_table("PostgreSQL", fresh_database(server, "crowded"), others)
    return "\n".join(lines)


def _crowded_table(name: str, url: str, others: int) -> list[str]:
    store = open_store(url)
    _fill(store, others)
    rows = []
    for call_name, call in CALLS.items():
        cells = []
        for device in OWN.values():
            times = [
                _milliseconds(call, store, device) for _ in range(5 if "club" in device else 25)
            ]
            wall, processor = (statistics.median(each) for each in zip(*times, strict=True))
            cells.append(f"{wall:.1f} ({processor:.1f})")
        rows.append((call_name, *cells))
    held = [
        f"{name} {_peak_mb(CALLS[name], store, 'club'):.1f} and "
        f"{_peak_mb(CALLS[name], store, 'large-club'):.1f} MB"
        for name in ("CSV", "export")
    ]
    store.close()
    return [
        f"## {name}",
        "",
        f"{database_mb(url):,.0f} MB on the disk; logs, readings and photos are not in it.",
        "",
        markdown(("own games", *OWN), rows),
        "",
        f"Held at most while 2,000 and 20,000 games are written: {', '.join(held)}.",
        "",
    ]


def _fill(store: Store, others: int) -> None:
    """Some games of others, doubled until there are as many as asked for, and the own ones."""
    doublings = max(0, (others // _WRITTEN_ONE_BY_ONE).bit_length() - 1)
    day = datetime(2024, 1, 1, tzinfo=UTC)
    add_games(store, others >> doublings, lambda n: f"device{n // 5}", day, "other")
    for number in range(doublings):
        double_games(store, f"{number}-")
    add_games(store, 5, lambda n: "early", datetime(2023, 1, 1, tzinfo=UTC), "early")
    add_games(store, 5, lambda n: "late", datetime(2030, 1, 1, tzinfo=UTC), "late")
    add_games(store, 2_000, lambda n: "club", day, "club", CLUB)
    add_games(store, 20_000, lambda n: "large-club", day, "large", CLUB)
    if store.engine.dialect.name == "postgresql":
        with store.engine.begin() as connection:
            connection.exec_driver_sql("ANALYZE")  # As its own process does a minute later.
    os.sync()  # Or what was filled in is written to the disk beside the first calls.


_WRITTEN_ONE_BY_ONE = 10_000


def _milliseconds(
    call: Callable[[Store, str], object], store: Store, device: str
) -> tuple[float, float]:
    """By the clock, and of the processor, here and in the database's server."""
    server, start, processor = _server_s(store), time.perf_counter(), time.process_time()
    call(store, device)
    wall, own = time.perf_counter() - start, time.process_time() - processor
    return 1000 * wall, 1000 * (own + _server_s(store) - server)


def _peak_mb(call: Callable[[Store, str], object], store: Store, device: str) -> float:
    """What Python holds at most for a call, beyond what it held before."""
    tracemalloc.start()
    call(store, device)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def _server_s(store: Store) -> float:
    """Seconds of the processor so far, of the server's processes for the connections here."""
    if store.engine.dialect.name != "postgresql":
        return 0.0
    with store.engine.connect() as connection:
        asked = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
        processes = connection.exec_driver_sql(asked).scalars().all()
    files = [Path(f"/proc/{process}/schedstat") for process in processes]
    spent = [file.read_text(encoding="ascii").split()[0] for file in files if file.is_file()]
    return sum(map(int, spent)) / 1e9


def measured(url: str, changes: int) -> Times:
    """Milliseconds of every change, of the processor for it, of asking for news, of loading."""
    rng = Random(1)
    kingdoms = [full_kingdom(rng, 5) for _ in range(4)]
    store = open_store(url)
    players = [{"id": n, "name": f"Player {n}"} for n in range(4)]
    parts = {board_key(n): {"kingdom": str(kingdom)} for n, kingdom in enumerate(kingdoms)}
    game = store.create_game(KINGDOMINO.key, {"players": players, **parts})
    times: Times = ([], [], [], [])
    for number in range(changes):
        seat = number % 4
        place = (rng.randrange(5), rng.randrange(5))
        kingdom = kingdoms[seat] = kingdoms[seat].replace({place: kingdoms[seat][0, 0]})
        based_on = 1 + number // 4
        value = {"kingdom": str(kingdom), "corrected": [list(place)]}
        change = Change(board_key(seat), value, based_on, new_id(), "paint")
        server, start, processor = _server_s(store), time.perf_counter(), time.process_time()
        confirmed = store.change(game.id, change)
        times[0].append(1000 * (time.perf_counter() - start))
        own = time.process_time() - processor
        times[1].append(1000 * (own + _server_s(store) - server))
        start = time.perf_counter()
        store.changes_since(game.id, confirmed.sequence)
        times[2].append(1000 * (time.perf_counter() - start))
        start = time.perf_counter()
        store.game(game.id)
        times[3].append(1000 * (time.perf_counter() - start))
    store.close()
    return times


def report(rows: Sequence[tuple[str, Times]], changes: int) -> str:
    lines = [
        f"# The store, {provenance()}",
        "",
        f"`python -m benchmarks.store --changes {changes}`, Python {platform.python_version()}; "
        f"milliseconds, median and 95th percentile; {_load()}",
        "",
        "| database | a confirmed change | of the processor, a server's too "
        "| asking for news, none there | loading a game of four |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, times in rows:
        cells = [
            f"{statistics.median(each):.1f}, {statistics.quantiles(each, n=20)[-1]:.1f}"
            for each in times
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _load() -> str:
    """The load of the machine, which limits what wall-clock times mean."""
    if not hasattr(os, "getloadavg"):
        return f"{os.cpu_count()} cores"
    return f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores"


if __name__ == "__main__":
    raise SystemExit(main())
