"""From a photograph to its kingdoms."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from scorer.kingdomino import Kingdom, Square
from vision.common.network import load_network
from vision.kingdomino.classify.grid import Grid, GridSettings, grown, read_members
from vision.kingdomino.classify.squares import square_classifier
from vision.kingdomino.judgement import DoubtSettings, decided, settled_grids
from vision.kingdomino.labels import CASTLE_COLOURS, EMPTY, LABELS
from vision.kingdomino.locate.lattice import Cells, Lattice
from vision.kingdomino.locate.search import GROUNDS, LocateSettings, locate
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.kingdomino.settle.program import Settled
from vision.photo import Photo, PhotoSettings, decode
from vision.photo.errors import PhotoError

__all__ = ["ReadSettings", "lies_on", "read_kingdoms"]

Cell = tuple[int, int]

# What is said of a place that lies outside of the photograph.
_BARE = np.array([float(label == EMPTY) for label in LABELS])


@dataclass(frozen=True)
class ReadSettings:
    """Settings of all steps.

    A photograph whose lattice is not certain, or of whose squares more than ``doubtful_share`` are
    in doubt, is searched again ``second_factor`` times larger, or smaller where its squares had
    more than ``second_square_px`` pixels, and if that does not help at ``far_factor`` of the size.
    Of all looks that one counts whose squares are read with more above the probability
    ``worthless``.
    A castle's colour is named from probability ``sure_colour`` on; a lattice that the found
    squares miss by more than ``max_certain_misfit`` of a square, or that holds less than a castle
    and a domino, is called uncertain. A group without a castle counts as a kingdom from
    ``min_castleless`` squares on, beside one with a castle from ``min_castleless_beside`` on,
    which is more than four dominoes laid out for the next turn have. Smaller groups are looked at
    only where the locator takes one of their squares for a castle with ``castle_hint`` or more.
    """

    photo: PhotoSettings = field(default_factory=PhotoSettings)
    locate: LocateSettings = field(default_factory=LocateSettings)
    doubtful_share: float = 0.34
    second_factor: float = 1.5
    second_square_px: float = 45.0
    far_factor: float = 0.4
    worthless: float = 0.75
    grid: GridSettings = field(default_factory=GridSettings)
    doubt: DoubtSettings = field(default_factory=DoubtSettings)
    sure_colour: float = 0.8
    max_certain_misfit: float = 0.15
    min_certain_squares: int = 3
    min_castleless: int = 4
    min_castleless_beside: int = 9
    castle_hint: float = 0.05


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
    looks = [_look(photo, settings.locate, settings, clock)]
    for locating in _further_looks(looks[0], photo, settings):
        if looks[-1] and not _in_doubt(looks[-1][0], settings):
            break
        looks.append(_look(photo, locating, settings, clock))
    readings = _best(looks, settings)
    if not readings:
        raise PhotoError("no_kingdom")
    return PhotoReading(tuple(readings), photo.width, photo.height, clock.seconds)


def _in_doubt(reading: KingdomReading, settings: ReadSettings) -> bool:
    """Whether the lattice is not certain, or too many of its squares are in doubt."""
    squares = _count(reading.kingdom)
    return not reading.lattice_certain or len(reading.doubtful) > settings.doubtful_share * squares


def _further_looks(
    readings: list[KingdomReading], photo: Photo, settings: ReadSettings
) -> list[LocateSettings]:
    """How to search again: closer, or from farther away where the squares were large; then
    from far away, since a few squares that fill the picture may look like many small ones."""
    first = settings.locate
    factor = settings.second_factor
    if readings:
        kingdom = readings[0]
        across, down, origin = kingdom.points([(1, 0), (0, 1), (0, 0)])
        side = min(np.linalg.norm(across - origin), np.linalg.norm(down - origin))
        if side * first.long_side_px / max(photo.width, photo.height) > settings.second_square_px:
            factor = 1 / factor
    return [
        replace(first, long_side_px=round(first.long_side_px * f), other_long_sides_px=())
        for f in (factor, settings.far_factor)
    ]


def _look(
    photo: Photo, locating: LocateSettings, settings: ReadSettings, clock: _Clock
) -> list[KingdomReading]:
    """The kingdoms of a photograph searched at one size, largest first."""
    with clock.step("locate"):
        cells, lattices = locate(photo.rgb, load_network("locator"), locating)
    with clock.step("classify"):
        classifier = square_classifier()
        promising = _promising(cells, lattices, settings)
        found = read_members(photo.rgb, cells, promising, classifier, settings.grid)
        whole = [
            grown(photo.rgb, cells, grid, classifier, settings.grid)
            for grid in _kingdoms(found, settings)
        ]
    with clock.step("settle"):
        grids = _kingdoms(whole, settings)
        readings = [
            _reading(grid, kingdom, photo, settings)
            for grid, kingdom in zip(grids, settled_grids(grids, settings.doubt), strict=True)
            if any(label != EMPTY for label in kingdom.labels.values())
        ]
    return sorted(_believable(readings, settings), key=lambda reading: -_count(reading.kingdom))


def _believable(readings: list[KingdomReading], settings: ReadSettings) -> list[KingdomReading]:
    """The readings without those that are all doubt, where one is beyond doubt.

    A pattern of the table may look like a larger kingdom than the one that lies on it.
    """
    if all(_in_doubt(reading, settings) for reading in readings):
        return readings
    return [r for r in readings if len(r.doubtful) <= _count(r.kingdom)]


def _promising(cells: Cells, lattices: list[Lattice], settings: ReadSettings) -> list[Lattice]:
    """The lattices that may be kingdoms, as far as the locator can tell, and the largest."""
    castle = cells.grounds[:, GROUNDS.index("c")]
    kept: list[Lattice] = []
    for lattice in lattices:
        hinted = castle[list(lattice.members.values())].max() >= settings.castle_hint
        if not kept or (
            (hinted or len(lattice.members) >= settings.min_castleless)
            and not any(lies_on(lattice, lattice.members, other, other.members) for other in kept)
        ):
            kept.append(lattice)
    return kept


def lies_on(upper: Lattice, squares: Iterable[Cell], lower: Lattice, taken: Iterable[Cell]) -> bool:
    """Whether most of the ``squares`` of one lattice lie on squares ``taken`` of another.

    The top of a standing castle may look like a square beside its place; a lattice grown from
    there lies all over the kingdom.
    """
    middles = upper.points([(column + 0.5, row + 0.5) for row, column in squares])
    columns, rows = np.floor(lower.places(middles)).astype(int).T
    below = set(taken)
    return 2 * sum(cell in below for cell in zip(rows, columns, strict=True)) > len(middles)


def _kingdoms(grids: list[Grid], settings: ReadSettings) -> list[Grid]:
    """The grids that are kingdoms: with a castle, or large; the rest lies loose on the table.

    Largest first; one that lies all over a larger one is none.
    """
    occupied = [grid for grid in grids if grid.occupied]
    crowned = any(grid.has_castle for grid in occupied)
    least = settings.min_castleless_beside if crowned else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(occupied, key=lambda grid: -len(grid.occupied)):
        if (grid.has_castle or len(grid.occupied) >= least) and not any(
            lies_on(grid.lattice, grid.occupied, other.lattice, other.occupied) for other in kept
        ):
            kept.append(grid)
    return kept


def _best(looks: list[list[KingdomReading]], settings: ReadSettings) -> list[KingdomReading]:
    """The look whose largest kingdom is most certain; that of the next one is its next best."""

    def worth(look: list[KingdomReading]) -> tuple[bool, float]:
        squares = [s for row in look[0].squares for s in row if s.label != EMPTY]
        return look[0].lattice_certain, sum(s.probability - settings.worthless for s in squares)

    ranked = sorted((look for look in looks if look), key=worth, reverse=True)
    if not ranked:
        return []
    best = ranked[0]
    for other in ranked[1:]:
        if str(other[0].kingdom) != str(best[0].kingdom):
            return [replace(best[0], next_best=other[0]), *best[1:]]
    return best


def _count(kingdom: Kingdom) -> int:
    return sum(not square.is_empty for _, square in kingdom.items())


def _reading(grid: Grid, settled: Settled, photo: Photo, settings: ReadSettings) -> KingdomReading:
    kept = [cell for cell, label in settled.labels.items() if label != EMPTY]
    rows, columns = zip(*kept, strict=True)
    top, left = min(rows), min(columns)
    height, width = max(rows) - top + 1, max(columns) - left + 1
    box = [(r, c) for r in range(top, top + height) for c in range(left, left + width)]
    found = {cell: grid.probabilities.get(cell, _BARE) for cell in box}
    members = grid.lattice.members
    unseen = frozenset(cell for cell in box if cell not in members)
    bare = frozenset(cell for cell in box if cell in members and grid.scores[cell] > 0.5)
    readings = decided(found, settled, unseen, bare, settings.doubt)
    squares = tuple(tuple(readings[top + r, left + c] for c in range(width)) for r in range(height))
    kingdom = Kingdom(tuple(tuple(Square.parse(s.label) for s in line) for line in squares))
    # Pixels of the reduced picture become pixels of the photograph, whose middles have halves.
    grow = 1 / photo.scale
    full = np.array([[grow, 0, (grow - 1) / 2], [0, grow, (grow - 1) / 2], [0, 0, 1]])
    lattice = grid.lattice.moved(top, left)
    castles = [cell for cell in box if readings[cell].label == "c"]
    certain = (
        len(castles) == 1
        and len(kept) >= settings.min_certain_squares
        and lattice.misfit < settings.max_certain_misfit
    )
    return KingdomReading(
        kingdom,
        squares if certain else _one_flagged(squares),
        full @ lattice.homography,
        castle_colour=_castle_colour(grid, castles, settings),
        lattice_certain=certain,
        probabilities=np.array(
            [[found[top + r, left + c] for c in range(width)] for r in range(height)]
        ),
    )


def _one_flagged(
    squares: tuple[tuple[SquareReading, ...], ...],
) -> tuple[tuple[SquareReading, ...], ...]:
    """At least the least certain square flagged, where something about the whole is odd."""
    everyone = [s for row in squares for s in row if s.label != EMPTY]
    if any(s.doubtful for row in squares for s in row):
        return squares
    weakest = min(everyone, key=lambda s: s.probability)
    return tuple(
        tuple(replace(s, doubtful=True) if s is weakest else s for s in row) for row in squares
    )


def _castle_colour(grid: Grid, castles: list[Cell], settings: ReadSettings) -> str | None:
    """The colour of the only castle, where it is sure enough."""
    if len(castles) != 1 or castles[0] not in grid.colours:
        return None
    colours = grid.colours[castles[0]]
    best = int(np.argmax(colours))
    return CASTLE_COLOURS[best] if colours[best] >= settings.sure_colour else None
