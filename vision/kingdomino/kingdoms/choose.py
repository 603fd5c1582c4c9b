"""Which groups of squares in a photograph are kingdoms, and which pass over it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorer.kingdomino import Position
from vision.common.rectify import measure_stretch
from vision.kingdomino.detect.grid import Grid
from vision.kingdomino.detect.lattice import Detections, Lattice
from vision.kingdomino.detect.search import GROUNDS, Located
from vision.kingdomino.judge.warn import POOR_LIGHT
from vision.kingdomino.labels import DOMINO, EMPTY, LIKELY, MIN_SQUARES
from vision.kingdomino.result import KingdomReading


@dataclass(frozen=True)
class ChooseSettings:
    """What counts as a kingdom, and when a photograph is searched again.

    A group without a castle counts as a kingdom from ``min_castleless`` squares on, beside one with
    a castle from ``min_castleless_beside`` on, which is more than four dominoes laid out for the
    next turn have; its castle is looked for in any group that would count alone. Smaller groups are
    read only where the locator gives one of their squares at least the probability ``castle_hint``
    of being a castle, or if they are a domino or more, to tell what else lies there.

    A photograph whose grid is not certain, or more than ``doubtful_share`` of whose squares are
    flagged, is searched again ``closer_factor`` times larger, or as much smaller where its
    squares were wider than ``large_square_px``; if that does not help, at ``far_factor`` of the
    size. The pass with the largest sum of (probability − ``worthless``) over its squares wins, a
    certain one before others unless it has less than ``fragment`` of that. An uncertain kingdom
    beside the largest counts for ``uncertain_share`` of its sum: without that, of kingdoms across
    the table, a pass with pieces of one goes before one with both.

    Below the ``confidence`` ``min_confidence`` a reading is refused: readings of real photographs
    have 0.85 at least, what is read from pictures of other games 0.65 at most. A photograph whose
    squares look like those of the game by less than ``min_squareness`` at the first look is
    searched from far away only: those of kingdoms had 0.6 at least, steep, blurred and dark ones
    too, most of other games less than 0.5. A kingdom whose squares look more than ``slanted`` times
    as long as wide is refused where not all of it was seen, and less than ``min_read`` of the
    squares found were read or it is in doubt.
    """

    min_castleless: int = 4
    min_castleless_beside: int = 9
    castle_hint: float = 0.05
    doubtful_share: float = 0.34
    closer_factor: float = 1.5
    large_square_px: float = 45.0
    far_factor: float = 0.4
    worthless: float = 0.75
    fragment: float = 0.4
    uncertain_share: float = 0.5
    min_confidence: float = 0.68
    min_squareness: float = 0.5
    floor: float = 0.02
    slanted: float = 1.6
    min_read: float = 0.7


def count_squares(reading: KingdomReading) -> int:
    """How many squares a kingdom has, the castle included."""
    return sum(not square.is_empty for _, square in reading.kingdom.items())


def is_in_doubt(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether the grid is not certain, or too many squares are flagged."""
    most = settings.doubtful_share * count_squares(reading)
    return not reading.lattice_certain or len(reading.doubtful) > most


def confidence(reading: KingdomReading, floor: float = 1e-9) -> float:
    """The geometric mean of the probabilities of a kingdom's squares, each ``floor`` at least."""
    squares = [
        max(s.probability, floor) for row in reading.squares for s in row if s.label != EMPTY
    ]
    return float(np.exp(np.mean(np.log(squares)))) if squares else 0.0


def is_believable(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether a reading is that of a kingdom at all, and no picture of something else.

    Where something in the way or poor light explains some squares that are hardly seen, these
    count for no less than ``floor``.
    """
    enough = count_squares(reading) >= MIN_SQUARES
    explained = {"hidden", "glare", *POOR_LIGHT} & set(reading.warnings)
    sure = confidence(reading, settings.floor) if explained else confidence(reading)
    return enough and sure >= settings.min_confidence


def is_mostly_doubt(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether more is in doubt than poor light explains, as where something else was photographed.

    More flags than squares, aside from cells that can't be seen where the rest is sure; or as few
    squares as could be loose dominoes, half of them flagged and none that is a castle more likely
    than not.
    """
    squares = count_squares(reading)
    unseen = {"cut_off"} | ({"hidden"} if confidence(reading) >= settings.min_confidence else set())
    flags = sum(
        s.doubtful and not (s.label == EMPTY and s.reason in unseen)
        for row in reading.squares
        for s in row
    )
    has_castle = any(
        s.label == "c" and s.probability > LIKELY for row in reading.squares for s in row
    )
    if not has_castle and squares < settings.min_castleless_beside:
        return 2 * flags >= squares
    return flags > squares and not {"glare", *POOR_LIGHT} & set(reading.warnings)


def is_too_steep(reading: KingdomReading, one: Pass, settings: ChooseSettings) -> bool:
    """Whether a reading of a pass is but a fragment of a kingdom that was seen from too low."""
    told = {*reading.warnings, *one.warnings} & {"hidden", "beside", "other_squares", "cut_off"}
    if reading.lattice_certain and not told:
        return False
    read = sum(count_squares(each) for each in one.kingdoms)
    is_piece = read < settings.min_read * one.found_squares or is_in_doubt(reading, settings)
    middle = reading.kingdom.width / 2, reading.kingdom.height / 2
    return is_piece and measure_stretch(reading.homography, middle) > settings.slanted


def keep_readable(
    readings: Sequence[KingdomReading], believed: Sequence[bool], settings: ChooseSettings
) -> tuple[KingdomReading, ...]:
    """Those readings, largest first, that are kingdoms and can be read.

    ``believed`` tells of each whether it was believable, before what is hidden was flagged, and is
    no fragment. None where all is mostly doubt, or where the largest was not believable and is
    larger than what is left, which may be a piece of it.
    """
    kept = tuple(reading for reading, is_one in zip(readings, believed, strict=True) if is_one)
    left = sum(map(count_squares, kept))
    if all(is_mostly_doubt(reading, settings) for reading in kept):
        return ()
    return kept if believed[0] or left >= count_squares(readings[0]) else ()


def propose_long_sides(
    readings: Sequence[KingdomReading], long_side_px: int, scale: float, settings: ChooseSettings
) -> tuple[int, ...]:
    """The sizes, in pixels of the long side, at which to search a photograph again.

    It was searched at ``long_side_px``, which is ``scale`` times its own size. Closer first, or
    from farther away where the squares were large; then from far away, since a few squares that
    fill the picture may look like many small ones.
    """
    factor = settings.closer_factor
    if readings:
        across, down, origin = readings[0].points([(1, 0), (0, 1), (0, 0)])
        side = min(np.linalg.norm(across - origin), np.linalg.norm(down - origin))
        if side * scale > settings.large_square_px:
            factor = 1 / factor
    return round(long_side_px * factor), round(long_side_px * settings.far_factor)


@dataclass(frozen=True)
class Pass:
    """The kingdoms found in one pass over a photograph, largest first, and warnings beyond them.

    ``located`` are all squares and lattices found, in pixels of the picture that was searched;
    ``found_squares`` is how many squares the locator found by itself, ``squareness`` the mean
    probability that the classifier gives what was found to be some square of the game, 0..1.
    """

    kingdoms: tuple[KingdomReading, ...] = ()
    warnings: tuple[str, ...] = ()
    located: Located | None = None
    found_squares: int = 0
    squareness: float = 0.0


def is_settled(one: Pass, settings: ChooseSettings) -> bool:
    """Whether all that a pass found is beyond doubt, so that no other pass is needed."""
    return bool(one.kingdoms) and all(
        not is_in_doubt(reading, settings) and is_believable(reading, settings)
        for reading in one.kingdoms
    )


def is_promising(one: Pass, settings: ChooseSettings) -> bool:
    """Whether what was found looks like squares of the game, so that another look may help."""
    return one.squareness >= settings.min_squareness


def is_plain(one: Pass) -> bool:
    """Whether nothing in a pass is flagged."""
    return not any(reading.doubtful for reading in one.kingdoms)


def choose_pass(passes: Sequence[Pass], settings: ChooseSettings) -> Pass:
    """The best pass over a photograph; the runner-up's largest kingdom is its ``next_best``.

    Passes that are no nonsense go first, of these those with a certain grid, then those with the
    largest worth: the sum of (probability − ``worthless``) over the squares of the largest kingdom
    and of others that are no nonsense either; of these an uncertain one, which may be a piece of
    the first, counts for ``uncertain_share`` of that. A certain grid whose largest kingdom is worth
    less than ``fragment`` of another is a piece of it and goes before none.
    """

    def is_no_nonsense(one: Pass) -> bool:
        return is_believable(one.kingdoms[0], settings)

    def worth(kingdoms: Iterable[KingdomReading]) -> float:
        squares = [s for k in kingdoms for row in k.squares for s in row if s.label != EMPTY]
        return sum(square.probability - settings.worthless for square in squares)

    found = [one for one in passes if one.kingdoms]
    most = max((worth(one.kingdoms[:1]) for one in found if is_no_nonsense(one)), default=0.0)

    def rating(one: Pass) -> tuple[bool, bool, float]:
        largest, *others = one.kingdoms
        whole = worth([largest]) >= settings.fragment * most
        others = [other for other in others if is_believable(other, settings)]
        unsure = [other for other in others if not other.lattice_certain]
        counted = worth([largest, *others]) - (1 - settings.uncertain_share) * worth(unsure)
        return is_no_nonsense(one), largest.lattice_certain and whole, counted

    ranked = sorted(found, key=rating, reverse=True)
    if not ranked:
        return Pass()
    first, *rest = ranked[0].kingdoms
    for other in ranked[1:]:
        if str(other.kingdoms[0].kingdom) != str(first.kingdom):
            return replace(ranked[0], kingdoms=(replace(first, next_best=other.kingdoms[0]), *rest))
    return ranked[0]


_CASTLE_GROUND = GROUNDS.index("c")


def select_lattices(
    detections: Detections, lattices: Sequence[Lattice], settings: ChooseSettings
) -> list[Lattice]:
    """The lattices worth classifying: the first, and those that may be kingdoms beside it.

    ``lattices`` come largest first. One that lies on another is the top of a standing castle.
    """
    castle = detections.grounds[:, _CASTLE_GROUND]
    kept: list[Lattice] = []
    for lattice in lattices:
        hinted = castle[list(lattice.members.values())].max() >= settings.castle_hint
        if not kept or (
            (hinted or len(lattice.members) >= DOMINO)
            and not any(lies_on(lattice, lattice.members, other, other.members) for other in kept)
        ):
            kept.append(lattice)
    return kept


def lies_on(
    upper: Lattice, squares: Iterable[Position], lower: Lattice, occupied: Iterable[Position]
) -> bool:
    """Whether more than half of the ``squares`` of one lattice lie on ``occupied`` ones of another.

    The top of a standing castle may be detected as a square beside its place; a lattice grown
    from there covers the kingdom a second time.
    """
    cells = find_cells_under(upper, squares, lower)
    below = set(occupied)
    return 2 * sum(cell in below for cell in cells) > len(cells)


def find_cells_under(upper: Lattice, squares: Iterable[Position], lower: Lattice) -> list[Position]:
    """For each of the ``squares`` of one lattice the cell of another in which its middle lies."""
    centres = upper.points([(column + 0.5, row + 0.5) for row, column in squares])
    return [(int(row), int(column)) for column, row in np.floor(lower.places(centres))]


def choose_kingdoms(
    grids: Sequence[Grid], settings: ChooseSettings, *, to_grow: bool = False
) -> list[Grid]:
    """The grids that are kingdoms, largest first: with a castle, or large enough without one.

    Smaller ones are good enough ``to_grow``: the castle may be found then. One that covers a larger
    one is dropped.
    """
    occupied = [grid for grid in grids if grid.occupied]
    any_castle = any(grid.has_castle for grid in occupied)
    beside = settings.min_castleless if to_grow else settings.min_castleless_beside
    least = beside if any_castle else settings.min_castleless
    kept: list[Grid] = []
    for grid in sorted(occupied, key=lambda grid: -len(grid.occupied)):
        if (grid.has_castle or len(grid.occupied) >= least) and not any(
            lies_on(grid.lattice, grid.occupied, other.lattice, other.occupied) for other in kept
        ):
            kept.append(grid)
    return kept
