"""Running cases in children with limits, and the table of what came out."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from tests.fuzz.mutate import mutated

__all__ = ["Findings", "run_cases"]

BATCH = 50
MAX_S, MAX_MB = 2.0, 500.0


@dataclass
class Findings:
    """Counts by format and outcome, and the seeds of the cases that broke a limit."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    crashes: list[int] = field(default_factory=list)
    hangs: list[int] = field(default_factory=list)
    large: list[int] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        return self.outcomes.total()

    @property
    def all_well(self) -> bool:
        return not (self.crashes or self.hangs or self.large)

    def add(self, seed: int, name: str, outcome: str, seconds: float, peak_mb: float) -> None:
        self.outcomes[name, outcome] += 1
        self.slowest[name] = max(self.slowest.get(name, 0.0), seconds)
        self.largest[name] = max(self.largest.get(name, 0.0), peak_mb)
        if outcome == "crashed":
            self.crashes.append(seed)
        if outcome == "took_too_long" or seconds > MAX_S:
            self.hangs.append(seed)
        if outcome == "memory" or peak_mb > MAX_MB:
            self.large.append(seed)


def run_cases(first: int, count: int, seconds: float = float("inf")) -> Findings:
    """Decode the cases ``first``, ``first`` + 1 and so on, each within the limits.

    A batch of cases shares a warm child; where one breaks a limit, its batch is run again with
    a child for each case.
    """
    findings = Findings()
    started = time.monotonic()
    settings = PoolSettings(workers=1, max_task_s=60, max_task_bytes=int(MAX_MB * 1e6), attempts=1)
    with WorkerPool("tests.fuzz.task", settings) as pool:
        for start in range(first, first + count, BATCH):
            if time.monotonic() - started > seconds:
                break
            size = min(BATCH, first + count - start)
            for case in _batch(pool, start, size):
                findings.add(*case)
    return findings


def _batch(pool: WorkerPool, first: int, count: int) -> list[list[Any]]:
    try:
        cases: list[list[Any]] = pool.carry_out({"first": first, "count": count})[0]["cases"]
    except WorkerDied as died:
        if count > 1:
            return [case for number in range(count) for case in _batch(pool, first + number, 1)]
        code = "memory" if died.code == "too_complex" else died.code
        print(f"seed {first}: {code}", file=sys.stderr, flush=True)
        return [[first, mutated(first)[0], code, 0.0, 0.0]]
    return cases
