"""The rooms whose code is changed, the tests that must notice, and why some changes may live."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["ROOMS", "Mutant", "Room"]


@dataclass(frozen=True)
class Room:
    """Modules, as patterns of paths, and the tests that run against a change in any of them.

    ``settings`` tells whether the defaults of settings are changed by a twentieth as well.
    """

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    settings: bool = False

    def paths(self, root: Path) -> list[Path]:
        """The modules of the room below a folder, relative to it."""
        found = {path for pattern in self.modules for path in root.glob(pattern)}
        return sorted(path.relative_to(root) for path in found)


def _scorer(game: str) -> Room:
    return Room(f"scorer/{game}", (f"scorer/{game}/**/*.py",), (f"tests/scorer/{game}",))


_JUDGING = "vision/kingdomino"
ROOMS = (
    Room(
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
    Room(
        f"{_JUDGING}: choose, judgement, probabilities, settle",
        (
            f"{_JUDGING}/choose.py",
            f"{_JUDGING}/judgement.py",
            f"{_JUDGING}/probabilities.py",
            f"{_JUDGING}/settle/*.py",
        ),
        (
            f"tests/{_JUDGING}/test_choose.py",
            f"tests/{_JUDGING}/test_judgement.py",
            f"tests/{_JUDGING}/test_probabilities.py",
            f"tests/{_JUDGING}/test_giants.py",
            f"tests/{_JUDGING}/settle",
        ),
        settings=True,
    ),
)

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
    (r"ValueError", "the wording of an exception that tells a programmer"),
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
        """Why it may live, as far as the kind of its change tells; empty where it may not."""
        found = [why for pattern, why in _REASONS if re.search(pattern, self.change)]
        return found[0] if found else ""
