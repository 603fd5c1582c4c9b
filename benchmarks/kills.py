"""Whether results are lost when processes are killed that write into one results file.

    python -m benchmarks.kills --runs 1000 --out benchmarks/kills.md

In every run two processes open the same results file, read by a link; the one that gets it adds
results, some read and some refused, and reports each as soon as it is promised to be on disk. Both
are killed at a random moment. After each run the file must open again and hold every photo that
was reported as read, each once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.markdown_tables import provenance, show
from companion.cli.results_file import ResultsFile

ROOT = Path(__file__).parents[1]
MAX_DELAY_S = 0.25


@dataclass
class Counts:
    """What came out of some runs; ``reported`` results were promised, ``lost`` of them are gone."""

    runs: int = 0
    reported: int = 0
    lost: int = 0
    twice: int = 0
    refused: int = 0
    unreadable: int = 0


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write the table here too")
    parser.add_argument("--write-into", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.write_into:
        return _write(args.write_into, args.name)
    started = time.monotonic()
    counts = kill_many(args.runs, args.seed)
    table = _table(counts, args.seed, time.monotonic() - started)
    show(table, args.out)
    return int(bool(counts.lost or counts.twice or counts.unreadable))


def kill_many(runs: int, seed: int) -> Counts:
    """Kill two writers at a random moment, ``runs`` times over one file."""
    rng = random.Random(seed)
    counts = Counts()
    reported: set[str] = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "kept").mkdir()
        path = folder / "results.jsonl"
        path.symlink_to(folder / "kept" / "results.jsonl")
        for run in range(runs):
            outputs = _killed(path, f"{run}", rng)
            counts.refused += sum("refused" in output for output in outputs)
            reported |= {line for output in outputs for line in output if line.endswith(".jpg")}
            counts.runs += 1
            try:
                with ResultsFile(path, "kingdoms"):
                    lines = path.read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                counts.unreadable += 1
                continue
            kept = Counter(json.loads(line)["photo"] for line in lines)
            counts.twice += sum(number > 1 for number in kept.values())
            counts.lost = len(reported - kept.keys())
        with ResultsFile(path, "kingdoms"):
            left = sorted(each.name for each in folder.rglob("*"))
    counts.reported = len(reported)
    if left != ["kept", "results.jsonl", "results.jsonl"]:
        raise RuntimeError(f"expected the results file and its link alone, got {left}")
    return counts


def _killed(path: Path, name: str, rng: random.Random) -> list[list[str]]:
    """What two writers had printed, line by line, when they were killed."""
    command = [sys.executable, "-m", "benchmarks.kills", "--write-into", str(path), "--name"]
    writers = [
        subprocess.Popen([*command, f"{name}{which}"], cwd=ROOT, stdout=subprocess.PIPE)
        for which in "ab"
    ]
    first = writers[rng.randrange(2)]
    assert first.stdout is not None
    started = os.read(first.stdout.fileno(), 1)  # It has begun, or was refused.
    time.sleep(rng.random() * MAX_DELAY_S)
    outputs = []
    for writer in rng.sample(writers, 2):
        writer.kill()
        data = (started if writer is first else b"") + writer.communicate()[0]
        outputs.append(data.decode().split("\n")[:-1])
    return outputs


def _write(path: Path, name: str) -> int:
    """Add results until killed; a line on the output for each that is on disk."""
    print("begun", flush=True)
    try:
        results = ResultsFile(path, "kingdoms")
    except ValueError:
        print("refused", flush=True)
        return 1
    number = 0
    with results:
        while True:
            photo = f"{name}-{number}.jpg"
            if number % 3:
                results.add({"photo": photo, "kingdoms": [], "seconds": {}})
                print(photo, flush=True)
            else:
                results.add({"photo": f"{photo}.refused", "error": {"code": "truncated"}})
            number += 1
            time.sleep(0.002)


def _table(counts: Counts, seed: int, seconds: float) -> str:
    return "\n".join(
        [
            f"# Two processes killed {counts.runs} times over one results file, {provenance()}",
            "",
            f"`python -m benchmarks.kills --runs {counts.runs} --seed {seed}`, {seconds:.0f} s, "
            f"{platform.machine()}, Python {platform.python_version()}",
            "",
            "| | |",
            "| --- | --- |",
            f"| runs | {counts.runs} |",
            f"| results promised | {counts.reported} |",
            f"| of these lost | {counts.lost} |",
            f"| results twice | {counts.twice} |",
            f"| file not to be opened again | {counts.unreadable} |",
            f"| second process refused | {counts.refused} |",
            "",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
