"""All that needs a quiet machine, one after the other, each into its table.

    python -m benchmarks.timings [NAME …]

What others notice of attackers, fifty visitors at once, what a worker adds to a reading, the
stories with times that they must keep, and how long `make test` takes. Says so where the machine is
not quiet, and at the end what took more than is allowed; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUIET_LOAD = 0.5
WAITS_S = 300
TESTS_S = 150.0

MEASURED = ("attack", "load", "worker_overhead")
STORIES = ("board_taps", "photos", "two_phones")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(MEASURED)}, stories, tests"
    )
    wanted = parser.parse_args(argv).names or [*MEASURED, "stories", "tests"]
    missed = []
    for name in wanted:
        _wait_until_quiet()
        if name == "tests":
            took = _seconds_of_make_test()
            print(f"make test: {took:.0f} s, allowed {TESTS_S:.0f} s", flush=True)
            done = took <= TESTS_S
        elif name == "stories":
            files = [f"tests/browser/test_{each}.py" for each in STORIES]
            command = [sys.executable, "-m", "pytest", "-q", "-s", *files]
            done = not subprocess.run(command, cwd=ROOT, check=False).returncode
        else:
            command = [sys.executable, "-m", f"benchmarks.{name}", "--out", f"benchmarks/{name}.md"]
            done = not subprocess.run(command, cwd=ROOT, check=False).returncode
        if not done:
            missed.append(name)
    print(f"Missed: {', '.join(missed) or 'nothing'}")
    return 1 if missed else 0


def _seconds_of_make_test() -> float:
    """Seconds by the clock that `make test` takes; infinite where it fails."""
    started = time.monotonic()
    failed = subprocess.run(["make", "test"], cwd=ROOT, check=False).returncode
    return float("inf") if failed else time.monotonic() - started


def _wait_until_quiet() -> None:
    """Wait for what ran before to be forgotten, and say so where others go on."""
    until = time.monotonic() + WAITS_S
    while (load := os.getloadavg()[0]) > QUIET_LOAD:
        if time.monotonic() > until:
            print(f"The machine is not quiet: load average {load:.1f}", flush=True)
            return
        time.sleep(5)


if __name__ == "__main__":
    sys.exit(main())
