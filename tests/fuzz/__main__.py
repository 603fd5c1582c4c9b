"""Mutated pictures of every format against the decoder, each within limits.

    python -m tests.fuzz --minutes 5
    python -m tests.fuzz --first 1 --cases 100000 --keep fuzz.json --out benchmarks/fuzz.md
    python -m tests.fuzz --sum fuzz.json more.json --out benchmarks/fuzz.md
    python -m tests.fuzz --write 4711 case.bin

The exit code is 1 where a case crashed, took more than 2 s of a core or more than 500 MB.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path

from benchmarks.markdown_tables import provenance
from tests.fuzz.mutate import mutated
from tests.fuzz.run import Findings, first_of, run_cases


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--cases", type=int, default=10**9, help="at most so many")
    parser.add_argument("--first", type=int, help="seed of the first case (default: the time)")
    parser.add_argument("--keep", type=Path, help="go on here with a run that was interrupted")
    parser.add_argument("--sum", nargs="+", type=Path, help="run nothing, add up what was kept")
    parser.add_argument("--out", type=Path, help="write the table here too")
    parser.add_argument("--write", nargs=2, metavar=("SEED", "FILE"), help="write one case")
    args = parser.parse_args(argv)
    if args.write:
        Path(args.write[1]).write_bytes(mutated(int(args.write[0]))[1])
        return 0
    if args.sum:
        runs = {first_of(path): path for path in args.sum}
        each = [Findings.kept(path, first) for first, path in runs.items()]
        findings = reduce(add, each)
        firsts = [*runs]
    else:
        firsts = [int(time.time()) * 1_000_000 if args.first is None else args.first]
        findings = run_cases(firsts[0], args.cases, 60 * args.minutes, args.keep)
        each = [findings]
    commands = [
        f"`python -m tests.fuzz --first {first} --cases {run.cases}`"
        for first, run in zip(firsts, each, strict=True)
    ]
    table = _table(findings, " and ".join(commands))
    print(table)
    if args.out:
        args.out.write_text(table, encoding="utf-8")
    return 0 if findings.all_well else 1


def _table(findings: Findings, commands: str) -> str:
    formats = sorted({name for name, _ in findings.outcomes})
    lines = [
        f"# {findings.cases:,} mutated pictures, {provenance()}",
        "",
        f"{commands}, {findings.seconds:.0f} s, {platform.machine()}, "
        f"Python {platform.python_version()}. "
        "Seconds in the table are those of a core.",
        "",
        "| | cases | read | refused | crashes | over 2 s | over 500 MB | decoder fell "
        "| slowest, s | most s per MB | peak, MB |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    broken = {"crashes": findings.crashes, "over 2 s": findings.hangs, "large": findings.large}
    broken["decoder fell"] = findings.fell
    for name in formats:
        counts = {code: n for (each, code), n in findings.outcomes.items() if each == name}
        bad = [sum(mutated(seed)[0] == name for seed in seeds) for seeds in broken.values()]
        cells = [name, sum(counts.values()), counts.get("read", 0)]
        cells += [sum(n for code, n in counts.items() if code not in _NO_REFUSALS), *bad]
        cells += [f"{findings.slowest[name]:.2f}", f"{findings.dearest[name]:.1f}"]
        cells += [f"{findings.largest[name]:.0f}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    codes = sorted({code for _, code in findings.outcomes})
    told = ", ".join(f"{code} {_count(findings, code)}" for code in codes)
    lines += ["", f"Outcomes: {told}.", "", _MEANING]
    lines += [f"Seeds ({name}): {seeds[:20]}" for name, seeds in broken.items() if seeds]
    return "\n".join(lines) + "\n"


_MEANING = """A crash is one of the process that asks. Where a decoder of other people fell by a
fault of its own, in a process started for that picture alone, the picture was refused as too
complex. The bounds are those that the product sets itself; the run added none below 8 GB and 60 s.
"""
_NO_REFUSALS = frozenset({"read", "crashed", "took_too_long", "memory"})


def _count(findings: Findings, wanted: str) -> int:
    return sum(n for (_, code), n in findings.outcomes.items() if code == wanted)


if __name__ == "__main__":
    sys.exit(main())
