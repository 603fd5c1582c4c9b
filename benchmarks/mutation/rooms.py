"""The rooms whose code is changed, and the tests that must notice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.mutation.reasons import reason_of

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
            f"{_JUDGING}/select_groups.py",
            f"{_JUDGING}/judgement.py",
            f"{_JUDGING}/probabilities.py",
            f"{_JUDGING}/settle/*.py",
        ),
        (
            f"tests/{_JUDGING}/test_choose.py",
            f"tests/{_JUDGING}/test_select_groups.py",
            f"tests/{_JUDGING}/test_judgement.py",
            f"tests/{_JUDGING}/test_probabilities.py",
            f"tests/{_JUDGING}/settle",
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
