"""The packages whose code is changed, the tests that must notice, reasons for what may live, and
the table.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.markdown_tables import markdown, provenance

__all__ = ["TARGETS", "Counted", "Mutant", "Target", "given_reasons", "reason_of", "report"]

GIVEN = Path(__file__).with_name("reasons.toml")

_REASONS = (
    (r"strict=", "the lengths are equal by construction; strict only says so"),
    (r"quick_probability", "only how soon an answer is found; it is proven against all labels"),
    (r"time_limit|monotonic|_LIMIT_S|CLOCK_EVERY", "a limit of time, not an outcome"),
    (r"^if options |^options \+= 1", "only in which order the search goes on"),
    (r"astype|np\.asarray|dtype", "the values are of that type already"),
    (r'"INF"', "Python reads both as infinity"),
    (r"self\.points <= 1", "no multiple of five lies between"),
    (r"if columns else 1", "a kingdom without squares is too wide neither way"),
    (r"board\.castle is None\) and False", "both callers have made sure of a castle"),
    (r"^_[A-Z][a-z]\w* = .+ → _[A-Z]\w+ = None$", "a name for types, which only checkers read"),
    (r"ValueError", "the wording of an exception that tells a programmer"),
)
"""Reasons for kinds of changes, by a pattern of what is written ``before → after``."""


@cache
def given_reasons() -> dict[tuple[str, str], str]:
    """The reasons of single changes, by module and ``before → after``, from ``reasons.toml``."""
    told = tomllib.loads(GIVEN.read_text(encoding="utf-8"))
    return {
        (module, each["change"]): each["reason"]
        for module, changes in told.items()
        for each in changes
    }


def reason_of(module: str, change: str) -> str:
    """Why a change of a module may live; empty where nobody has said so."""
    given = given_reasons().get((module, change))
    if given is not None:
        return given
    return next((why for pattern, why in _REASONS if re.search(pattern, change)), "")


@dataclass(frozen=True)
class Target:
    """Modules, as patterns of paths, and the tests that run against a change in any of them.

    ``settings`` tells whether the defaults of settings are changed by a twentieth as well.
    """

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    settings: bool = False

    def paths(self, root: Path) -> list[Path]:
        """The modules of the target below a folder, relative to it."""
        found = {path for pattern in self.modules for path in root.glob(pattern)}
        return sorted(path.relative_to(root) for path in found)


def _scorer(game: str) -> Target:
    return Target(f"scorer/{game}", (f"scorer/{game}/**/*.py",), (f"tests/scorer/{game}",))


_JUDGING = "vision/kingdomino"
TARGETS = (
    Target(
        "scorer/errors",
        ("scorer/errors.py",),
        tuple(
            f"tests/scorer/{game}/test_errors.py"
            for game in ("kingdomino", "pip_dominoes", "domino_duell")
        ),
    ),
    _scorer("kingdomino"),
    _scorer("pip_dominoes"),
    _scorer("domino_duell"),
    Target(
        f"{_JUDGING}: choose, judgement, probabilities, settle",
        (
            f"{_JUDGING}/kingdoms/choose.py",
            f"{_JUDGING}/kingdoms/pairing.py",
            f"{_JUDGING}/judge/judgement.py",
            f"{_JUDGING}/judge/settling.py",
            f"{_JUDGING}/labels.py",
        ),
        (
            f"tests/{_JUDGING}/kingdoms/test_choose.py",
            f"tests/{_JUDGING}/judge/test_judgement.py",
            f"tests/{_JUDGING}/test_labels.py",
            f"tests/{_JUDGING}/judge/test_settling.py",
            f"tests/{_JUDGING}/kingdoms/test_pairing.py",
        ),
        settings=True,
    ),
)


@dataclass(frozen=True)
class Mutant:
    """A change to a module of a room, and whether a test failed on it."""

    room: str
    module: str
    kind: str
    change: str
    killed: bool

    @property
    def reason(self) -> str:
        """Why it may live; empty where nobody has said so."""
        return reason_of(self.module, self.change)


_LONGEST = 400


@dataclass(frozen=True)
class Counted:
    """The changes of one kind in a room: how many there are, and those that were tried."""

    room: str
    kind: str
    number: int
    mutants: tuple[Mutant, ...]


def report(counted: Sequence[Counted]) -> str:
    """Markdown: by room and kind, by module, and every change that nothing noticed."""
    mutants = [mutant for each in counted for mutant in each.mutants]
    by_room = [
        (each.room, each.kind, each.number, *_figures(each.mutants)) for each in counted
    ] + [
        (f"**{room}**", "all", sum(each.number for each in counted if each.room == room),
         *_figures([mutant for mutant in mutants if mutant.room == room]))
        for room in dict.fromkeys(each.room for each in counted)
    ]  # fmt: skip
    modules = dict.fromkeys(mutant.module for mutant in mutants)
    by_module = [
        (name, *_figures([mutant for mutant in mutants if mutant.module == name]))
        for name in modules
    ]
    living = [mutant for mutant in mutants if not mutant.killed]
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
        "One change at a time; noticed is one with which a test of the room fails, or the tests "
        "need five times as long. Where fewer were tried than there are, they were drawn at "
        "random. Left alone: annotations, type aliases, docstrings, imports, `__all__`, "
        "decorators, `len` and `isinstance`.\n\n"
        + markdown(("room", "changes", "there are", "tried", "noticed", "share"), by_room)
        + "\n## By module\n\n"
        + markdown(("module", "tried", "noticed", "share"), by_module)
        + "\n## Not noticed\n"
        + "".join(lists)
    )


def _figures(mutants: Sequence[Mutant]) -> tuple[object, ...]:
    killed = sum(mutant.killed for mutant in mutants)
    share = f"{100 * killed / len(mutants):.1f} %" if mutants else "–"
    return len(mutants), killed, share


def _code(change: str) -> str:
    short = change if len(change) <= _LONGEST else change[:_LONGEST] + " …"
    return "`" + short.replace("|", "\\|").replace("`", "'") + "`"
