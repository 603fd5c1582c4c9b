"""What a worker process adds to reading a photo.

    python -m benchmarks.worker_overhead --rounds 10 --out benchmarks/worker_overhead.md

The overhead of a photo is the time from the bytes of its file to the reading and the picture in
the process that asks, less the seconds that the reader itself counted in the worker.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from companion.kingdomino.isolated_reading import new_pool, read_upload_isolated
from companion.kingdomino.samples import sample_folder, sample_labels

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--out", type=Path, help="write the table here too")
    args = parser.parse_args(argv)
    photos = [
        (sample_folder() / file).read_bytes()
        for file, kingdom in sample_labels().items()
        if kingdom is not None
    ]
    with new_pool(1) as pool:
        started = time.perf_counter()
        read_upload_isolated(photos[0], pool)
        first_s = time.perf_counter() - started
        overheads, readings = [], []
        for _ in range(args.rounds):
            for photo in photos:
                started = time.perf_counter()
                reading, _picture = read_upload_isolated(photo, pool)
                wall_s = time.perf_counter() - started
                readings.append(sum(reading.seconds.values()))
                overheads.append(wall_s - readings[-1])
    tenths = statistics.quantiles(overheads, n=10)
    table = "\n".join(
        [
            f"# What a worker adds to {len(overheads)} readings, {date.today()}",
            "",
            f"`python -m benchmarks.worker_overhead --rounds {args.rounds}`, {os.cpu_count()} "
            f"cores, {platform.machine()}, Python {platform.python_version()}",
            "",
            "| | ms |",
            "| --- | --- |",
            f"| first photo, with the start of the worker | {1000 * first_s:.0f} |",
            f"| reading, median | {1000 * statistics.median(readings):.0f} |",
            f"| overhead, best | {1000 * min(overheads):.1f} |",
            f"| overhead, median | {1000 * statistics.median(overheads):.1f} |",
            f"| overhead, nine of ten below | {1000 * tenths[-1]:.1f} |",
            "",
        ]
    )
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
