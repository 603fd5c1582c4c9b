"""The packages whose code is changed, the tests that must notice, reasons for what may live, and
the table.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.markdown_tables import markdown, provenance

GIVEN = Path(__file__).with_name("reasons.toml")

_REASONS = (
    (r"QUICK_PROBABILITY", "only how soon an answer is found; it is proven against all labels"),
    (r"time_limit|monotonic|_LIMIT_S|CLOCK_EVERY", "a limit of time, not an outcome"),
    (r"^if options |^options \+= 1", "only in which order the search goes on"),
    (r'"INF"', "Python reads both as infinity"),
    (r"self\.points <= 1", "no multiple of five lies between"),
    (r"if columns else 1", "a kingdom without squares is too wide neither way"),
    (r"board\.castle is None\) and False", "both callers have made sure of a castle"),
    (r"^_[A-Z][a-z]\w* = .+ → _[A-Z]\w+ = None$", "a name for types, which only checkers read"),
    (
        r"ensure_ascii=None|allow_nan=None|repr=None|: bool = False → .+: bool = None$",
        "None is as false as False",
    ),
    (r"(Value|Type)Error", "the wording of an exception for programmers"),
)
"""Reasons for kinds of changes, by a pattern of what is written ``before → after``."""

_WITHOUT = (
    (r", strict=\w+", "the lengths are equal by construction; strict only says so"),
    (
        r"\.astype\([\w.]*\)|, (dtype=)?(np\.\w+|None|bool|int|float)(?=[,)])",
        "the values are of that type already",
    ),
)
"""Reasons for changes after which all is as it was but for what a pattern matches."""


@cache
def given_reasons() -> dict[tuple[str, str], str]:
    """The reasons of single changes, by module and ``before → after``, from ``reasons.toml``."""
    given = tomllib.loads(GIVEN.read_text(encoding="utf-8"))
    return {
        (module, each["change"]): each["reason"]
        for module, changes in given.items()
        for each in changes
    }


def reason_of(module: str, change: str) -> str:
    """Why a change of a module may live; empty where nobody has said so."""
    given = given_reasons().get((module, change))
    if given is not None:
        return given
    before, _, after = change.partition(" → ")
    for pattern, why in _WITHOUT:
        if re.sub(pattern, "", before) == re.sub(pattern, "", after):
            return why
    return next((why for pattern, why in _REASONS if re.search(pattern, change)), "")


@dataclass(frozen=True)
class Target:
    """A package: modules, as patterns of paths, and the tests that may notice a change in them.

    Patterns of ``without`` leave modules out again.
    """

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()

    def paths(self, root: Path) -> list[Path]:
        """The modules of the target below a folder, relative to it."""
        found = {path for pattern in self.modules for path in root.glob(pattern)}
        left_out = {path for pattern in self.without for path in root.glob(pattern)}
        return sorted(path.relative_to(root) for path in found - left_out)


def _package(name: str, *more_tests: str, without: tuple[str, ...] = ()) -> Target:
    tests = (f"tests/{name}", *(f"tests/{folder}" for folder in more_tests))
    return Target(name, (f"{name}/**/*.py",), tests, without)


_DOUBT = "benchmarks/test_doubt_tables.py"
"""The rules as the documents tell them."""

TARGETS = (
    Target("scorer/errors", ("scorer/errors.py",), ("tests/scorer",)),
    _package("scorer/kingdomino"),
    _package("scorer/pip_dominoes"),
    _package("scorer/domino_duell"),
    _package("vision/photo"),
    _package("vision/common", "vision/kingdomino", "vision/pip_dominoes", "vision/domino_duell"),
    _package("vision/kingdomino", "companion/reading", _DOUBT),
    _package("vision/pip_dominoes", "companion/reading", _DOUBT),
    _package("vision/domino_duell", "companion/reading", _DOUBT),
    _package("companion/store", "companion/games", without=("companion/store/migrations/**/*.py",)),
    _package("companion/reading"),
    _package(
        "companion/games", "companion/reading", "companion/store", "companion/cli", "companion/web"
    ),
    _package("companion/cli"),
)


@dataclass(frozen=True)
class Mutant:
    """A change to a module of a package: whether a test failed on it, or else types refuse it."""

    package: str
    module: str
    kind: str
    change: str
    killed: bool
    refused: bool = False

    @property
    def lives(self) -> bool:
        """Nothing that ``make test`` runs has noticed it."""
        return not (self.killed or self.refused)

    @property
    def reason(self) -> str:
        """Why it may live; empty where nobody has said so."""
        return reason_of(self.module, self.change)


@dataclass(frozen=True)
class Counted:
    """How many changes there are in a package, and those that were tried."""

    package: str
    number: int
    mutants: tuple[Mutant, ...]


_LONGEST = 400


def report(counted: Sequence[Counted]) -> str:
    """Markdown: by package, by kind, by module, and every change that nothing noticed."""
    mutants = [mutant for each in counted for mutant in each.mutants]
    packages = [(each.package, each.number, *_figures(each.mutants)) for each in counted]
    living = [mutant for mutant in mutants if mutant.lives]
    lists = [
        f"\n### {name}\n\n"
        + markdown(
            ("kind", "change", "why it may live"),
            [(m.kind, _code(m.change), m.reason) for m in living if m.module == name],
        )
        for name in dict.fromkeys(mutant.module for mutant in living)
    ]
    return (
        f"# What breaks unnoticed\n\n{provenance()}.\n\n"
        "One change at a time; noticed is one with which a quick test of the package fails, or the "
        "tests need several times as long, or which mypy refuses, as `make test` runs both. Where "
        "fewer were tried than there are, they were drawn at random; the interval is Wilson's, "
        "95 %. What lives for a reason that is named below changes nothing that could be seen: it "
        "is harmless. Left alone: annotations, type aliases, docstrings, imports, `__all__`, "
        "decorators, `len` and `isinstance`.\n\n"
        + markdown(("package", "there are", *_HEAD), packages)
        + "\n## By kind of change\n\n"
        + _by(mutants, lambda mutant: mutant.kind)
        + "\n## By module\n\n"
        + _by(mutants, lambda mutant: mutant.module)
        + "\n## Not noticed\n"
        + "".join(lists)
    )


_HEAD = ("tried", "by a test", "by types", "share", "interval", "harmless", "share of the rest")


def _by(mutants: Sequence[Mutant], key: Callable[[Mutant], str]) -> str:
    names = sorted({key(mutant) for mutant in mutants})
    rows = [(name, *_figures([each for each in mutants if key(each) == name])) for name in names]
    return markdown(("", *_HEAD), rows)


def _figures(mutants: Sequence[Mutant]) -> tuple[object, ...]:
    if not mutants:
        return 0, 0, 0, "–", "–", 0, "–"
    killed = sum(mutant.killed for mutant in mutants)
    noticed = sum(not mutant.lives for mutant in mutants)
    harmless = sum(bool(mutant.reason) and mutant.lives for mutant in mutants)
    low, high = wilson(noticed, len(mutants))
    share, rest = (
        f"{100 * noticed / number:.1f} %" if number else "–"
        for number in (len(mutants), len(mutants) - harmless)
    )
    return (
        len(mutants),
        killed,
        noticed - killed,
        share,
        f"{100 * low:.0f} to {100 * high:.0f} %",
        harmless,
        rest,
    )


def wilson(successes: int, tried: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval for a share (Wilson 1927), by default of 95 %."""
    share, square = successes / tried, z * z / tried
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / tried + square / (4 * tried)) / (1 + square)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _code(change: str) -> str:
    short = change if len(change) <= _LONGEST else change[:_LONGEST] + " …"
    return "`" + short.replace("|", "\\|").replace("`", "'") + "`"
