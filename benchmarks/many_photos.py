"""Time and memory of `kingdomino read` on many photos, interrupted once and resumed.

    python -m benchmarks.many_photos --photos 1000 --out benchmarks/many_photos.md

The photos are copies of the sample pictures. The first run is interrupted after half of them, as
by Ctrl-C; the second resumes with the same command. The table has the pace of every tenth of the
photos, the peak memory of one process, and whether each photo occurs in the results exactly once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.peak_memory import peak_mb
from vision.kingdomino.samples import sample_folder, sample_labels

__all__ = ["main"]

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--photos", type=int, default=1000)
    parser.add_argument("--jobs", type=int, help="processes (default: as the command chooses)")
    parser.add_argument("--out", type=Path, help="write the table here too")
    args = parser.parse_args(argv)
    if args.photos < 20:
        parser.error(f"--photos: expected 20 or more, got {args.photos}")
    with tempfile.TemporaryDirectory() as name:
        table = _measured(Path(name), args.photos, args.jobs)
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")
    return 0


def _measured(folder: Path, photos: int, jobs: int | None) -> str:
    pictures, results = folder / "photos", folder / "results.jsonl"
    pictures.mkdir()
    samples = sorted(sample_labels())
    for number in range(photos):
        sample = samples[number % len(samples)]
        shutil.copyfile(sample_folder() / sample, pictures / f"{number:05d}.jpg")
    command = [sys.executable, "-m", "companion.cli.kingdomino", "read", "--json"]
    command += ["--results", str(results), str(pictures)]
    command += [] if jobs is None else ["--jobs", str(jobs)]

    started = time.perf_counter()
    first_times, first_code = _run(command, stop_after=photos // 2)
    if first_code != INTERRUPTED:
        raise RuntimeError(f"interrupted run: expected exit code {INTERRUPTED}, got {first_code}")
    second_times, _ = _run(command)
    seconds = time.perf_counter() - started

    kept = Counter(
        json.loads(line)["photo"] for line in results.read_text(encoding="utf-8").splitlines()
    )
    peak = peak_mb(of_children=True)
    lines = [
        f"# {photos} photos, {date.today()}",
        "",
        f"`python -m benchmarks.many_photos --photos {photos}"
        f"{'' if jobs is None else f' --jobs {jobs}'}`, {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}",
        "",
        f"- {seconds:.1f} s in both runs, {seconds / photos:.3f} s a photo, starts included",
        f"- interrupted after {len(first_times)} photos; the second run read {len(second_times)}",
        f"- {sum(count == 1 for count in kept.values())} of {photos} photos stand in the results "
        "once",
        f"- peak memory of the largest process: {peak:.0f} MB",
        "",
        "| run | photos | s a photo |",
        "| --- | --- | --- |",
    ]
    for run, times in (("first", first_times), ("second", second_times)):
        lines += [f"| {run} | {span} | {pace:.3f} |" for span, pace in _paces(times, photos // 10)]
    return "\n".join(lines) + "\n"


def _run(command: Sequence[str], stop_after: int | None = None) -> tuple[list[float], int]:
    """The time of each line and the exit code; interrupted after ``stop_after`` lines."""
    times = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        for _line in process.stdout:
            times.append(time.perf_counter())
            if len(times) == stop_after:
                os.killpg(process.pid, signal.SIGINT)
    return times, process.returncode


def _paces(times: Sequence[float], step: int) -> list[tuple[str, float]]:
    """Seconds per photo in each stretch of ``step`` photos, without the start of the first."""
    return [
        (f"{start + 1}–{start + step}", (times[start + step - 1] - times[start]) / (step - 1))
        for start in range(0, len(times) - step + 1, step)
    ]


if __name__ == "__main__":
    sys.exit(main())
