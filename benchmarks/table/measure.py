"""One photograph of the table composed, read and judged place by place, in this process or in
workers.
"""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from benchmarks.kingdomino_photos.comparison import held_out_parts
from training.kingdomino.corpus import sessions_of_fold
from training.kingdomino.table.conditions import (
    CONDITIONS,
    Photograph,
    PictureSource,
    coded,
    load_pictures,
)
from training.kingdomino.table.scenes import Truth, load_kingdoms
from vision import PhotoError
from vision.common.geometry import project
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.kingdomino.weights import Weights


@dataclass(frozen=True)
class Verdict:
    """What became of one kingdom.

    ``wrong`` squares are visible ones read otherwise or not at all, and squares read where none
    of this kingdom lies; those of a refused picture are covered by the refusal, so that none is
    ``unflagged``. ``silent`` is one wrong with no flagged square and no warning.
    """

    read: bool
    refused: bool
    squares: int
    hidden: int
    wrong: int
    unflagged: int
    hidden_unflagged: int
    flags: int
    warnings: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Every square that can be seen is right, and none is added."""
        return self.read and not self.wrong

    @property
    def silent(self) -> bool:
        """Wrong, with neither a doubt nor a warning."""
        untold = not self.flags and not self.warnings and not self.refused
        return untold and (bool(self.wrong or self.hidden_unflagged) or not self.read)


def find_places(truth: Truth, reading: KingdomReading) -> dict[tuple[int, int], tuple[int, int]]:
    """Which place of the reading each square of the truth lies on."""
    inverse = np.asarray(np.linalg.inv(reading.homography), np.float64)
    places = {}
    for cell in truth.labels:
        x, y = project(truth.middle(cell)[None], inverse)[0]
        places[cell] = (int(np.floor(y)), int(np.floor(x)))
    return places


def count_overlap(truth: Truth, reading: KingdomReading) -> int:
    """How many squares of the truth the reading has a square for."""
    taken = {place for place, square in reading.by_position.items() if square.label != "."}
    return sum(place in taken for place in find_places(truth, reading).values())


def judge(photograph: Photograph, reading: PhotoReading | None) -> list[Verdict]:
    """A verdict for each kingdom laid; ``reading`` is None where the picture was refused."""
    if reading is None:
        return [_unread(truth, refused=True) for truth in photograph.truths]
    truths, kingdoms, warnings = photograph.truths, reading.kingdoms, reading.warnings
    overlaps = {
        (i, j): count_overlap(truth, kingdom)
        for i, truth in enumerate(truths)
        for j, kingdom in enumerate(kingdoms)
    }
    mine: dict[int, int] = {}
    for i, j in sorted(overlaps, key=lambda pair: (overlaps[pair], pair), reverse=True):
        if overlaps[i, j] and i not in mine and j not in mine.values():
            mine[i] = j
    return [
        _verdict(truth, kingdoms[mine[i]], warnings) if i in mine else _unread(truth, warnings)
        for i, truth in enumerate(truths)
    ]


def find_phantoms(photograph: Photograph, reading: PhotoReading | None) -> list[KingdomReading]:
    """The kingdoms read that have no square where a kingdom was laid."""
    return [
        kingdom
        for kingdom in (reading.kingdoms if reading else ())
        if not any(count_overlap(truth, kingdom) for truth in photograph.truths)
    ]


def _unread(truth: Truth, warnings: tuple[str, ...] = (), *, refused: bool = False) -> Verdict:
    squares, hidden = len(truth.labels), len(truth.unseen)
    wrong = squares - hidden
    untold = (0, 0) if refused else (wrong, hidden)
    return Verdict(False, refused, squares, hidden, wrong, *untold, 0, warnings)


def _verdict(truth: Truth, reading: KingdomReading, photo_warnings: tuple[str, ...]) -> Verdict:
    squares, unseen = reading.by_position, truth.unseen
    wrong = unflagged = hidden_unflagged = 0
    taken = set()
    for cell, place in find_places(truth, reading).items():
        square = squares.get(place)
        right = square is not None and square.label == truth.labels[cell] and place not in taken
        untold = not right and not (square is not None and square.doubtful)
        taken.add(place)
        if cell in unseen:
            hidden_unflagged += untold
        else:
            wrong += not right
            unflagged += untold
    added = [s for place, s in squares.items() if s.label != "." and place not in taken]
    wrong += len(added)
    unflagged += sum(not square.doubtful for square in added)
    return Verdict(
        True, False, len(truth.labels), len(unseen), wrong, unflagged, hidden_unflagged,
        len(reading.doubtful), (*reading.warnings, *photo_warnings),
    )  # fmt: skip


@dataclass(frozen=True)
class MeasureSettings:
    """Where pictures come from; ``wrong`` is a folder for what was not exact.

    ``commit`` names the state of the code that was measured.
    """

    data: Path
    seed: int = 14
    wrong: Path | None = None
    commit: str = ""


@dataclass(frozen=True)
class Task:
    """The photograph ``number`` of a condition, of the kingdom ``sheet``.

    What else lies there is from the sheets with these ``names``. ``weights`` is the folder of those
    that read it, None for the shipped ones.
    """

    condition: str
    number: int
    sheet: str
    names: tuple[str, ...]
    weights: Path | None = None


@dataclass(frozen=True)
class Measured:
    """What became of the kingdoms of one photograph; ``ms`` are those of a processor.

    ``phantoms`` are kingdoms that were read where none lies, ``phantoms_unflagged`` those of them
    that neither a doubt nor a warning tells of.
    """

    sheet: str
    verdicts: tuple[Verdict, ...]
    ms: float
    phantoms: int = 0
    phantoms_unflagged: int = 0


@cache
def _reader(weights: Path | None) -> Reader:
    cv2.setNumThreads(1)
    return Reader(Weights.load(weights))


def read_or_none(reader: Reader, data: bytes) -> PhotoReading | None:
    """The reading of a picture, None where it is refused."""
    try:
        return reader.read(data)
    except PhotoError:
        return None


def _measure(workshop: MeasureSettings, task: Task) -> Measured:
    whole = load_pictures(workshop.data)
    kingdoms = [sheet for sheet in whole.kingdoms if sheet.name in task.names]
    bench = PictureSource(kingdoms, whole.surfaces)
    sheet = next(sheet for sheet in kingdoms if sheet.name == task.sheet)
    place = list(CONDITIONS).index(task.condition)
    rng = np.random.default_rng([workshop.seed, place, task.number])
    photograph = CONDITIONS[task.condition](bench, sheet, rng)
    data = coded(photograph)
    reader = _reader(task.weights)
    started = time.process_time()
    reading = read_or_none(reader, data)
    spent = 1000 * (time.process_time() - started)
    verdicts = tuple(judge(photograph, reading))
    if workshop.wrong and not all(v.exact for v in verdicts):
        kind = "silent" if any(v.silent for v in verdicts) else "wrong"
        workshop.wrong.mkdir(parents=True, exist_ok=True)
        name = f"{place:02d} {task.condition} {task.number:02d} {kind}.jpg"
        (workshop.wrong / name).write_bytes(data)
    phantoms = find_phantoms(photograph, reading)
    untold = sum(not k.doubtful and not k.warnings for k in phantoms)
    return Measured(sheet.name, verdicts, spent, len(phantoms), untold)


class Store:
    """Measurements kept in a file of JSON lines, so that a run that was cut short goes on.

    Those of another state of the code, of other pictures or another seed are not found again.
    """

    def __init__(self, path: Path | None, workshop: MeasureSettings) -> None:
        self._path, self._workshop = path, workshop
        self._found: dict[str, Measured] = {}
        if path and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                verdicts = tuple(
                    Verdict(**{**verdict, "warnings": tuple(verdict["warnings"])})
                    for verdict in record["verdicts"]
                )
                key = record.pop("key")
                self._found[key] = Measured(**{**record, "verdicts": verdicts})

    def _key(self, task: Task) -> str:
        workshop = self._workshop
        with_what = (workshop.commit, workshop.seed, str(task.weights or "shipped"))
        return json.dumps([*with_what, task.condition, task.number, task.sheet, task.names])

    def get(self, task: Task) -> Measured | None:
        """What was measured before."""
        return self._found.get(self._key(task))

    def put(self, task: Task, measured: Measured) -> None:
        """Keep a measurement."""
        self._found[self._key(task)] = measured
        if self._path is None:
            return
        record = {"key": self._key(task), **dataclasses.asdict(measured)}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def measure_all(
    workshop: MeasureSettings, tasks: Iterable[Task], jobs: int, store: Store
) -> dict[Task, Measured]:
    """Measure photographs with so many processes at once, those in the store excepted.

    The first of each condition go first, so that a run that is cut short has as many of each.
    """
    tasks = sorted(tasks, key=lambda task: task.number)
    waiting = [task for task in tasks if store.get(task) is None]
    for task, measured in _measure_each(workshop, waiting, jobs):
        store.put(task, measured)
    found = {task: store.get(task) for task in tasks}
    return {task: measured for task, measured in found.items() if measured is not None}


def _measure_each(
    workshop: MeasureSettings, tasks: list[Task], jobs: int
) -> Iterator[tuple[Task, Measured]]:
    if jobs < 2 or len(tasks) < 2:
        for task in tasks:
            yield task, _measure(workshop, task)
        return
    # A forked process would wait for threads of OpenCV that it does not have.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        futures = {pool.submit(_measure, workshop, task): task for task in tasks}
        for future in as_completed(futures):
            yield futures[future], future.result()


@dataclass(frozen=True)
class Part:
    """Kingdoms that share their weights; None are the shipped ones."""

    names: tuple[str, ...]
    weights: Path | None = None

    def tasks(self, condition: str, numbers: Iterable[int]) -> list[Task]:
        """The photographs with these numbers, each kingdom in its turn."""
        return [
            Task(condition, number, self.names[turn % len(self.names)], self.names, self.weights)
            for turn, number in enumerate(numbers)
        ]

    def without(self, names: Container[str]) -> Part:
        """The same without some kingdoms."""
        return Part(tuple(name for name in self.names if name not in names), self.weights)


def split(
    data: Path, weights: Path | None, folds: Sequence[Path], part: str | None = None
) -> list[Part]:
    """All kingdoms with the same weights, or of each fold those that it was not trained on.

    Of a ``part``, such as "0/3", those of its sessions alone.
    """
    sheets = load_kingdoms(data)
    if part:
        sessions = sessions_of_fold(data, part)
        sheets = [sheet for sheet in sheets if sheet.session in sessions]
    if not folds:
        return [Part(tuple(sheet.name for sheet in sheets), weights)]
    parts = held_out_parts(sheets, data, len(folds))
    return [
        Part(tuple(sheet.name for sheet in unseen), folder)
        for folder, unseen in zip(folds, parts, strict=True)
    ]
