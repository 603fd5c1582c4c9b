"""Time and losses of `read` on many photographs: here, on a Dask cluster, and while workers die.

    python -m benchmarks.many_photos --photos 1200 --out benchmarks/many_photos.md

The photographs are copies of the sample pictures, and drawn boards of Domino-Duell; two games have
a quarter of them. As many processes read here as on a cluster of a scheduler and two workers; then
one of those is killed every ten seconds. A batch with ten crafted pictures is read in both places,
and one run here is interrupted halfway and goes on by the same command.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from distributed import Client
from PIL import Image

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.peak_memory import peak_mb
from benchmarks.serving import process_use
from tests.companion.reading.clusters import RealCluster
from tests.deploy.proxy import free_port
from tests.vision.photo.attacks import ATTACKS
from training.domino_duell.scenes import draw_scene
from vision.kingdomino.refit import sample_folder

PROCESSES = 2
INTERRUPTED = 130
KILLED_EVERY_S = 10.0
ALLOWED = 1.15

CRAFTED = (
    *("PNG of 20,000 by 20,000", "PNG of many empty chunks", "RLE BMP of 8,000 by 8,000"),
    *("PNG of 64 megapixels of 16 bits with alpha", "BMP without its pixels"),
    *("AVIF larger than it says", "AVIF of 300 frames in one item", "HEIC smaller than it says"),
    *("AVIF of extents that overlap", "WebP of 56,000 groups of Huffman codes"),
)
"""Ten of the attacks, each of which is refused."""


@dataclass(frozen=True)
class Run:
    """What a run of the command came to: seconds by the clock and of a core, and how often each
    photograph is in the results.

    ``refused`` has the codes of those that were not read. What workers of a cluster took is not
    known where they were killed.
    """

    seconds: float
    core_seconds: float | None
    kept: Counter[str]
    refused: Counter[str]

    def lost(self, photos: int) -> int:
        return photos - len(self.kept)

    @property
    def twice(self) -> int:
        return sum(count > 1 for count in self.kept.values())


def drawn_boards(folder: Path, count: int = 6) -> list[Path]:
    """Boards of Domino-Duell."""
    made = []
    for number in range(count):
        scene = draw_scene(np.random.default_rng(4_200_000 + number))
        made.append(folder / f"board-{number}.jpg")
        Image.fromarray(scene.rgb).save(made[-1], quality=90)
    return made


def copies(pictures: Sequence[Path], count: int, folder: Path) -> Path:
    """A folder of so many pictures, these again and again."""
    folder.mkdir()
    for number, picture in enumerate(islice(cycle(pictures), count)):
        shutil.copyfile(picture, folder / f"{number:05d}{picture.suffix}")
    return folder


def read(
    command: str,
    photos: Path,
    *more: str,
    stop_after: int | None = None,
    there: RealCluster | None = None,
) -> Run:
    """Run `read` over a folder, on a cluster if one is named; interrupted after so many lines."""
    results = photos.with_suffix(".jsonl")
    line = [sys.executable, "-m", f"companion.cli.{command}", "read", "--json"]
    line += ["--results", str(results), *more, str(photos)]
    line += [] if there is None else ["--dask", there.address]
    before, begun, seen = _core_seconds(there), time.perf_counter(), 0
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        assert process.stdout is not None
        for _ in process.stdout:
            seen += 1
            if seen == stop_after:
                os.killpg(process.pid, signal.SIGINT)
    took, of_cores = time.perf_counter() - begun, _core_seconds(there) - before
    expected = (0, 1) if stop_after is None else (INTERRUPTED,)
    if process.returncode not in expected:
        raise RuntimeError(f"{command}: expected exit code {expected}, got {process.returncode}")
    kept = [json.loads(each) for each in results.read_text(encoding="utf-8").splitlines()]
    if stop_after is None:
        results.unlink()
    refused = Counter(each["error"]["code"] for each in kept if each.get("error"))
    return Run(took, of_cores, Counter(each["photo"] for each in kept), refused)


def _core_seconds(there: RealCluster | None) -> float:
    """So far, of the commands that have ended and of the cluster."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = usage.ru_utime + usage.ru_stime
    use = None if there is None else process_use(tuple(there.processes()))
    return ended + (0.0 if use is None else use.core_seconds)


@contextmanager
def cluster(folder: Path) -> Iterator[RealCluster]:
    """A scheduler and the workers, as processes of their own."""
    made = RealCluster(folder, free_port())
    try:
        made.start_scheduler()
        for _ in range(PROCESSES):
            made.start_worker()
        with Client(made.address, timeout=60) as client:
            client.wait_for_workers(PROCESSES, timeout=60)
        yield made
    finally:
        made.end()


@contextmanager
def killing(there: RealCluster, killed: list[float]) -> Iterator[None]:
    """Kill a worker every ten seconds and start another in its place, the oldest first."""
    ended = threading.Event()

    def kill() -> None:
        while not ended.wait(KILLED_EVERY_S):
            there.kill_a_worker()
            killed.append(time.perf_counter())
            there.start_worker()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield
    finally:
        ended.set()
        killer.join()


def measured(folder: Path, photos: int) -> Iterator[tuple[str, ...]]:
    """The rows of the table, each as soon as it is known."""
    kingdoms = sorted(sample_folder().glob("*.jpg"))
    hands = sorted((sample_folder() / "pip_dominoes").glob("*.jpg"))
    boards = drawn_boards(folder)
    games = {"kingdomino": kingdoms, "dominoes": hands, "domino_duell": boards}
    jobs = ("--jobs", str(PROCESSES))
    for command, pictures in games.items():
        count = photos if command == "kingdomino" else photos // 4
        batch = copies(pictures, count, folder / command)
        name = f"`{command.replace('_', '-')} read`"
        here = read(command, batch, *jobs)
        yield _row(f"{name} here", count, here, here)
        with cluster(folder) as there:
            yield _row(f"{name} on Dask", count, read(command, batch, there=there), here)
            killed: list[float] = []
            with killing(there, killed):
                run = replace(read(command, batch, there=there), core_seconds=None)
            what = f"{name} on Dask, {len(killed)} times a worker killed"
            yield _row(what, count, run, here)
    batch = folder / "kingdomino"
    read("kingdomino", batch, *jobs, stop_after=photos // 2)
    whole = read("kingdomino", batch, *jobs)
    yield _row("`kingdomino read` here, interrupted, its second part", photos, whole)
    mixed = copies(kingdoms, 50, folder / "mixed")
    for number, attack in enumerate(CRAFTED):
        (mixed / f"crafted-{number}.jpg").write_bytes(ATTACKS[attack][0]())
    yield _row("ten crafted among 60, here", 60, read("kingdomino", mixed, *jobs))
    with cluster(folder) as there:
        run = read("kingdomino", mixed, there=there)
        yield _row("ten crafted among 60, on Dask", 60, run)


def _row(name: str, photos: int, run: Run, here: Run | None = None) -> tuple[str, ...]:
    ratio = "" if here is None else f"{run.seconds / here.seconds:.2f}"
    refused = ", ".join(f"{code} {count}" for code, count in sorted(run.refused.items()))
    found = (str(run.lost(photos)), str(run.twice), refused)
    of_cores = "" if run.core_seconds is None else f"{run.core_seconds:.1f}"
    times = (f"{run.seconds:.1f}", ratio, of_cores)
    row = (name, str(photos), *times, *found)
    print(" | ".join(row), file=sys.stderr, flush=True)
    return row


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--photos", type=int, default=1200)
    parser.add_argument("--out", type=Path, help="write the table here too")
    args = parser.parse_args(argv)
    if args.photos < 20:
        parser.error(f"--photos: expected 20 or more, got {args.photos}")
    # Whatever ends this, the cluster has to go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # What a shell starts in the background is not to be interrupted, nor what that starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    with tempfile.TemporaryDirectory() as name:
        rows = list(measured(Path(name), args.photos))
    columns = ("run", "photographs", "seconds", "of here", "of a core", "lost", "twice", "refused")
    lines = [
        f"# {args.photos} photographs",
        "",
        f"{provenance()}, `python -m benchmarks.many_photos --photos {args.photos}`: {PROCESSES} "
        f"processes on {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, load before {load:.1f}; starts included. On Dask at most "
        f"{ALLOWED} times the seconds of here are allowed, without kills. The largest process had "
        f"{peak_mb(of_children=True):.0f} MB.",
        "",
        markdown(columns, rows),
    ]
    show("\n".join(lines), args.out)
    slow = [row for row in rows if row[0].endswith("read` on Dask") and float(row[3]) > ALLOWED]
    lost = [row for row in rows if row[5:7] != ("0", "0")]
    return int(bool(slow or lost))


if __name__ == "__main__":
    sys.exit(main())
