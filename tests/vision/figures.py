"""What the stages of a reader hand over for drawn pictures, as figures held against a table.

A slip in a formula rarely makes a reading wrong, but it moves what a stage hands over. Of each
stage the table keeps how many numbers it gave, their mean size, their mean, and a weighed mean,
which tells one order from another. How a stage does its work, and with how many functions, is its
own affair. What is timed or random does not belong into a case; networks run in full precision,
in one thread.

After a change that is meant, and with other networks in ``models``:
``GOLDEN=write pytest tests/vision -k figures``, and read the diff.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_CALLS, MOST_NUMBERS = 12, 1500
"""Calls of a stage that are looked at, and numbers of an array, evenly spread."""
TOLERANCE, OF_ORDER = 0.003, 0.02
"""How far a mean and the weighed mean may be off, as shares of the mean size.

Processors and libraries differ by rounding, which a patch in 8 bits makes larger, and where two are
worth the same in their order.
"""
_TIMED = ("seconds", "decode_s")


Stage = Callable[..., object]


def check_figures(
    table: Path, name: str, stages: Sequence[Stage], case: Callable[[], object]
) -> None:
    """Run a case and hold the figures of the stages that it passes against those of the table."""
    found = figures_of(stages, case)
    known = _read(table)
    if os.environ.get("GOLDEN") == "write":
        _write(table, {**known, name: found})
        return
    assert set(found) == set(known[name]), "other stages are passed"
    wrong = [line for line in found if not _agree(found[line], known[name][line])]
    told = [f"{line}: {found[line]}, expected {known[name][line]}" for line in wrong]
    assert not wrong, "\n".join(told)


Figures = tuple[int, float, float, float]
"""How many numbers, their mean size, their mean, their weighed mean."""


def _agree(found: Figures, known: Figures) -> bool:
    size, mean, weighed = (abs(found[k] - known[k]) for k in (1, 2, 3))
    whole = known[1] + 1e-2
    near = max(size, mean) <= TOLERANCE * whole and weighed <= OF_ORDER * whole
    return found[0] == known[0] and near


def figures_of(stages: Sequence[Stage], case: Callable[[], object]) -> dict[str, Figures]:
    """The figures of each of the stages that a case passes, by the first to return, and its own.

    A dictionary that the case gives has figures for each of its parts. What is kept from one call
    to the next is forgotten before, so that the order of the cases is of no matter.
    """
    numbers: dict[str, list[Floats]] = {}

    def noted(stage: Stage) -> Stage:
        name, calls = f"{stage.__module__.rpartition('.')[2]}.{stage.__name__}", 0

        @wraps(stage)
        def call(*given: object, **named: object) -> object:
            nonlocal calls
            result = stage(*given, **named)
            calls += 1
            if calls <= MOST_CALLS:
                numbers.setdefault(name, []).extend(_numbers(result))
            return result

        return call

    watched = {stage: noted(stage) for stage in stages}
    threads = cv2.getNumThreads()
    with pytest.MonkeyPatch.context() as patch:
        cv2.setNumThreads(1)
        try:
            for module in [m for name, m in sys.modules.items() if name.startswith("vision.")]:
                for name, value in list(vars(module).items()):
                    if callable(value) and isinstance(value, Hashable) and value in watched:
                        patch.setattr(module, name, watched[value])
                    if hasattr(value, "cache_clear"):
                        value.cache_clear()
            given = case()
        finally:
            cv2.setNumThreads(threads)
    found = {name: _summed(some) for name, some in numbers.items()}
    parts = given if isinstance(given, dict) else {"whole": given}
    return found | {name: _summed(list(_numbers(part))) for name, part in parts.items()}


def _numbers(found: object) -> Iterator[Floats]:
    """All numbers in a result; a text counts as one, and so does that there is nothing."""
    if found is None:
        yield np.array([-3.0])
    elif isinstance(found, str):
        yield np.array([zlib.crc32(found.encode()) / 2**28])
    elif isinstance(found, bool | int | float | np.number | np.bool_):
        yield np.array([float(found)])
    elif isinstance(found, np.ndarray):
        flat = found.ravel()
        flat = flat[:: max(1, flat.size // MOST_NUMBERS)]
        if flat.dtype.kind == "c":
            yield from (flat.real.astype(np.float64), flat.imag.astype(np.float64))
        elif flat.dtype.kind in "biuf":
            yield flat.astype(np.float64)
    elif is_dataclass(found):
        for field in fields(found):
            if field.name not in _TIMED:
                yield from _numbers(getattr(found, field.name))
    elif isinstance(found, Mapping):
        for key in sorted(found, key=repr):
            yield from _numbers(key)
            yield from _numbers(found[key])
    elif isinstance(found, AbstractSet):
        for each in sorted(found, key=repr):
            yield from _numbers(each)
    elif isinstance(found, list | tuple):
        for each in found:
            yield from _numbers(each)


def _summed(numbers: Sequence[Floats]) -> Figures:
    found = np.concatenate([np.zeros(0), *numbers])
    if not len(found):
        return 0, 0.0, 0.0, 0.0
    # Large numbers shall not hide small ones.
    found = np.arcsinh(np.clip(np.nan_to_num(found, nan=0.3), -1e9, 1e9))
    weights = np.sin(1.0 + np.arange(len(found)))
    size, mean, weighed = (float(each.mean()) for each in (np.abs(found), found, found * weights))
    return len(found), size, mean, weighed


def _read(table: Path) -> dict[str, dict[str, Figures]]:
    cases: dict[str, dict[str, Figures]] = {}
    for line in table.read_text(encoding="utf-8").splitlines() if table.exists() else ():
        case, stage, count, *means = line.split()
        size, mean, weighed = map(float, means)
        cases.setdefault(case, {})[stage] = int(count), size, mean, weighed
    return cases


def _write(table: Path, cases: Mapping[str, Mapping[str, Figures]]) -> None:
    lines = [
        " ".join([case, stage, str(count), *(f"{each:.5g}" for each in means)]) + "\n"
        for case, found in sorted(cases.items())
        for stage, (count, *means) in found.items()
    ]
    table.write_text("".join(lines), encoding="utf-8")
