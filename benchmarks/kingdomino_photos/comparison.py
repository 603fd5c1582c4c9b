"""Labelled pictures read, held against their ground truth, and reported in Markdown, failures
included.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, reliability, thresholds
from scorer.kingdomino import Kingdom, Position, score
from training.kingdomino.corpus import LabelledKingdom, LabelledSquare, held_out_sessions
from vision import PhotoError, ReadSettings
from vision.common.geometry import PATCH_PX
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import (
    CASTLE_COLOURS,
    SURE,
    KingdomReading,
    PhotoReading,
    SquareReading,
)
from vision.kingdomino.weights import Weights

# A lattice counts as located if this share of its squares has the right terrain.
LOCATED_SHARE = 0.75


@dataclass(frozen=True)
class Comparison:
    """How much of a kingdom was read right.

    ``squares`` counts the cells that are occupied in the ground truth or in the reading, ``right``
    those with the same label in both. ``turned`` is the number of clockwise quarter turns that
    align the reading with the ground truth. ``confidences`` has for each cell the probability of
    its label and whether that is right.
    """

    located: bool
    squares: int
    right: int
    score_right: bool
    flagged: int
    wrong_flagged: int
    wrong_unflagged: int
    turned: int
    confidences: tuple[tuple[float, bool], ...]

    @property
    def kingdom_right(self) -> bool:
        """Whether every square is right."""
        return self.right == self.squares


def compare_unread(truth: Kingdom) -> Comparison:
    """The comparison for a kingdom that was not read at all."""
    squares = sum(not square.is_empty for _, square in truth.items())
    return Comparison(False, squares, 0, False, 0, 0, 0, 0, ())


def _terrain(label: str) -> str:
    return label[0]


def _placings(
    truth: Kingdom, reading: KingdomReading
) -> Iterator[tuple[int, dict[Position, SquareReading]]]:
    """The quarter turns and the squares of a reading in all places where it meets the truth."""
    rows = reading.squares
    for turn in range(4):
        height, width = len(rows), len(rows[0])
        for down in range(-height + 1, truth.height):
            for right in range(-width + 1, truth.width):
                placed = {
                    (r + down, c + right): square
                    for r, row in enumerate(rows)
                    for c, square in enumerate(row)
                }
                yield turn, placed
        rows = tuple(zip(*rows[::-1], strict=True))


def compare(truth: Kingdom, reading: KingdomReading) -> Comparison:
    """Compare at the quarter turn and offset at which reading and ground truth agree best."""
    labels = {cell: str(square) for cell, square in truth.items() if not square.is_empty}

    def agreement(placing: tuple[int, dict[Position, SquareReading]]) -> int:
        return sum(
            2 * (square.label == labels.get(cell, "."))
            + (_terrain(square.label) == _terrain(labels.get(cell, ".")))
            for cell, square in placing[1].items()
            if square.label != "." or cell in labels
        )

    turn, placed = max(_placings(truth, reading), key=agreement)
    places = set(labels) | {cell for cell, s in placed.items() if s.label != "." or s.doubtful}
    missing = SquareReading(".", 1.0)
    right = wrong_flagged = wrong_unflagged = counted = terrains = 0
    confidences = []
    for cell in places:
        square, label = placed.get(cell, missing), labels.get(cell, ".")
        terrains += cell in labels and _terrain(square.label) == _terrain(label)
        same = square.label == label
        confidences.append((square.probability, same))
        if label == "." and square.label == ".":
            continue
        counted += 1
        right += same
        wrong_flagged += not same and square.doubtful
        wrong_unflagged += not same and not square.doubtful
    return Comparison(
        located=terrains >= LOCATED_SHARE * len(labels),
        squares=counted,
        right=right,
        score_right=score(reading.kingdom).points == score(truth).points,
        flagged=len(reading.doubtful),
        wrong_flagged=wrong_flagged,
        wrong_unflagged=wrong_unflagged,
        turned=turn,
        confidences=tuple(confidences),
    )


class InSession(Protocol):
    """A picture that shares its ``session`` with its near-duplicates."""

    @property
    def session(self) -> str: ...


Picture = TypeVar("Picture", bound=InSession)


@dataclass(frozen=True)
class PhotoResult:
    """A photograph with its reading or the code of the error.

    ``comparison`` compares its largest kingdom with the ground truth, if it shows a kingdom.
    """

    picture: LabelledKingdom
    reading: PhotoReading | None = None
    error: str | None = None
    comparison: Comparison | None = None

    @property
    def silent(self) -> bool:
        """Whether one of its kingdoms has no flagged square."""
        return self.reading is not None and not all(k.doubtful for k in self.reading.kingdoms)


@dataclass(frozen=True)
class SquareResult:
    """A single square with its reading and the probabilities of the castle colours."""

    picture: LabelledSquare
    reading: SquareReading
    colours: dict[str, float] = field(default_factory=dict)


def cross_validation_parts(
    pictures: Sequence[Picture], data: Path, weights: Sequence[Path]
) -> Iterator[tuple[Weights, list[Picture]]]:
    """Of each part of a cross-validation the weights and the pictures they were not trained on.

    The k-th of the n folders in ``weights`` is from a training with ``--hold-out k/n`` on the
    folder ``data``.
    """
    parts = held_out_parts(pictures, data, len(weights))
    for folder, unseen in zip(weights, parts, strict=True):
        yield Weights.load(folder), unseen


def held_out_parts(pictures: Sequence[Picture], data: Path, folds: int) -> Iterator[list[Picture]]:
    """The pictures whose sessions each part of a cross-validation on the folder holds out."""
    for fold in range(folds):
        sessions = held_out_sessions(data, fold, folds)
        yield [picture for picture in pictures if picture.session in sessions]


def read_photos(
    pictures: Sequence[LabelledKingdom], read: Callable[[Path], PhotoReading]
) -> list[PhotoResult]:
    """Read every photograph; one that can't be read is a result with an error."""
    results = []
    for picture in pictures:
        try:
            reading = read(picture.path)
        except PhotoError as error:
            lost = compare_unread(picture.kingdom) if picture.kingdom else None
            results.append(PhotoResult(picture, None, error.code, lost))
            continue
        compared = compare(picture.kingdom, reading.kingdoms[0]) if picture.kingdom else None
        results.append(PhotoResult(picture, reading, None, compared))
    return results


def read_squares(pictures: Sequence[LabelledSquare], reader: Reader) -> list[SquareResult]:
    """Read every single square."""
    images = [np.asarray(cv2.imread(str(p.path), cv2.IMREAD_COLOR_RGB), np.uint8) for p in pictures]
    patches = [np.asarray(cv2.resize(image, (PATCH_PX, PATCH_PX)), np.uint8) for image in images]
    _, colours = reader.weights.classifier.probabilities(
        np.array(patches, np.uint8).reshape(-1, PATCH_PX, PATCH_PX, 3)
    )
    return [
        SquareResult(picture, reading, dict(zip(CASTLE_COLOURS, map(float, row), strict=True)))
        for picture, reading, row in zip(pictures, reader.classify(images), colours, strict=True)
    ]


STEPS = ("decode", "locate", "classify", "settle")
PHOTO_HEAD = (
    "photo", "located", "error", "squares right", "kingdom right", "score right", "flagged",
    "wrong flagged", "wrong not flagged", "turned by", "kingdoms", "ms " + " ".join(STEPS),
)  # fmt: skip
TOTALS_HEAD = (
    "photos", "located", "squares right", "kingdoms right", "scores right", "flagged, mean",
    "wrong, not flagged", "kingdoms wrong with nothing flagged",
)  # fmt: skip


def _yes(value: bool) -> str:
    return "yes" if value else "**no**"


def _row(result: PhotoResult) -> tuple[object, ...]:
    """The row of a photograph; a dash where a column does not apply."""
    name, compared, reading = result.picture.path.name, result.comparison, result.reading
    if reading is None:
        if compared is None:
            return (name, "refused", result.error, *["–"] * 9)
        return (name, "**no**", result.error, f"0/{compared.squares}", *["–"] * 8)
    times = " ".join(f"{1000 * reading.seconds.get(step, 0.0):.0f}" for step in STEPS)
    if compared is None:
        flagged = sum(len(kingdom.doubtful) for kingdom in reading.kingdoms)
        silent = f"{sum(not kingdom.doubtful for kingdom in reading.kingdoms)} kingdoms silent"
        read_as, dashes = str(reading.kingdoms[0].kingdom), ["–"] * 3
        count = len(reading.kingdoms)
        return (name, "read", read_as, *dashes, flagged, "–", silent, "–", count, times)
    return (
        name,
        _yes(compared.located),
        "",
        f"{compared.right}/{compared.squares}",
        _yes(compared.kingdom_right),
        _yes(compared.score_right),
        compared.flagged,
        compared.wrong_flagged,
        compared.wrong_unflagged,
        90 * compared.turned,
        len(reading.kingdoms),
        times,
    )


def totals(found: Sequence[Comparison]) -> tuple[object, ...]:
    """The totals of the comparisons, in the order of ``TOTALS_HEAD``."""
    squares = sum(c.squares for c in found)
    right = sum(c.right for c in found)
    return (
        len(found),
        sum(c.located for c in found),
        f"{right}/{squares} = {100 * right / max(squares, 1):.2f} %",
        sum(c.kingdom_right for c in found),
        sum(c.score_right for c in found),
        f"{np.mean([c.flagged for c in found]):.2f}",
        sum(c.wrong_unflagged for c in found),
        sum(not c.kingdom_right and not c.flagged for c in found),
    )


def kingdoms_report(results: Sequence[PhotoResult]) -> str:
    """A row per photograph, totals by group and overall, castle colours, reliability and times."""
    text = markdown(PHOTO_HEAD, map(_row, results))
    groups: dict[str, list[Comparison]] = defaultdict(list)
    for result in results:
        if result.comparison is not None:
            groups[result.picture.group].append(result.comparison)
    everything = [c for group in groups.values() for c in group]
    if everything:
        lines = [(name, *totals(found)) for name, found in groups.items()]
        text += "\n" + markdown(("group", *TOTALS_HEAD), [*lines, ("**all**", *totals(everything))])
    without = [result for result in results if result.picture.kingdom is None]
    if without:
        silent = sum(result.silent for result in without)
        text += f"\nWithout a kingdom: {len(without)} pictures, {silent} read in silence.\n"
    colours = [
        (result.picture.castle_colour, result.reading.kingdoms[0].castle_colour)
        for result in results
        if result.picture.castle_colour and result.reading is not None
    ]
    if colours:
        text += "\n" + _colours_line(colours)
    confidences = [pair for c in everything for pair in c.confidences]
    if confidences:
        text += "\n" + reliability(confidences)
        text += "\n" + thresholds(confidences, len(everything))
        text += f"\nBy its probability alone a square is flagged below {SURE}.\n"
    spent = {
        step: [r.reading.seconds.get(step, 0.0) for r in results if r.reading is not None]
        for step in STEPS
    }
    medians = [f"{step} {1000 * float(np.median(v)):.0f}" for step, v in spent.items() if v]
    return text + f"\nMilliseconds, median: {', '.join(medians)}.\n"


def _colours_line(colours: Sequence[tuple[str, str | None]]) -> str:
    """How often the castle colour was named right, wrong or not at all."""
    right = sum(named == true for true, named in colours)
    unnamed = sum(named is None for _, named in colours)
    wrong = Counter(
        f"{true} as {named}" for true, named in colours if named is not None and named != true
    )
    listed = ", ".join(f"{what} {count}" for what, count in sorted(wrong.items())) or "none"
    return (
        f"Castles' colours: {right} of {len(colours)} named rightly, {unnamed} left open; "
        f"named wrongly: {listed}.\n"
    )


def squares_report(results: Sequence[SquareResult], settings: ReadSettings) -> str:
    """Accuracy by label and by session, the errors, castle colours and reliability."""
    by_label: dict[str, list[bool]] = defaultdict(list)
    by_session: dict[str, list[bool]] = defaultdict(list)
    wrong: list[tuple[object, ...]] = []
    for result in results:
        picture, reading = result.picture, result.reading
        same = reading.label == picture.label
        by_label[picture.label].append(same)
        by_session[picture.session].append(same)
        if not same:
            told = reading.label, f"{reading.probability:.3f}", reading.runner_up
            wrong.append((picture.path.name, picture.label, *told))
    everything = [same for found in by_label.values() for same in found]

    def rows(groups: dict[str, list[bool]]) -> list[tuple[object, ...]]:
        return [
            (name, len(found), sum(found), f"{100 * np.mean(found):.2f} %")
            for name, found in sorted(groups.items())
        ]

    whole = rows({"**all**": everything})
    text = markdown(("label", "squares", "right", "share"), rows(by_label) + whole)
    text += "\n" + markdown(("session", "squares", "right", "share"), rows(by_session))
    text += "\n" + markdown(("wrong", "label", "read as", "probability", "runner-up"), wrong)
    colours = []
    for result in results:
        if result.picture.castle_colour:
            best = max(result.colours, key=lambda name: result.colours[name])
            named = best if result.colours[best] >= settings.sure_colour else None
            colours.append((result.picture.castle_colour, named))
    if colours:
        text += "\n" + _colours_line(colours)
    pairs = [(r.reading.probability, r.reading.label == r.picture.label) for r in results]
    return text + "\n" + reliability(pairs)
