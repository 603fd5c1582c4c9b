"""From a photograph to its kingdoms: as many passes as it takes, and which of them counts.

The first look, further passes where it leaves doubts, what is refused, and settling again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Position
from vision.common.geometry import PATCH_PX, Extent, cut_squares, measure_stretch, resized_patches
from vision.common.network import Clock, keep_freed_memory
from vision.kingdomino.cells import Grid, Seen, cell_corners, fill_colour_tables
from vision.kingdomino.doubt import flag_missing_halves
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.passes import (
    ChooseSettings,
    Pass,
    ReadSettings,
    count_squares,
    make_reading,
    observe,
    run_pass,
)
from vision.kingdomino.resettling import resettle
from vision.kingdomino.result import (
    EMPTY,
    EMPTY_AT,
    LIKELY,
    MIN_SQUARES,
    KingdomReading,
    PhotoReading,
    SquareReading,
)
from vision.kingdomino.search import (
    Located,
    LocateSettings,
    fit_table,
    locate,
    locate_in_preview,
    measure_slant,
    view_from_above,
)
from vision.kingdomino.settling import JudgeSettings, judge
from vision.kingdomino.together import combine_photos
from vision.kingdomino.warn import POOR_LIGHT, brighten, is_dim, sort_codes, warn_mirrored
from vision.kingdomino.weights import SquareClassifier, Weights, named_head, plain_reading
from vision.photo import Photo, PhotoError, decode
from vision.photo.decoding import Preview, Source, decode_and_look, shrink

Image = NDArray[np.uint8]


class FirstLook(NamedTuple):
    """A decoded photo, whether it is dim, and all that the first search finds, if that counts.

    What was ``searched_quickly``, in 8 bits, counts where it is of one piece but for stray squares;
    elsewhere the photo is to be searched in full precision.
    """

    photo: Photo
    is_dim: bool
    found: Located | None
    searched_quickly: bool


def decode_and_search(
    source: Source, weights: Weights, settings: ReadSettings, clock: Clock
) -> FirstLook:
    """The photo, looked at for the first time.

    The time after which it is decoded counts as ``decode``, what the search takes longer as
    ``locate``. PhotoError as of ``vision.photo.decode``, ValueError for an array of another kind.
    """
    started = time.perf_counter()
    long_side_px = settings.locate.long_side_px
    quick = weights.quick_locator

    def look(preview: Preview) -> tuple[bool, Located]:
        found = locate_in_preview(preview, quick or weights.locator, settings.locate)
        return is_dim(preview.rgb, settings.dim), found

    if isinstance(source, Photo | np.ndarray):
        photo = decode(source, settings.photo)
        decode_s = time.perf_counter() - started
        preview = shrink(photo, long_side_px, settings.photo)
        seen = look(preview) if preview else None
    else:
        looked = decode_and_look(source, long_side_px, look, settings.photo)
        photo, seen, decode_s = looked.photo, looked.found, looked.decode_s
    if seen is None and quick:
        height, width = photo.rgb.shape[:2]
        seen = look(Preview(photo.rgb, 1, (width, height)))
    dim, found = seen or (is_dim(photo.rgb, settings.dim), None)
    if found:
        found = _finish(photo, found, weights, settings.locate)
    clock.add("decode", decode_s)
    clock.add("locate", time.perf_counter() - started - decode_s)
    return FirstLook(photo, dim, found, bool(quick and found))


def _finish(
    photo: Photo, found: Located, weights: Weights, settings: LocateSettings
) -> Located | None:
    """What was found, searched closer if it is small; None where a quick search leaves doubts."""
    quick = weights.quick_locator
    if quick and not _is_of_one_piece(found, settings):
        return None
    closer = locate(photo.rgb, quick or weights.locator, settings, found)
    return None if quick and not _is_of_one_piece(closer, settings) else closer


def _is_of_one_piece(found: Located, settings: LocateSettings) -> bool:
    """Whether all squares lie on one lattice, but for a few stray ones."""
    sizes = [len(lattice.members) for lattice in found.lattices]
    return bool(sizes) and sum(sizes[1:]) <= settings.stray_share * sizes[0]


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
    lacks = {*reading.warnings, *one.warnings} & {"hidden", "beside", "other_squares", "cut_off"}
    if reading.lattice_certain and not lacks:
        return False
    middle = reading.kingdom.width / 2, reading.kingdom.height / 2
    is_slanted = measure_stretch(reading.homography, middle) > settings.slanted
    return is_slanted and is_in_doubt(reading, settings)


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
    readings: Sequence[KingdomReading], scale: float, settings: LocateSettings
) -> tuple[int, ...]:
    """The sizes, in pixels of the long side, at which to search a photograph again.

    It was searched at ``scale`` times its own size. Closer first, or from farther away where the
    squares were large; then from far away, since a few squares that fill the picture may look like
    many small ones.
    """
    factor = settings.closer_factor
    if readings:
        across, down, origin = readings[0].points([(1, 0), (0, 1), (0, 0)])
        side = min(np.linalg.norm(across - origin), np.linalg.norm(down - origin))
        if side * scale > settings.zoomed_square_px:
            factor = 1 / factor
    return tuple(round(settings.long_side_px * each) for each in (factor, settings.far_factor))


def is_settled(one: Pass, settings: ChooseSettings) -> bool:
    """Whether all that a pass found is beyond doubt, so that no other pass is needed."""
    return bool(one.kingdoms) and all(
        not is_in_doubt(reading, settings) and is_believable(reading, settings)
        for reading in one.kingdoms
    )


def is_promising(one: Pass) -> bool:
    """Whether what was found looks like squares of the game, so that another look may help.

    Those of kingdoms do by 0.6 at least, steep, blurred and dark ones too, most of other games by
    less than 0.5.
    """
    return one.squareness >= LIKELY


def is_plain(one: Pass) -> bool:
    """Whether nothing in a pass is flagged."""
    return not any(reading.doubtful for reading in one.kingdoms)


def choose_pass(passes: Sequence[Pass], settings: ChooseSettings) -> Pass:
    """The best pass over a photograph; the runner-up's largest kingdom is its ``next_best``.

    Passes that are no nonsense go first, of these those with a certain grid, then those with the
    largest worth: the sum of (probability − ``worthless``) over the squares of the largest kingdom
    and of others that are no nonsense either; of these one in doubt, which may be a piece of the
    first, counts for ``uncertain_share`` of that.
    """

    def is_no_nonsense(one: Pass) -> bool:
        return is_believable(one.kingdoms[0], settings)

    def worth(kingdoms: Iterable[KingdomReading]) -> float:
        squares = [s for k in kingdoms for row in k.squares for s in row if s.label != EMPTY]
        return sum(square.probability - settings.worthless for square in squares)

    def rating(one: Pass) -> tuple[bool, bool, float]:
        largest, *others = one.kingdoms
        others = [other for other in others if is_believable(other, settings)]
        unsure = [other for other in others if is_in_doubt(other, settings)]
        counted = worth([largest, *others]) - (1 - settings.uncertain_share) * worth(unsure)
        return is_no_nonsense(one), largest.lattice_certain, counted

    ranked = sorted((one for one in passes if one.kingdoms), key=rating, reverse=True)
    if not ranked:
        return Pass()
    first, *rest = ranked[0].kingdoms
    for other in ranked[1:]:
        if str(other.kingdoms[0].kingdom) != str(first.kingdom):
            return replace(ranked[0], kingdoms=(replace(first, next_best=other.kingdoms[0]), *rest))
    return ranked[0]


def mark_dark(one: Pass) -> Pass:
    """The pass with the warning dark on each of its kingdoms, which explains their flags."""

    def dark(square: SquareReading) -> SquareReading:
        return replace(square, reason=square.reason or ("dark" if square.doubtful else None))

    kingdoms = tuple(
        replace(
            kingdom.with_squares({at: dark(square) for at, square in kingdom.by_position.items()}),
            warnings=sort_codes({*kingdom.warnings, "dark"}),
        )
        for kingdom in one.kingdoms
    )
    return replace(one, kingdoms=kingdoms)


# A frame that a person sets spans so much of the reduced picture at least.
MIN_AREA_PX = 16.0


def _frame_grid(
    photo: Photo,
    corners: NDArray[np.float64],
    shape: tuple[int, int],
    classifier: SquareClassifier,
) -> Grid:
    """Classify each of the ``shape`` (rows, columns) cells of a frame that a person has set.

    ``corners`` (4, 2) are pixels (x, y) of the upright photograph, clockwise from the top left of
    the grid. ValueError for corners that span no area.
    """
    rows, columns = shape
    if corners.shape != (4, 2) or cv2.contourArea(corners.astype(np.float32)) < MIN_AREA_PX:
        raise ValueError("corners: expected four that span an area")
    reduced = (corners + 0.5) * photo.scale - 0.5
    lattice_corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    homography = cv2.getPerspectiveTransform(lattice_corners, reduced.astype(np.float32))
    lattice = Lattice(np.asarray(homography, np.float64), {}, 0.0)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    patches = cut_squares(photo.rgb, list(cell_corners(lattice, cells)))
    seen, colours = classifier.probabilities(patches)
    found = {cell: Seen(*each) for cell, *each in zip(cells, seen, colours, strict=True)}
    occupied = [cell for cell in cells if 1 - found[cell].probabilities[EMPTY_AT] > LIKELY]
    return Grid(lattice, found, frozenset(occupied))


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads photographs with one set of weights and settings; safe to share between threads."""

    weights: Weights = field(default_factory=Weights.load)
    settings: ReadSettings = field(default_factory=ReadSettings)

    def read(
        self, source: Source | Sequence[Source], *, anyway: bool = False, giants: bool = False
    ) -> PhotoReading:
        """Read all kingdoms of a photograph, largest first.

        ``source`` is its bytes, its path, or its pixels: RGB, uint8, shape (h, w, 3), upright;
        a ``Photo`` that is decoded already is taken as it is. A list or tuple of them are several
        photographs of one table: each kingdom is read once, by what all of them show of it, see
        ``vision.kingdomino.together``; those that can't be read are left out, if one can.
        PhotoError with the code no_kingdom where none is in it, or where what was found is
        probably no Kingdomino or too blurred, unless it is wanted ``anyway``; and with the codes
        of ``vision.photo.decode`` where there is no picture to read. With ``giants`` the dominoes
        of Age of Giants are in the box; without it squares that only they have are read with one
        crown and flagged. ValueError for an array of another kind.
        """
        if giants and not self.settings.judge.settle.giants:
            return self.with_giants().read(source, anyway=anyway)
        if isinstance(source, list | tuple):
            return self._read_together(source, anyway)
        return self._read_one(cast("Source", source), anyway)

    def _read_together(self, sources: Sequence[Source], anyway: bool) -> PhotoReading:
        readings: list[PhotoReading | None] = []
        refused: PhotoError | None = None
        for source in sources:
            try:
                readings.append(self._read_one(source, anyway))
            except PhotoError as error:
                refused = refused or error
                readings.append(None)
        if refused and not any(readings):
            raise refused
        return combine_photos(readings, self.settings.judge, self.settings.together)

    def _read_one(self, source: Source, anyway: bool) -> PhotoReading:
        settings, clock = self.settings, Clock()
        fill_colour_tables()
        look = decode_and_search(source, self.weights, settings, clock)
        photo, dim = look.photo, look.is_dim
        first = run_pass(photo, self.weights, settings, settings.locate, clock, None, look.found)
        if look.searched_quickly and not dim and not is_settled(first, settings.choose):
            first = run_pass(photo, self.weights, settings, settings.locate, clock)
        best = choose_pass(self._passes(photo, first, dim, clock), settings.choose)
        kingdoms, warnings = best.kingdoms, best.warnings
        believed = [is_believable(kingdom, settings.choose) for kingdom in kingdoms]
        kingdoms = tuple(map(flag_missing_halves, kingdoms))
        if not anyway:
            believed = [
                is_one and not is_too_steep(kingdom, best, settings.choose)
                for is_one, kingdom in zip(believed, kingdoms, strict=True)
            ]
            kingdoms = keep_readable(kingdoms, believed, settings.choose)
            if len(kingdoms) < len(best.kingdoms):
                warnings = sort_codes({*warnings, "other_squares"})
        if not kingdoms:
            raise PhotoError("no_kingdom")
        with clock.step("warn"):
            kingdoms = tuple(self._tell_mirrored(kingdom, photo) for kingdom in kingdoms)
        return PhotoReading(kingdoms, photo.width, photo.height, clock.seconds, warnings)

    def with_giants(self) -> Reader:
        """This reader with the dominoes of Age of Giants in the box."""
        settings = replace(self.settings, judge=self.settings.judge.with_giants())
        return Reader(self.weights, settings)

    def _passes(self, photo: Photo, first: Pass, dim: bool, clock: Clock) -> list[Pass]:
        """As many passes over a photograph as it takes: ``first``, or others where it is dim."""
        settings, passes = self.settings, [first]
        if dim and not (is_settled(first, settings.choose) and is_plain(first)):
            with clock.step("decode"):
                photo = brighten(photo, settings.dim)
            first = run_pass(photo, self.weights, settings, settings.locate, clock)
            # The dark picture may show a piece of a kingdom, and be sure of it.
            passes = [first] if first.kingdoms else [*passes, first]
        scale = settings.locate.long_side_px / max(photo.width, photo.height)
        sizes = propose_long_sides(first.kingdoms, scale, settings.locate)
        if not is_promising(first):
            # Few squares that fill the picture look like many, and like none of the game's.
            sizes = sizes[-1:] if first.found_squares else ()
        else:
            from_above = self._from_above(photo, first, clock)
            if from_above:
                passes, sizes = [*passes, *from_above], ()
        for other_side_px in sizes:
            if is_settled(passes[-1], settings.choose):
                break
            searching = replace(settings.locate, long_side_px=other_side_px, other_long_sides_px=())
            passes.append(run_pass(photo, self.weights, settings, searching, clock))
        return [mark_dark(one) for one in passes] if dim else passes

    def _from_above(self, photo: Photo, first: Pass, clock: Clock) -> list[Pass]:
        """A pass over the table as it looks from straight above, if it was seen at a slant."""
        settings, view = self.settings, self.settings.view
        with clock.step("locate"):
            plain = is_settled(first, settings.choose) and is_plain(first)
            least = settings.choose.slanted if plain else view.min_slant
            plane = fit_table(first.located) if first.located else None
            if not (first.located and plane) or measure_slant(first.located, plane, view) < least:
                return []
            flat = view_from_above(
                photo.rgb, plane, first.located, self.weights.locator, settings.locate, view,
                settings.grid.reach, settings.photo.target_long_side_px,
            )  # fmt: skip
        if flat is None:
            return []
        long_side_px = round(
            max(flat.picture.shape[:2]) * settings.locate.zoomed_square_px / PATCH_PX
        )
        searching = replace(settings.locate, long_side_px=long_side_px, other_long_sides_px=())
        return [run_pass(photo, self.weights, settings, searching, clock, flat)]

    def resettle(
        self,
        readings: Sequence[KingdomReading],
        corrections: Sequence[Mapping[Position, str]] = (),
    ) -> list[KingdomReading]:
        """Settle the kingdoms of one game anew with what people have corrected.

        ``corrections`` gives for each reading squares in notation by (row, column), any square
        at all; they stand. A correction changes no square of another kingdom, and none of its own
        that is not in doubt. Where the box of the whole game now says otherwise, the square is
        flagged with what the box says as its runner-up, and so is a correction that stands against
        a square that was sure. ValueError for a reading without probabilities or a correction
        outside of its kingdom; NotationError for a correction that is no square.
        """
        return resettle(readings, corrections, self.settings.judge)

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
        photo = decode(source, settings.photo)
        grid = _frame_grid(photo, np.asarray(corners, np.float64), (rows, columns), classifier)
        observation = replace(observe(grid, settings.grid), extent=Extent(0, 0, rows, columns))
        (judgement,) = judge([observation], settings.judge)
        if judgement is None or all(each.label == "." for each in judgement.squares.values()):
            raise PhotoError("no_kingdom")
        reading = make_reading(grid, grid.lattice, observation, judgement, photo, settings)
        return self._tell_mirrored(replace(reading, lattice_certain=True), photo)

    def _tell_mirrored(self, reading: KingdomReading, photo: Photo) -> KingdomReading:
        return warn_mirrored(reading, photo, self.weights.mirror, self.settings.mirror)

    def glance(self, photo: Photo) -> PhotoReading:
        """The kingdoms that one quick look at a small picture shows, none where it shows none.

        It is not searched again: a picture of the next moment comes soon enough.
        """
        settings, weights, clock = self.settings, self.weights, Clock()
        looking = replace(settings.locate, other_long_sides_px=())
        with clock.step("locate"):
            found = locate(photo.rgb, weights.quick_locator or weights.locator, looking)
        one = run_pass(photo, weights, settings, looking, clock, None, found)
        kingdoms = tuple(each for each in one.kingdoms if is_believable(each, settings.choose))
        return PhotoReading(kingdoms, photo.width, photo.height, clock.seconds)

    def classify(self, images: Sequence[Image], *, giants: bool = False) -> list[SquareReading]:
        """Read single squares, each filling its picture; see ``classify_squares``."""
        probabilities, _ = self.weights.classifier.probabilities(resized_patches(images))
        return [plain_reading(row, giants=giants) for row in probabilities]


_LOADING = threading.Lock()


@cache
def _shared_reader() -> Reader:
    keep_freed_memory()
    return Reader(Weights.load(head=named_head()))


def default_reader() -> Reader:
    """The reader that the functions of this module share, loaded once, when it is first used."""
    with _LOADING:
        return _shared_reader()


def read_kingdoms(
    source: Source | Sequence[Source],
    settings: ReadSettings | None = None,
    *,
    anyway: bool = False,
    giants: bool = False,
) -> PhotoReading:
    """Read all kingdoms of a photograph, largest first, with the shipped weights.

    What is taken, given and raised is that of ``Reader.read``.
    """
    reader = default_reader()
    chosen = reader if settings is None else Reader(reader.weights, settings)
    return chosen.read(source, anyway=anyway, giants=giants)


def settle_together(
    readings: Sequence[KingdomReading],
    corrections: Sequence[Mapping[Position, str]] = (),
    settings: JudgeSettings | None = None,
    *,
    giants: bool = False,
) -> list[KingdomReading]:
    """Settle the kingdoms of one game anew: ``Reader.resettle`` by the default settings.

    ``corrections`` gives for each reading squares in notation by (row, column). With ``giants``
    the dominoes of Age of Giants are in the box. No weights are needed for it.
    """
    settings = settings or ReadSettings().judge
    return resettle(readings, corrections, settings.with_giants() if giants else settings)


def classify_squares(images: Sequence[Image], *, giants: bool = False) -> list[SquareReading]:
    """Read single squares.

    ``images`` are RGB, uint8, shape (h, w, 3), of any size, each filled by one square. Each
    gets its ``label`` in notation ("." for no square of the game), its probability and the
    runner-up. Squares that only Age of Giants has are named with ``giants`` alone. ValueError for
    an array of another kind.
    """
    return default_reader().classify(images, giants=giants)
