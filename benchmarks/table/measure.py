"""One photograph of the table composed, read and judged, in this process or in workers."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from benchmarks.table.conditions import CONDITIONS, Bench
from benchmarks.table.judge import Verdict, judge
from benchmarks.table.sheets import load_kingdoms
from vision import PhotoError, PhotoReading
from vision.kingdomino.reader import Reader
from vision.kingdomino.training.corpus import Corpus, read_rgb
from vision.kingdomino.weights import Weights

__all__ = ["Measured", "Store", "Task", "Workshop", "measure_all", "read_or_none"]

QUALITY = 90
# Every so many of the pictures of tables is enough.
SURFACE_STEP = 9


@dataclass(frozen=True)
class Workshop:
    """Where pictures come from; ``wrong`` is a folder for what was not exact.

    ``commit`` tells measurements of one state of the code from those of another.
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
    """What became of the kingdoms of one photograph; ``ms`` are those of a processor."""

    sheet: str
    verdicts: tuple[Verdict, ...]
    ms: float


@cache
def _bench(data: Path) -> Bench:
    cv2.setNumThreads(1)
    surfaces = [read_rgb(path) for path in Corpus(data).backgrounds()[::SURFACE_STEP]]
    return Bench(load_kingdoms(data), surfaces)


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


def _measure(workshop: Workshop, task: Task) -> Measured:
    whole = _bench(workshop.data)
    kingdoms = [sheet for sheet in whole.kingdoms if sheet.name in task.names]
    bench = Bench(kingdoms, whole.surfaces)
    sheet = next(sheet for sheet in kingdoms if sheet.name == task.sheet)
    place = list(CONDITIONS).index(task.condition)
    rng = np.random.default_rng([workshop.seed, place, task.number])
    photograph = CONDITIONS[task.condition](bench, sheet, rng)
    bgr = cv2.cvtColor(photograph.rgb, cv2.COLOR_RGB2BGR)
    _, coded = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    reader = _reader(task.weights)
    started = time.process_time()
    reading = read_or_none(reader, coded.tobytes())
    spent = 1000 * (time.process_time() - started)
    verdicts = tuple(judge(photograph, reading))
    if workshop.wrong and not all(v.exact for v in verdicts):
        kind = "silent" if any(v.silent for v in verdicts) else "wrong"
        workshop.wrong.mkdir(parents=True, exist_ok=True)
        name = f"{place:02d} {task.condition} {task.number:02d} {kind}.jpg"
        (workshop.wrong / name).write_bytes(coded.tobytes())
    return Measured(sheet.name, verdicts, spent)


class Store:
    """Measurements kept in a file of JSON lines, so that a run that was cut short goes on.

    Those of another state of the code, of other pictures or another seed are not found again.
    """

    def __init__(self, path: Path | None, workshop: Workshop) -> None:
        self._path, self._workshop = path, workshop
        self._found: dict[str, Measured] = {}
        if path and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                verdicts = tuple(
                    Verdict(**{**verdict, "warnings": tuple(verdict["warnings"])})
                    for verdict in record["verdicts"]
                )
                self._found[record["key"]] = Measured(record["sheet"], verdicts, record["ms"])

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
    workshop: Workshop, tasks: Iterable[Task], jobs: int, store: Store
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
    workshop: Workshop, tasks: list[Task], jobs: int
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
