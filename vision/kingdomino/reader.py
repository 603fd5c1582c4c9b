"""From a photograph to its kingdoms."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Position, Square
from vision.kingdomino.choose import (
    ChooseSettings,
    best_pass,
    choose_kingdoms,
    drop_patterns,
    further_long_sides,
    is_in_doubt,
    promising_lattices,
)
from vision.kingdomino.classify.framed import frame_grid
from vision.kingdomino.classify.grid import Grid, GridSettings, candidates, grown, read_members
from vision.kingdomino.classify.squares import read_squares
from vision.kingdomino.judgement import Judgement, JudgeSettings, Observation, judge
from vision.kingdomino.labels import CASTLE_COLOURS
from vision.kingdomino.locate.search import LocateSettings, locate
from vision.kingdomino.probabilities import BARE, EMPTY_AT
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.kingdomino.weights import Weights
from vision.photo import Photo, PhotoError, PhotoSettings, decode
from vision.photo.pixels import photo_of_pixels

__all__ = [
    "ReadSettings",
    "Reader",
    "classify_squares",
    "default_reader",
    "read_kingdoms",
    "settle_together",
]

Image = NDArray[np.uint8]
Source = bytes | str | os.PathLike[str] | Image | Photo


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps.

    A castle's colour is named from probability ``sure_colour`` on.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    grid: GridSettings = field(default_factory=GridSettings)
    choose: ChooseSettings = field(default_factory=ChooseSettings)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
    sure_colour: float = 0.8


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


class Reader:
    """Reads photographs with one set of weights and settings; safe to share between threads."""

    def __init__(
        self, weights: Weights | None = None, settings: ReadSettings | None = None
    ) -> None:
        self.weights = weights or Weights.load()
        self.settings = settings or ReadSettings()

    def read(self, source: Source) -> PhotoReading:
        """Read all kingdoms of a photograph, largest first.

        ``source`` is its bytes, its path, or its pixels: RGB, uint8, shape (h, w, 3), upright;
        a ``Photo`` that is decoded already is taken as it is.
        PhotoError with the code no_kingdom where none is in it, and with the codes of
        ``vision.photo.decode`` where there is no picture to read. ValueError for an array of
        another kind.
        """
        settings, clock = self.settings, _Clock()
        with clock.step("decode"):
            photo = _photo(source, settings.photo)
        passes = [self._pass(photo, settings.locate, clock)]
        long_side_px = settings.locate.long_side_px
        scale = long_side_px / max(photo.width, photo.height)
        for other_side_px in further_long_sides(passes[0], long_side_px, scale, settings.choose):
            if passes[-1] and not is_in_doubt(passes[-1][0], settings.choose):
                break
            searching = replace(settings.locate, long_side_px=other_side_px, other_long_sides_px=())
            passes.append(self._pass(photo, searching, clock))
        kingdoms = best_pass(passes, settings.choose)
        if not kingdoms:
            raise PhotoError("no_kingdom")
        return PhotoReading(tuple(kingdoms), photo.width, photo.height, clock.seconds)

    def resettle(
        self,
        readings: Sequence[KingdomReading],
        corrections: Sequence[Mapping[Position, str]] = (),
    ) -> list[KingdomReading]:
        """Settle the kingdoms of one game anew, jointly, with what people have corrected.

        ``corrections`` gives for each reading squares in notation by (row, column), any square
        at all; they stand, are never flagged, and the rest is settled around them. Each other
        square keeps what was seen on it; where the box now says otherwise it is changed and
        flagged. ValueError for a reading without probabilities or a correction outside of its
        kingdom; NotationError for a correction that is no square.
        """
        observations = []
        for number, reading in enumerate(readings):
            corrected = dict(corrections[number]) if number < len(corrections) else {}
            observations.append(_observed_again(number, reading, corrected))
        judgements = judge(observations, self.settings.judge)
        return [
            _rejudged(reading, judgement, observation.corrections)
            for reading, observation, judgement in zip(
                readings, observations, judgements, strict=True
            )
            if judgement is not None
        ]

    def read_frame(
        self, source: Source, corners: Sequence[Sequence[float]], rows: int, columns: int
    ) -> KingdomReading:
        """Read the squares of a kingdom whose frame a person has set.

        ``corners`` are four (x, y) in pixels of the upright photograph, clockwise from the top
        left of the kingdom, which has so many ``rows`` and ``columns``. The grid is taken for
        certain. PhotoError no_kingdom where no square of the game lies in it, and the codes of
        ``vision.photo.decode``; ValueError for corners that span no area.
        """
        settings, classifier = self.settings, self.weights.classifier
        photo = _photo(source, settings.photo)
        grid = frame_grid(photo, np.asarray(corners, np.float64), (rows, columns), classifier)
        observation = replace(_observed(grid, settings.grid), extent=(0, 0, rows, columns))
        (judgement,) = judge([observation], settings.judge)
        if judgement is None or all(each.label == "." for each in judgement.squares.values()):
            raise PhotoError("no_kingdom")
        reading = _reading(grid, observation, judgement, photo, settings)
        return replace(reading, lattice_certain=True)

    def classify(self, images: Sequence[Image]) -> list[SquareReading]:
        """Read single squares, each filling its picture; see ``classify_squares``."""
        return read_squares(self.weights.classifier, images)

    def _pass(self, photo: Photo, searching: LocateSettings, clock: _Clock) -> list[KingdomReading]:
        """The kingdoms of a photograph searched at one size, largest first."""
        settings, classifier = self.settings, self.weights.classifier
        with clock.step("locate"):
            detections, lattices = locate(photo.rgb, self.weights.locator, searching)
        with clock.step("classify"):
            lattices = promising_lattices(detections, lattices, settings.choose)
            found = read_members(photo.rgb, detections, lattices, classifier, settings.grid)
            whole = [
                grown(photo.rgb, detections, grid, classifier, settings.grid)
                for grid in choose_kingdoms(found, settings.choose)
            ]
        with clock.step("settle"):
            grids = choose_kingdoms(whole, settings.choose)
            observations = [_observed(grid, settings.grid) for grid in grids]
            readings = [
                _reading(grid, observation, judgement, photo, settings)
                for grid, observation, judgement in zip(
                    grids, observations, judge(observations, settings.judge), strict=True
                )
                if judgement is not None
            ]
        return drop_patterns(readings, settings.choose)


def _photo(source: Source, settings: PhotoSettings) -> Photo:
    if isinstance(source, Photo):
        return source
    if isinstance(source, np.ndarray):
        return photo_of_pixels(source, settings)
    return decode(source, settings)


def _observed(grid: Grid, settings: GridSettings) -> Observation:
    return Observation(
        grid.probabilities,
        candidates(grid, settings),
        {position: grid.scores[position] for position in grid.lattice.members},
        grid.lattice.misfit,
    )


def _reading(
    grid: Grid,
    observation: Observation,
    judgement: Judgement,
    photo: Photo,
    settings: ReadSettings,
) -> KingdomReading:
    top, left, height, width = judgement.extent
    box = [[(top + r, left + c) for c in range(width)] for r in range(height)]
    squares = tuple(tuple(judgement.squares[position] for position in row) for row in box)
    # Pixels of the reduced picture become pixels of the photograph, whose middles have halves.
    grow = 1 / photo.scale
    full = np.array([[grow, 0, (grow - 1) / 2], [0, grow, (grow - 1) / 2], [0, 0, 1]])
    considered = frozenset(observation.considered)
    scores = observation.detection_scores
    return KingdomReading(
        _kingdom(squares),
        squares,
        full @ grid.lattice.moved(top, left).homography,
        castle_colour=_castle_colour(grid, judgement, settings.sure_colour),
        lattice_certain=judgement.certain,
        probabilities=np.array([[grid.probabilities.get(p, BARE) for p in row] for row in box]),
        considered=np.array([[p in considered for p in row] for row in box]),
        detection_scores=np.array([[scores.get(p, np.nan) for p in row] for row in box]),
        misfit=observation.misfit,
    )


def _kingdom(squares: Sequence[Sequence[SquareReading]]) -> Kingdom:
    return Kingdom(tuple(tuple(Square.parse(s.label) for s in row) for row in squares))


def _castle_colour(grid: Grid, judgement: Judgement, sure: float) -> str | None:
    """The colour of the only castle, where it is sure enough."""
    castles = [position for position, s in judgement.squares.items() if s.label == "c"]
    if len(castles) != 1 or castles[0] not in grid.colours:
        return None
    colours = grid.colours[castles[0]]
    best = int(np.argmax(colours))
    return CASTLE_COLOURS[best] if colours[best] >= sure else None


def _observed_again(
    number: int, reading: KingdomReading, corrected: Mapping[Position, str]
) -> Observation:
    """The observation behind a reading, with corrections.

    A reading made without the record of its detections and candidates is taken as if every
    square had been detected, and every position with the least doubt had been considered.
    """
    if reading.probabilities is None:
        raise ValueError(f"reading {number}: expected one with probabilities")
    rows, columns = reading.probabilities.shape[:2]
    positions = [(r, c) for r in range(rows) for c in range(columns)]
    for position, label in corrected.items():
        if position not in positions:
            shape = (rows, columns)
            raise ValueError(f"correction at {position}: expected a position within {shape}")
        Square.parse(label)
    probabilities = {p: reading.probabilities[p] for p in positions}
    if reading.considered is None:
        considered = [p for p in positions if probabilities[p][EMPTY_AT] < 1 - _SLIGHT_DOUBT]
    else:
        considered = [p for p in positions if reading.considered[p]]
    if reading.detection_scores is None:
        scores = dict.fromkeys(positions, 0.0)
    else:
        scores = {
            p: float(reading.detection_scores[p])
            for p in positions
            if not np.isnan(reading.detection_scores[p])
        }
    extent = (0, 0, rows, columns)
    return Observation(probabilities, considered, scores, reading.misfit, corrected, extent)


_SLIGHT_DOUBT = GridSettings().min_candidate


def _rejudged(
    reading: KingdomReading, judgement: Judgement, corrected: Mapping[Position, str]
) -> KingdomReading:
    squares = tuple(
        tuple(judgement.squares[r, c] for c in range(reading.kingdom.width))
        for r in range(reading.kingdom.height)
    )
    moved = any(
        (label == "c") != (reading.squares[row][column].label == "c")
        for (row, column), label in corrected.items()
    )
    return replace(
        reading,
        kingdom=_kingdom(squares),
        squares=squares,
        lattice_certain=judgement.certain,
        castle_colour=None if moved else reading.castle_colour,
    )


_LOADING = threading.Lock()


@cache
def _shared_reader() -> Reader:
    return Reader()


def default_reader() -> Reader:
    """The reader that the functions of this module share, loaded once, when it is first used."""
    with _LOADING:
        return _shared_reader()


def read_kingdoms(source: Source, settings: ReadSettings | None = None) -> PhotoReading:
    """Read all kingdoms of a photograph, largest first: ``Reader.read`` with the shipped weights.

    ``source`` is its bytes, its path, or its pixels: RGB, uint8, shape (h, w, 3), upright.
    PhotoError with a code where no kingdom can be read.
    """
    reader = default_reader()
    return (reader if settings is None else Reader(reader.weights, settings)).read(source)


def settle_together(
    readings: Sequence[KingdomReading],
    corrections: Sequence[Mapping[Position, str]] = (),
    settings: JudgeSettings | None = None,
) -> list[KingdomReading]:
    """Settle the kingdoms of one game anew, jointly: ``Reader.resettle`` by the default settings.

    ``corrections`` gives for each reading squares in notation by (row, column).
    """
    reader = default_reader()
    if settings is not None:
        reader = Reader(reader.weights, replace(reader.settings, judge=settings))
    return reader.resettle(readings, corrections)


def classify_squares(images: Sequence[Image]) -> list[SquareReading]:
    """Read single squares.

    ``images`` are RGB, uint8, shape (h, w, 3), of any size, each filled by one square. Each
    gets its ``label`` in notation ("." for no square of the game), its probability and the
    runner-up. ValueError for an array of another kind.
    """
    return default_reader().classify(images)
