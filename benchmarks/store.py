"""The time of a confirmed change, and of a request for news.

    python -m benchmarks.store --changes 500 --out benchmarks/store.md
    python -m benchmarks.store --games 300000 --out benchmarks/store_games.md

In a game of four full kingdoms each change sets one square, is scored, logged and synced to the
disk; on an SQLite file, and on a temporary PostgreSQL server with durable commits if one is
installed. ``--games`` measures instead what a device with five games asks, the earliest or the
latest of all, in an SQLite file with that many games of others.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Change, Store, new_id, open_store
from companion.store.history import erase_game, find_games
from tests.companion.store.many_games import CALLS, DEVICE, add_games
from tests.companion.store.servers import fresh_database, postgres_binaries, postgres_server
from tests.scorer.kingdomino.random_games import full_kingdom

__all__ = ["main"]

Times = tuple[list[float], list[float], list[float], list[float]]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=500)
    parser.add_argument("--out", type=Path, help="write the table here too")
    parser.add_argument("--games", type=int, help="games of others, instead of changes")
    options = parser.parse_args(argv)
    if options.games is not None:
        return _written(crowded(options.games), options.out)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'games.sqlite'}"
        rows = [("SQLite", measured(url, options.changes))]
    if postgres_binaries() is not None:
        with postgres_server(durable=True) as server:
            url = fresh_database(server, "measured")
            rows.append(("PostgreSQL", measured(url, options.changes)))
    return _written(report(rows, options.changes), options.out)


def crowded(others: int) -> str:
    """A table of the milliseconds of each call with five own games before or after the others'."""
    lines = [
        f"# A device's five games among {others} of others, {date.today()}",
        "",
        f"`python -m benchmarks.store --games {others}`, Python {platform.python_version()}, "
        f"SQLite; milliseconds, median of 9; {_load()}",
        "",
        "| call | own games the earliest | own games the latest |",
        "| --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{Path(folder) / 'games.sqlite'}")
        add_games(store, others, lambda n: f"device{n // 5}", datetime(2024, 1, 1, tzinfo=UTC), "o")
        found: dict[str, list[float]] = {name: [] for name in CALLS}
        for year in (2023, 2030):
            first = datetime(year, 1, 1, tzinfo=UTC)
            for earlier in find_games(store, device=DEVICE):
                erase_game(store, earlier.id)
            add_games(store, 5, lambda n: DEVICE, first, "own")
            for name, call in CALLS.items():
                found[name].append(statistics.median(_milliseconds(call, store) for _ in range(9)))
        store.close()
    lines += [f"| {name} | {old:.1f} | {new:.1f} |" for name, (old, new) in found.items()]
    return "\n".join(lines) + "\n"


def _milliseconds(call: Callable[[Store], object], store: Store) -> float:
    start = time.perf_counter()
    call(store)
    return 1000 * (time.perf_counter() - start)


def _written(table: str, out: Path | None) -> int:
    print(table)
    if out:
        out.write_text(table, encoding="utf-8")
    return 0


def measured(url: str, changes: int) -> Times:
    """Milliseconds of every change, of CPU time in it, of each request for news, and of loading."""
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
        start, processor = time.perf_counter(), time.process_time()
        confirmed = store.change(game.id, change)
        times[0].append(1000 * (time.perf_counter() - start))
        times[1].append(1000 * (time.process_time() - processor))
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
        f"# The store, {date.today()}",
        "",
        f"`python -m benchmarks.store --changes {changes}`, Python {platform.python_version()}; "
        f"milliseconds, median and 95th percentile; {_load()}",
        "",
        "| database | a confirmed change | of that processor time | asking for news, none there "
        "| loading a game of four |",
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
