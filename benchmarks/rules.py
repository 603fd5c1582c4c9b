"""What each rule of the reader is worth: ``python -m benchmarks.rules DATA [--keep FILE.md]``.

Composed photographs are read as they are, and with one rule at a time left out. A rule without
which nothing is read otherwise can go.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from unittest import mock

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.table.measure import find_phantoms, judge, read_or_none
from training.kingdomino.table.conditions import CONDITIONS, Photograph, coded, load_pictures
from vision.kingdomino import (
    cells,
    doubt,
    groups,
    lattice,
    passes,
    reader,
    search,
    settling,
    warn,
)
from vision.kingdomino.reader import Reader, default_reader


class Rule(NamedTuple):
    """A function of the reader, or a number, and what stands for it where the rule is left out."""

    module: ModuleType
    name: str
    instead: Any


RULES: dict[str, Rule] = {
    "a line too narrow for squares parts a lattice": Rule(
        lattice, "part_at_squeezed", lambda _found, whole, _settings: ([whole], set())
    ),
    "outer dominoes that lie askew are apart": Rule(lattice, "MAX_TURN_DEG", np.inf),
    "what is off the scale is a picture": Rule(
        search, "drop_off_scale", lambda located, _settings: located
    ),
    "squares that look like the table are none": Rule(
        cells, "doubt_table_like", lambda _looks, grid, _others: grid
    ),
    "groups that touch a kingdom join it": Rule(groups, "_join", lambda *_: None),
    "two castles are two kingdoms": Rule(
        groups, "divide_grid", lambda _found, grid, _settings: ([grid], frozenset())
    ),
    "a domino that hangs loose is asked about": Rule(
        groups, "find_doubtful_dominoes", lambda *_: frozenset()
    ),
    "what its seam shows": Rule(groups, "measure_seam", lambda *_: None),
    "a domino beyond the size of a kingdom is dropped": Rule(
        groups, "drop_loose_domino", lambda _found, grid, _settings: (grid, frozenset())
    ),
    "cells under squares of others are taken": Rule(passes, "find_taken_cells", lambda *_: set()),
    "squares share their light": Rule(cells, "weigh_by_light", lambda _rgb, grid, _light: grid),
    "covered cells are known": Rule(doubt, "find_hidden_cells", lambda *_: frozenset()),
    "squares apart are asked about, or join": Rule(
        warn, "find_detached_squares", lambda *_, **_named: ({}, {})
    ),
    "what the box leaves no other label is not asked about": Rule(
        settling, "find_confirmed", lambda *_, **_named: set()
    ),
    "a photograph is searched larger, smaller, far away": Rule(
        reader, "propose_long_sides", lambda *_: ()
    ),
}
COUNTS = ("exact", "unflagged", "hidden", "silent", "flags", "refused", "phantoms")
HEAD = (
    "without", "exact", "squares wrong, not flagged", "hidden, not flagged", "silent", "flags",
    "refused", "phantoms", "photographs told otherwise", "fewer exact in",
)  # fmt: skip
AS_IT_IS = "nothing"


def without(rule: str) -> AbstractContextManager[Any]:
    """While this lasts the reader has not this rule; with ``AS_IT_IS`` it has all."""
    return mock.patch.object(*RULES[rule]) if rule in RULES else nullcontext()


def read(photograph: Photograph, data: bytes, how: Reader) -> Counter[str]:
    """What became of the kingdoms of a photograph, whose file has this ``data``."""
    reading = read_or_none(how, data)
    verdicts, phantoms = judge(photograph, reading), find_phantoms(photograph, reading)
    counts = Counter({"kingdoms": len(verdicts), "phantoms": len(phantoms)})
    for each in verdicts:
        counts.update(
            exact=int(each.exact), unflagged=each.unflagged, silent=int(each.silent),
            hidden=each.hidden_unflagged, flags=each.flags, refused=int(each.refused),
        )  # fmt: skip
    return counts


def table_of(told: dict[str, dict[str, list[Counter[str]]]]) -> str:
    """A line for each rule by what became of each condition's photographs without it."""
    whole, rows = told[AS_IT_IS], list[tuple[object, ...]]()
    for rule, found in told.items():
        total = sum((each for some in found.values() for each in some), Counter[str]())
        pairs = [(n, *pair) for n in whole for pair in zip(whole[n], found[n], strict=True)]
        lost = Counter[str]()
        for condition, before, after in pairs:
            lost[condition] += before["exact"] - after["exact"]
        columns = (total[name] for name in COUNTS)
        changed = sum(before != after for _, before, after in pairs)
        fewer = ", ".join(f"{name} {n}" for name, n in lost.most_common() if n > 0)
        rows.append((rule, *columns, changed, fewer or "–"))
    return markdown(HEAD, rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write it to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("--count", type=int, default=12, help="photographs for each condition")
    parser.add_argument("--conditions", nargs="+", metavar="TEXT", help="those whose name has it")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    cv2.setNumThreads(1)
    pictures, how = load_pictures(chosen.data), default_reader()
    told: dict[str, dict[str, list[Counter[str]]]] = {name: {} for name in (AS_IT_IS, *RULES)}
    for place, (name, condition) in enumerate(CONDITIONS.items()):
        if chosen.conditions and not any(text in name for text in chosen.conditions):
            continue
        for number in range(chosen.count):
            rng = np.random.default_rng([chosen.seed, place, number])
            sheet = pictures.kingdoms[(7 * number + place) % len(pictures.kingdoms)]
            photograph = condition(pictures, sheet, rng)
            data = coded(photograph)
            for rule, found in told.items():
                with without(rule):
                    found.setdefault(name, []).append(read(photograph, data, how))
    count = sum(each["kingdoms"] for some in told[AS_IT_IS].values() for each in some)
    text = (
        f"# What each rule of the reader is worth\n\n`python -m benchmarks.rules DATA`, "
        f"{provenance()}, {chosen.count} photographs for each condition of "
        f"`benchmarks.table`, {count} kingdoms, by the shipped weights. The probabilities of doubt "
        f"were fitted with all rules.\n\n{table_of(told)}"
    )
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
