"""What a worker process adds to reading a photo.

    python -m benchmarks.worker_overhead --rounds 10 --out benchmarks/worker_overhead.md

The overhead of a photo is the time from the bytes of its file to the reading in the process that
asks, less the seconds that the reader itself counted in the worker. By the clock
it grows with whatever else the machine does; so what is sent there and back is also sent between
two threads, and the seconds of a core of both are counted. Beside it stands what a look at a small
picture of the camera takes.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image

from benchmarks.markdown_tables import provenance, show
from companion.reading.kingdomino import GLANCE_PX, KINGDOMS
from companion.reading.pool import PoolSettings, WorkerPool, receive, send
from vision.kingdomino.refit import sample_folder, sample_labels
from vision.kingdomino.result import PhotoReading


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
    with WorkerPool(KINGDOMS.task, PoolSettings(workers=1)) as pool:
        started = time.perf_counter()
        KINGDOMS.ask(photos[0], pool=pool)
        first_s = time.perf_counter() - started
        overheads, readings = [], []
        for _ in range(args.rounds):
            for photo in photos:
                started = time.perf_counter()
                reading = KINGDOMS.ask(photo, pool=pool)
                wall_s = time.perf_counter() - started
                readings.append(sum(reading.seconds.values()))
                overheads.append(wall_s - readings[-1])
    sent = _exchanged(photos, args.rounds)
    glances = _glances(photos, args.rounds)
    tenths = statistics.quantiles(overheads, n=10)
    table = "\n".join(
        [
            f"# What a worker adds to {len(overheads)} readings, {provenance()}",
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
            f"| overhead in ms of a core, median | {1000 * statistics.median(sent):.1f} |",
            f"| a look at a picture of the camera, in ms of a core, median | "
            f"{1000 * statistics.median(glances):.0f} |",
            f"| the same, slowest | {1000 * max(glances):.0f} |",
            f"| overhead in ms of a core, most | {1000 * max(sent):.1f} |",
            "",
        ]
    )
    show(table, args.out)
    return 0


def _glances(photos: Sequence[bytes], rounds: int) -> list[float]:
    """Seconds of a core for looks at small pictures, as the camera sends them."""
    reader, taken = KINGDOMS.with_options(glance=True), []
    small = []
    for photo in photos:
        with Image.open(BytesIO(photo)) as opened:
            picture = opened.convert("RGB")
        picture.thumbnail((GLANCE_PX, GLANCE_PX))
        file = BytesIO()
        picture.save(file, "JPEG", quality=70)
        small.append(file.getvalue())
    reader.read_here(small[0])
    for _ in range(rounds):
        for data in small:
            started = time.process_time()
            reader.read_here(data)
            taken.append(time.process_time() - started)
    return taken


def _exchanged(photos: Sequence[bytes], rounds: int) -> list[float]:
    """Seconds of a core for each exchange of a photo for its reading, both sides."""
    asked, answered = os.pipe(), os.pipe()
    seconds = []
    with (
        os.fdopen(asked[0], "rb") as received,
        os.fdopen(asked[1], "wb") as asking,
        os.fdopen(answered[0], "rb") as hearing,
        os.fdopen(answered[1], "wb") as answering,
    ):
        for photo in photos:
            reading = KINGDOMS.read_here(photo)

            def answer(reading: PhotoReading = reading) -> None:
                receive(received)
                send(answering, {"reading": KINGDOMS.codec.to_plain(reading)})

            for _ in range(rounds):
                started = time.process_time()
                thread = threading.Thread(target=answer)
                thread.start()
                send(asking, {"options": {}}, photo)
                record, _ = receive(hearing)
                KINGDOMS.codec.from_plain(record["reading"])
                thread.join()
                seconds.append(time.process_time() - started)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
