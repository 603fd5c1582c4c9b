"""What the functions of a package give while a case runs, as figures held against a table.

A slip in a formula rarely makes a reading wrong, but it moves what some function gives. Of each
function the table keeps how often it was called, how many numbers it gave, their mean size, their
mean, and a weighed mean, which tells one order from another. The first line that differs is nearest
the slip.
What is timed or random does not belong into a case; networks run in full precision, in one thread.

After a change that is meant: ``GOLDEN=write pytest tests/vision -k figures``, and read the diff.
"""

from __future__ import annotations

import os
import pkgutil
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from functools import wraps
from importlib import import_module
from inspect import isgeneratorfunction
from pathlib import Path
from types import FunctionType, ModuleType

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_CALLS, MOST_NUMBERS = 12, 1500
"""Calls of a function that are looked at, and numbers of an array, evenly spread."""
TOLERANCE, OF_ORDER = 0.003, 0.02
"""How far a mean and the weighed mean may be off, as shares of the mean size.

Processors and libraries differ by rounding, which a patch in 8 bits makes larger, and where two are
worth the same in their order.
"""
_TIMED = ("seconds", "decode_s")


def check_figures(
    table: Path, name: str, packages: Sequence[str], case: Callable[[], object]
) -> None:
    """Run a case and hold the figures of the functions of packages against those of the table."""
    found = figures_of(packages, case)
    known = _read(table)
    if os.environ.get("GOLDEN") == "write":
        _write(table, {**known, name: found})
        return
    assert list(found) == list(known[name]), "other functions are called, or in another order"
    wrong = [line for line in found if not _agree(found[line], known[name][line])]
    told = [f"{line}: {found[line]}, expected {known[name][line]}" for line in wrong]
    assert not wrong, "\n".join(told)


Figures = tuple[int, int, float, float, float]
"""Calls, numbers, their mean size, their mean, their weighed mean."""


def _agree(found: Figures, known: Figures) -> bool:
    size, mean, weighed = (abs(found[k] - known[k]) for k in (2, 3, 4))
    whole = known[2] + 1e-2
    near = max(size, mean) <= TOLERANCE * whole and weighed <= OF_ORDER * whole
    return found[:2] == known[:2] and near


def figures_of(packages: Sequence[str], case: Callable[[], object]) -> dict[str, Figures]:
    """The figures of each function of packages that a case calls, by the first to return."""
    calls: dict[str, int] = {}
    numbers: dict[str, list[Floats]] = {}

    def noted(name: str, function: FunctionType) -> Callable[..., object]:
        @wraps(function)
        def call(*given: object, **named: object) -> object:
            result = function(*given, **named)
            calls[name] = calls.get(name, 0) + 1
            kept = numbers.setdefault(name, [])
            if calls[name] <= MOST_CALLS:
                kept.extend(_numbers(result))
            return result

        return call

    modules = [module for package in packages for module in _modules(package)]
    own = {
        function: noted(f"{module.__name__.removeprefix('vision.')}.{name}", function)
        for module in modules
        for name, function in vars(module).items()
        if isinstance(function, FunctionType)
        and function.__module__ == module.__name__
        and not isgeneratorfunction(function)
    }
    threads = cv2.getNumThreads()
    with pytest.MonkeyPatch.context() as patch:
        cv2.setNumThreads(1)
        try:
            for module in modules:
                for name, function in list(vars(module).items()):
                    if isinstance(function, FunctionType) and function in own:
                        patch.setattr(module, name, own[function])
            given = case()
        finally:
            cv2.setNumThreads(threads)
    found = {name: _summed(calls[name], numbers[name]) for name in numbers}
    return found | {"whole": _summed(1, list(_numbers(given)))}


def _modules(package: str) -> list[ModuleType]:
    root = import_module(package)
    return [import_module(f"{package}.{each.name}") for each in pkgutil.iter_modules(root.__path__)]


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


def _summed(calls: int, numbers: Sequence[Floats]) -> Figures:
    found = np.concatenate([np.zeros(0), *numbers])
    if not len(found):
        return calls, 0, 0.0, 0.0, 0.0
    # Large numbers shall not hide small ones.
    found = np.arcsinh(np.clip(np.nan_to_num(found, nan=0.3), -1e9, 1e9))
    weights = np.sin(1.0 + np.arange(len(found)))
    size, mean, weighed = (float(each.mean()) for each in (np.abs(found), found, found * weights))
    return calls, len(found), size, mean, weighed


def _read(table: Path) -> dict[str, dict[str, Figures]]:
    cases: dict[str, dict[str, Figures]] = {}
    for line in table.read_text(encoding="utf-8").splitlines() if table.exists() else ():
        case, function, calls, count, *means = line.split()
        size, mean, weighed = map(float, means)
        cases.setdefault(case, {})[function] = int(calls), int(count), size, mean, weighed
    return cases


def _write(table: Path, cases: Mapping[str, Mapping[str, Figures]]) -> None:
    lines = [
        " ".join([case, function, str(calls), str(count), *(f"{each:.5g}" for each in means)])
        + "\n"
        for case, found in sorted(cases.items())
        for function, (calls, count, *means) in found.items()
    ]
    table.write_text("".join(lines), encoding="utf-8")
