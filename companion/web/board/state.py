"""What goes down to the board: the kingdom, its score, and what the photo gave."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from companion.web.board.frame import AS_READ, Frame
from scorer.kingdomino import Bonus, Kingdom, Position, Score

__all__ = [
    "BoardBonus",
    "BoardPhoto",
    "BoardReading",
    "BoardScore",
    "BoardState",
    "BoardStep",
    "ReadSquare",
]


class _Read(Protocol):
    """A square as the reader gives it."""

    @property
    def label(self) -> str: ...
    @property
    def runner_up(self) -> str | None: ...
    @property
    def doubtful(self) -> bool: ...


class _Reading(Protocol):
    """A kingdom as the reader gives it."""

    @property
    def squares(self) -> Sequence[Sequence[_Read]]: ...
    @property
    def homography(self) -> Any: ...


@dataclass(frozen=True)
class BoardPhoto:
    """The photo that lies under the board: its address and its size in pixels."""

    url: str
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"photo: expected a size from 1×1, got {self.width}×{self.height}")


@dataclass(frozen=True)
class ReadSquare:
    """What was read on a square, the next best label, and whether a person should look.

    ``why`` says in the person's language what makes it doubtful, "" where it is the label alone.
    """

    label: str
    runner_up: str | None = None
    doubtful: bool = False
    why: str = ""


@dataclass(frozen=True)
class BoardReading:
    """What the photo gave, row by row, and where the lattice lies on it.

    ``homography`` are nine numbers, row by row, that map lattice points (x = column, y = row) to
    pixels of the photo.
    """

    squares: tuple[tuple[ReadSquare, ...], ...]
    homography: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.homography) != 9:
            raise ValueError(f"homography: expected 9 numbers, got {len(self.homography)}")

    @classmethod
    def of(cls, reading: _Reading) -> Self:
        """What a ``KingdomReading`` of the reader says, as far as the board shows it."""
        squares = tuple(
            tuple(ReadSquare(each.label, each.runner_up, bool(each.doubtful)) for each in row)
            for row in reading.squares
        )
        return cls(squares, tuple(float(value) for row in reading.homography for value in row))


@dataclass(frozen=True)
class BoardBonus:
    """A bonus in the words of the reader's language, and the squares that earned it."""

    name: str
    points: int
    squares: tuple[Position, ...] = ()


@dataclass(frozen=True)
class BoardScore:
    """The points of the kingdom that is sent with it; territories the board counts itself."""

    points: int
    bonuses: tuple[BoardBonus, ...] = ()

    @classmethod
    def of(cls, score: Score, name_of: Callable[[Bonus], str]) -> Self:
        """A score with its bonuses named."""
        bonuses = (BoardBonus(name_of(each), each.points, each.squares) for each in score.bonuses)
        return cls(score.points, tuple(bonuses))


@dataclass(frozen=True)
class BoardStep:
    """A kingdom as it was, what a person had settled in it, and where it lay on the photo."""

    kingdom: Kingdom
    settled: frozenset[Position] = frozenset()
    frame: Frame = AS_READ

    def to_data(self) -> dict[str, Any]:
        """As it goes down to the board."""
        marks = (str(int(place in self.settled)) for place, _ in self.kingdom.items())
        return {
            "kingdom": self.kingdom.format(),
            "settled": "".join(marks),
            "frame": [self.frame.turns, self.frame.row, self.frame.column],
        }


@dataclass(frozen=True)
class BoardState:
    """All that the board shows.

    ``settled`` are the squares that a person set or confirmed; ``frame`` tells where the kingdom
    lies on the lattice of ``reading``; ``revision`` counts the changes that the store knows of.
    ``title`` and ``colour`` (of the castle, as the reader names it) are shown beside the points,
    ``notice`` is a sentence about what went wrong; with ``sets_corners`` a board that is new on its
    page begins with its corners being set.
    """

    kingdom: Kingdom
    revision: int = 0
    score: BoardScore | None = None
    photo: BoardPhoto | None = None
    reading: BoardReading | None = None
    settled: frozenset[Position] = frozenset()
    frame: Frame = AS_READ
    title: str | None = None
    colour: str | None = None
    notice: str | None = None
    sets_corners: bool = False

    def dossier(self, words: Mapping[str, str]) -> dict[str, Any]:
        """The part that changes rarely and is sent once, with an ``id`` of its content."""
        content = {
            "words": dict(words),
            "photo": vars(self.photo) if self.photo else None,
            "reading": self.reading
            and {
                "homography": list(self.reading.homography),
                "rows": [
                    [
                        {
                            "label": each.label,
                            "runnerUp": each.runner_up,
                            "doubtful": each.doubtful,
                            **({"why": each.why} if each.why else {}),
                        }
                        for each in row
                    ]
                    for row in self.reading.squares
                ],
            },
        }
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return {"id": digest[:16], **content}

    def message(self, answers: tuple[str, int] | None, dossier_id: str) -> dict[str, Any]:
        """The part that is sent each time; ``answers`` is the client and number it answers.

        What there is none of is left out.
        """
        score = self.score and {
            "points": self.score.points,
            "bonuses": [
                {"name": each.name, "points": each.points, "squares": list(map(list, each.squares))}
                for each in self.score.bonuses
            ],
        }
        message = {
            **BoardStep(self.kingdom, self.settled, self.frame).to_data(),
            "revision": self.revision,
            "answers": answers and {"client": answers[0], "seq": answers[1]},
            "score": score,
            "notice": self.notice,
            "title": self.title,
            "colour": self.colour,
            "dossierId": dossier_id,
            "setsCorners": self.sets_corners or None,
        }
        return {name: value for name, value in message.items() if value is not None}
