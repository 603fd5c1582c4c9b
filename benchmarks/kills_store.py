"""Whether a killed process ever loses a confirmed change.

    python -m benchmarks.kills_store --runs 100 --out benchmarks/kills_store.md

Each run starts a process that writes one change after another and reports which are confirmed,
kills it at a random moment, and looks for every confirmed change; on SQLite, and on a temporary
PostgreSQL server if one is installed.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.markdown_tables import provenance, show
from tests.companion.store.killing import Killed, kill_a_writer
from tests.companion.store.servers import fresh_database, postgres_binaries, postgres_server


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="write the table here too")
    options = parser.parse_args(argv)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'games.sqlite'}"
        rows.append(("SQLite", killed(url, options.runs, options.seed)))
    if postgres_binaries() is not None:
        with postgres_server(durable=True) as server:
            url = fresh_database(server, "killed")
            rows.append(("PostgreSQL", killed(url, options.runs, options.seed)))
    table = report(rows, options.runs, options.seed)
    show(table, options.out)
    return int(any(run.lost or not run.sound for _, runs in rows for run in runs))


def killed(url: str, runs: int, seed: int) -> list[Killed]:
    rng = Random(seed)
    found = []
    for number in range(1, runs + 1):
        found.append(kill_a_writer(url, rng))
        print(f"{number}/{runs}: {found[-1]}", file=sys.stderr, flush=True)
    return found


def report(rows: Sequence[tuple[str, Sequence[Killed]]], runs: int, seed: int) -> str:
    lines = [
        f"# Killed {sum(len(found) for _, found in rows)} times, {provenance()}",
        "",
        f"`python -m benchmarks.kills_store --runs {runs} --seed {seed}`, "
        f"Python {platform.python_version()}",
        "",
        "| database | processes killed | confirmed changes | lost | logs with a gap |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, found in rows:
        confirmed = sum(run.confirmed for run in found)
        lost = sum(run.lost for run in found)
        gaps = sum(not run.sound for run in found)
        lines.append(f"| {name} | {len(found)} | {confirmed} | {lost} | {gaps} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
