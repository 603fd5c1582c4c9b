"""From a photograph to its kingdoms."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from scorer.kingdomino import Kingdom, Square
from vision.classify import plain_reading, square_classifier
from vision.errors import PhotoError
from vision.grid import Grid, GridSettings, read_grid
from vision.labels import EMPTY
from vision.locate import LocateSettings, locate
from vision.network import load_network
from vision.photo import Photo, PhotoSettings, decode
from vision.reading import KingdomReading, PhotoReading, SquareReading

__all__ = ["ReadSettings", "read_kingdoms"]


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps; ``sure`` is the probability below which a square is flagged."""

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    grid: GridSettings = field(default_factory=GridSettings)
    sure: float = 0.9


class _Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + spent


def read_kingdoms(
    source: bytes | str | os.PathLike[str], settings: ReadSettings | None = None
) -> PhotoReading:
    """Read all kingdoms of a photograph, given its bytes or its path, largest first.

    PhotoError with the code no_kingdom where none is in it, and with the codes of
    ``vision.photo.decode`` where there is no picture to read.
    """
    settings = settings or ReadSettings()
    clock = _Clock()
    with clock.step("decode"):
        photo = decode(source, settings.photo)
    with clock.step("locate"):
        cells, lattices = locate(photo.rgb, load_network("locator"), settings.locate)
    with clock.step("classify"):
        grids = [
            read_grid(photo.rgb, cells, lattice, square_classifier(), settings.grid)
            for lattice in lattices
        ]
    with clock.step("settle"):
        readings = [_reading(grid, photo, settings) for grid in grids if grid.occupied]
    if not readings:
        raise PhotoError("no_kingdom")
    readings.sort(key=lambda reading: -_count(reading.kingdom))
    return PhotoReading(tuple(readings), photo.width, photo.height, clock.seconds)


def _count(kingdom: Kingdom) -> int:
    return sum(not square.is_empty for row in kingdom.rows for square in row)


def _reading(grid: Grid, photo: Photo, settings: ReadSettings) -> KingdomReading:
    rows, columns = zip(*grid.occupied, strict=True)
    top, left = min(rows), min(columns)
    lattice = grid.lattice.moved(top, left)
    squares = []
    for row in range(top, max(rows) + 1):
        line = []
        for column in range(left, max(columns) + 1):
            cell = (row, column)
            line.append(_square(grid, cell, settings))
        squares.append(tuple(line))
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in line) for line in squares))
    # Pixels of the reduced picture become pixels of the photograph, whose middles have halves.
    grow = 1 / photo.scale
    full = np.array([[grow, 0, (grow - 1) / 2], [0, grow, (grow - 1) / 2], [0, 0, 1]])
    return KingdomReading(kingdom, tuple(squares), full @ lattice.homography)


def _square(grid: Grid, cell: tuple[int, int], settings: ReadSettings) -> SquareReading:
    found = grid.probabilities.get(cell)
    if found is None:
        return SquareReading(EMPTY, 1.0)
    plain = plain_reading(found)
    if cell not in grid.occupied and plain.label != EMPTY:
        doubtful = plain.probability > 0.5
        return SquareReading(EMPTY, 1 - plain.probability, plain.label, doubtful)
    return SquareReading(
        plain.label, plain.probability, plain.runner_up, plain.probability < settings.sure
    )
