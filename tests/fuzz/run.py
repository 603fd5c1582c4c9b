"""Running cases in children with limits, and the table of what came out."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from tests.fuzz.mutate import mutated

BATCH = 50
MAX_S, MAX_MB = 2.0, 500.0
KEEP_EVERY = 40
"""So many batches are run between two times that the findings are kept."""

LIMITS = PoolSettings(
    workers=1, max_task_s=1800, max_core_s=60, max_task_bytes=8_000_000_000, attempts=1
)
"""Seconds of a core end a case that hangs; by the clock only one that waits for ever is ended.

Wide enough that the figures are those of the code and of the bounds that it sets itself.
"""


@dataclass
class Findings:
    """Counts by format and outcome, and the seeds of the cases that broke a limit.

    ``seconds`` by the clock went into all of them. The ``dearest`` case of each format took most
    seconds for a megabyte of its file; files count as 10 kB or more. On those that ``fell`` a
    decoder of other people ended by a fault, in a process of its own: they are refused.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    crashes: list[int] = field(default_factory=list)
    hangs: list[int] = field(default_factory=list)
    large: list[int] = field(default_factory=list)
    fell: list[int] = field(default_factory=list)
    slowest: dict[str, float] = field(default_factory=dict)
    largest: dict[str, float] = field(default_factory=dict)
    dearest: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def cases(self) -> int:
        return self.outcomes.total()

    @property
    def all_well(self) -> bool:
        return not (self.crashes or self.hangs or self.large)

    def add(
        self, seed: int, name: str, outcome: str, seconds: float, peak_mb: float, file_bytes: int
    ) -> None:
        self.outcomes[name, outcome] += 1
        self.slowest[name] = max(self.slowest.get(name, 0.0), seconds)
        per_mb = 1e6 * seconds / max(file_bytes, 10_000)
        self.dearest[name] = max(self.dearest.get(name, 0.0), per_mb)
        self.largest[name] = max(self.largest.get(name, 0.0), peak_mb)
        if outcome == "crashed":
            self.crashes.append(seed)
        if outcome == "decoder_fell":
            self.fell.append(seed)
        if outcome == "took_too_long" or seconds > MAX_S:
            self.hangs.append(seed)
        if outcome == "memory" or peak_mb > MAX_MB:
            self.large.append(seed)

    def __add__(self, other: Self) -> Self:
        """Those of two runs over different cases."""

        def most(one: dict[str, float], two: dict[str, float]) -> dict[str, float]:
            return {name: max(one.get(name, 0.0), two.get(name, 0.0)) for name in one | two}

        return replace(
            self,
            outcomes=self.outcomes + other.outcomes,
            crashes=self.crashes + other.crashes,
            hangs=self.hangs + other.hangs,
            large=self.large + other.large,
            fell=self.fell + other.fell,
            slowest=most(self.slowest, other.slowest),
            largest=most(self.largest, other.largest),
            dearest=most(self.dearest, other.dearest),
            seconds=self.seconds + other.seconds,
        )

    def keep(self, path: Path, first: int) -> None:
        """Write them to a file, whole or not at all."""
        kept = {**vars(self), "first": first, "outcomes": [*self.outcomes.items()]}
        unfinished = path.with_name(f".{path.name}.unfinished")
        unfinished.write_text(json.dumps(kept), encoding="utf-8")
        unfinished.replace(path)

    @classmethod
    def kept(cls, path: Path, first: int) -> Self:
        """Those of a run from the case ``first`` on that was interrupted; none without the file."""
        if not path.exists():
            return cls()
        kept = json.loads(path.read_text(encoding="utf-8"))
        if (began := kept.pop("first")) != first:
            raise ValueError(f"{path}: expected a run from {first} on, got one from {began} on")
        outcomes = {(name, code): count for (name, code), count in kept.pop("outcomes")}
        return cls(outcomes=Counter(outcomes), **kept)


def first_of(path: Path) -> int:
    """The first case of the run whose findings are in a file."""
    return int(json.loads(path.read_text(encoding="utf-8"))["first"])


def run_cases(
    first: int, count: int, seconds: float = float("inf"), keep: Path | None = None
) -> Findings:
    """Decode the cases ``first``, ``first`` + 1 and so on, each within the limits.

    A batch of cases shares a warm child; where one breaks a limit, its batch is run again with
    a child for each case. With ``keep`` the findings are kept in that file, and a run that was
    interrupted is gone on with.
    """
    findings = Findings.kept(keep, first) if keep else Findings()
    before, started = findings.seconds, time.monotonic()
    with WorkerPool("tests.fuzz.task", LIMITS) as pool:
        for number, start in enumerate(range(first + findings.cases, first + count, BATCH), 1):
            if time.monotonic() - started > seconds:
                break
            size = min(BATCH, first + count - start)
            for case in _batch(pool, start, size):
                findings.add(*case)
            findings.seconds = before + time.monotonic() - started
            if keep and number % KEEP_EVERY == 0:
                findings.keep(keep, first)
    if keep:
        findings.keep(keep, first)
    return findings


def _batch(pool: WorkerPool, first: int, count: int) -> list[list[Any]]:
    try:
        cases: list[list[Any]] = pool.carry_out({"first": first, "count": count})[0]["cases"]
    except WorkerDied as died:
        if count > 1:
            return [case for number in range(count) for case in _batch(pool, first + number, 1)]
        code = "memory" if died.code == "too_complex" else died.code
        print(f"seed {first}: {code}", file=sys.stderr, flush=True)
        return [[first, mutated(first)[0], code, 0.0, 0.0, 0]]
    return cases
