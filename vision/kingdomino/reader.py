"""From a photograph to its kingdoms: as many passes as it takes, which counts, what is refused."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.geometry import PATCH_PX, Extent, cut_squares, resized_patches
from vision.common.network import Clock, keep_freed_memory, loaded_once
from vision.kingdomino import result, search
from vision.kingdomino.cells import Grid, Seen, fill_colour_tables, find_candidates, weigh_by_light
from vision.kingdomino.lattice import Lattice
from vision.kingdomino.passes import ChooseSettings, Pass, ReadSettings, make_reading, run_pass
from vision.kingdomino.resettling import Corrections, settle_together
from vision.kingdomino.result import KingdomReading, PhotoReading, SquareReading
from vision.kingdomino.settling import Observation, judge
from vision.kingdomino.together import combine_photos
from vision.kingdomino.warn import brighten, is_dim, sort_codes, warn_mirrored
from vision.kingdomino.weights import Weights, named_head
from vision.photo import Photo, PhotoError, decode
from vision.photo.decoding import Preview, Source, decode_and_look

Image = NDArray[np.uint8]
# A frame that a person sets spans so much at least.
MIN_AREA_PX = 16.0


def decode_and_search(
    source: Source, weights: Weights, settings: ReadSettings, clock: Clock
) -> tuple[Photo, bool, search.Located]:
    """The photo, whether it is dim, and all that the first search finds in it.

    What is searched quickly, in 8 bits, counts where it is of one piece but for stray squares;
    elsewhere the photo is searched in full precision. The time after which it is decoded
    counts as ``decode``, what the search takes longer as ``locate``. PhotoError as of
    ``vision.photo.decode``, ValueError for an array of another kind.
    """
    started = time.perf_counter()
    quick, locating = weights.quick_locator, settings.locate
    locator = search.Locator(quick or weights.locator, locating)

    def look(preview: Preview) -> tuple[bool, search.Located]:
        found = search.locate_in_preview(preview, locator)
        return is_dim(preview.rgb, settings.dim), found

    def counts(found: search.Located) -> bool:
        if not quick:
            return True
        sizes = [len(lattice.members) for lattice in found.lattices]
        return bool(sizes) and sum(sizes[1:]) <= locating.stray_share * sizes[0]

    looked = decode_and_look(source, locating.long_side_px, look, settings.photo)
    photo, seen = looked.photo, looked.found
    if seen is None and quick:
        height, width = photo.rgb.shape[:2]
        seen = look(Preview(photo.rgb, 1, (width, height)))
    dim, found = seen or (is_dim(photo.rgb, settings.dim), None)
    # What is small is searched closer.
    closer = search.locate(photo.rgb, locator, found) if found and counts(found) else None
    if not (closer and counts(closer)):
        closer = search.locate(photo.rgb, search.Locator(weights.locator, locating))
    clock.add("decode", looked.decode_s)
    clock.add("locate", time.perf_counter() - started - looked.decode_s)
    return photo, dim, closer


def is_in_doubt(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether the grid is not certain, or too many of its squares are flagged."""
    flagged = sum(square.doubtful for square in reading.occupied)
    return not reading.lattice_certain or flagged > settings.doubtful_share * len(reading.occupied)


def confidence(reading: KingdomReading) -> float:
    """The geometric mean of the probabilities of a kingdom's squares."""
    shares = [max(square.probability, 1e-9) for square in reading.occupied]
    return float(np.exp(np.mean(np.log(shares)))) if shares else 0.0


def is_believable(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether a reading is that of a kingdom at all, and no picture of something else."""
    enough = len(reading.occupied) >= result.MIN_SQUARES
    return enough and confidence(reading) >= settings.min_confidence


def is_sure(reading: KingdomReading, settings: ChooseSettings) -> bool:
    """Whether a reading is that of a kingdom, and not in doubt."""
    return is_believable(reading, settings) and not is_in_doubt(reading, settings)


def count_unread(one: Pass) -> int:
    """How many of the squares that were found in a pass belong to none of its kingdoms."""
    return max(one.found_squares - sum(len(each.occupied) for each in one.kingdoms), 0)


def is_fragment(reading: KingdomReading, unread: int) -> bool:
    """Whether squares were left out, and with its doubted ones are as many as a kingdom has.

    So it is with a piece of a kingdom seen from too low, and with what is no Kingdomino.
    """
    lacks = unread + sum(square.doubtful for square in reading.occupied)
    return unread > 0 and lacks >= len(reading.occupied)


def propose_long_sides(
    readings: Sequence[KingdomReading], scale: float, settings: search.LocateSettings
) -> tuple[int, ...]:
    """The sizes, in pixels of the long side, at which to search a photograph again.

    It was searched at ``scale`` times its own size. Closer first, or farther off where squares were
    large; then from far away, since a few that fill the picture may look like many small ones.
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
    return bool(one.kingdoms) and all(is_sure(reading, settings) for reading in one.kingdoms)


def is_plain(one: Pass, settings: ChooseSettings) -> bool:
    """Whether it is settled, and nothing flagged in any of its kingdoms or beside them."""
    open_ones = (each.doubtful or "beside" in each.warnings for each in one.kingdoms)
    return is_settled(one, settings) and not any(open_ones)


def choose_pass(passes: Sequence[Pass], settings: ChooseSettings) -> Pass:
    """The best pass over a photograph; the runner-up's largest kingdom is its ``next_best``.

    Passes whose largest kingdom is believable go first, and of these one where it is no fragment,
    then the one with the largest sum of (probability − ``LIKELY``) over the squares of that kingdom
    and of others that are sure; where the largest is in doubt, it counts half.
    """

    def worth(reading: KingdomReading) -> float:
        return sum(square.probability - result.LIKELY for square in reading.occupied)

    def rating(one: Pass) -> tuple[bool, bool, float]:
        largest, *others = one.kingdoms
        share = result.LIKELY if is_in_doubt(largest, settings) else 1.0
        sure = sum(worth(other) for other in others if is_sure(other, settings))
        is_whole = not is_fragment(largest, count_unread(one))
        return is_believable(largest, settings), is_whole, share * worth(largest) + sure

    ranked = sorted((one for one in passes if one.kingdoms), key=rating, reverse=True)
    if not ranked:
        return Pass()
    first, *rest = ranked[0].kingdoms
    others = (one.kingdoms[0] for one in ranked if one.kingdoms[0].kingdom != first.kingdom)
    first = replace(first, next_best=next(others, None))
    return replace(ranked[0], kingdoms=(first, *rest))


def mark_dark(one: Pass) -> Pass:
    """The pass with the warning dark on each of its kingdoms, which explains their flags."""
    kingdoms = []
    for kingdom in one.kingdoms:
        seen, warnings = kingdom.by_position, sort_codes({*kingdom.warnings, "dark"})
        told = {p: replace(seen[p], reason=seen[p].reason or "dark") for p in kingdom.doubtful}
        kingdoms.append(replace(kingdom.with_squares(told), warnings=warnings))
    return replace(one, kingdoms=tuple(kingdoms))


def searched_at(settings: ReadSettings, long_side_px: int) -> ReadSettings:
    """The settings with a photograph searched at this size alone."""
    locate = replace(settings.locate, long_side_px=long_side_px, other_long_sides_px=())
    return replace(settings, locate=locate)


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
        if not isinstance(source, list | tuple):
            return self._read_one(cast("Source", source), anyway)
        readings, refused = list[PhotoReading | None](), list[PhotoError]()
        for each in source:
            try:
                readings.append(self._read_one(each, anyway))
            except PhotoError as error:
                readings.append(None)
                refused.append(error)
        if refused and not any(readings):
            raise refused[0]
        return combine_photos(readings, self.settings.judge, self.settings.together)

    def _read_one(self, source: Source, anyway: bool) -> PhotoReading:
        settings, choose, clock = self.settings, self.settings.choose, Clock()
        fill_colour_tables()
        photo, dim, found = decode_and_search(source, self.weights, settings, clock)
        best = choose_pass(self._passes(photo, dim, found, clock), choose)
        kingdoms = [each for each in best.kingdoms if anyway or is_believable(each, choose)]
        # Beside a kingdom a fragment may be another one, seen badly.
        unread = count_unread(best)
        is_piece = (is_in_doubt(k, choose) and is_fragment(k, unread) for k in kingdoms)
        if not anyway and all(is_piece):
            kingdoms = []
        if not kingdoms:
            raise PhotoError("no_kingdom")
        with clock.step("warn"):
            mirror = self.weights.mirror, settings.mirror
            told = tuple(warn_mirrored(kingdom, photo, *mirror) for kingdom in kingdoms)
        warnings = best.warnings if len(told) == len(best.kingdoms) else ("other_squares",)
        return PhotoReading(told, photo.width, photo.height, clock.seconds, warnings)

    def _passes(self, photo: Photo, dim: bool, found: search.Located, clock: Clock) -> list[Pass]:
        """As many passes over a photograph as it takes."""
        weights, settings, choose = self.weights, self.settings, self.settings.choose
        above = None if dim else self._from_above(photo, found, choose.slanted, clock)
        if above and is_settled(above, choose):
            return [above]
        first = run_pass(photo, weights, settings, clock, None, found)
        passes = [first]
        if dim and (count_unread(first) or not is_plain(first, choose)):
            with clock.step("decode"):
                photo = brighten(photo, settings.dim)
            with clock.step("locate"):
                found = search.locate(photo.rgb, search.Locator(weights.locator, settings.locate))
            first = run_pass(photo, weights, settings, clock, None, found)
            # The dark picture may show a piece of a kingdom, and be sure of it.
            passes = [first] if first.kingdoms else [*passes, first]
        scale = settings.locate.long_side_px / max(photo.width, photo.height)
        sizes = propose_long_sides(first.kingdoms, scale, settings.locate)
        # Squares of kingdoms look like some by 0.6 at least in the mean, steep, blurred and dark
        # ones too, most of other games by less than 0.5.
        if first.squareness < result.LIKELY:
            # Few squares that fill the picture look like many, and like none of the game's.
            sizes = sizes[-1:] if first.found_squares else ()
        elif above or not is_plain(first, choose):
            # Squares at the picture's edge are found better with something around it.
            is_cut = any("cut_off" in kingdom.warnings for kingdom in first.kingdoms)
            least = 1.0 if is_cut else settings.view.min_slant
            above = above or self._from_above(photo, found, least, clock)
            # From above as well few squares may look like many.
            passes, sizes = ([*passes, above], sizes[-1:]) if above else (passes, sizes)
        for size in sizes:
            if is_settled(first, choose) or is_settled(passes[-1], choose):
                break
            passes.append(run_pass(photo, weights, searched_at(settings, size), clock))
        return [mark_dark(one) for one in passes] if dim else passes

    def _from_above(
        self, photo: Photo, located: search.Located, least: float, clock: Clock
    ) -> Pass | None:
        """A pass over the table as it looks from above, if it is seen at so much of a slant."""
        settings = self.settings
        with clock.step("locate"):
            locator = search.Locator(self.weights.locator, settings.locate)
            flat = search.view_from_above(
                photo.rgb, located, locator, settings.view, least,
                settings.grid.reach, settings.photo.target_long_side_px,
            )  # fmt: skip
        if flat is None:
            return None
        size = round(max(flat.picture.shape[:2]) * settings.locate.zoomed_square_px / PATCH_PX)
        return run_pass(photo, self.weights, searched_at(settings, size), clock, flat)

    def with_giants(self) -> Reader:
        """This reader with the dominoes of Age of Giants in the box."""
        judge_with_them = self.settings.judge.with_giants()
        return replace(self, settings=replace(self.settings, judge=judge_with_them))

    def resettle(
        self, readings: Sequence[KingdomReading], corrections: Corrections = ()
    ) -> list[KingdomReading]:
        """Settle the kingdoms of one game anew with what people have corrected.

        ``corrections`` gives for each reading squares in notation by (row, column), any square
        at all; they stand. A correction changes no square of another kingdom, and none of its own
        that is not in doubt. Where the box of the whole game now says otherwise, the square is
        flagged with what the box says as its runner-up, and so is a correction that stands against
        a square that was sure. ValueError for a reading without probabilities, a correction
        outside of its kingdom or those of more readings; NotationError for one that is no square.
        """
        return settle_together(readings, corrections, self.settings.judge)

    def read_frame(
        self, source: Source, corners: Sequence[Sequence[float]], rows: int, columns: int
    ) -> KingdomReading:
        """Read the squares of a kingdom whose frame a person has set.

        ``corners`` are four (x, y) in pixels of the upright photograph, clockwise from the top
        left of the kingdom, which has so many ``rows`` and ``columns``. The grid is taken for
        certain. PhotoError no_kingdom where no square of the game lies in it, and the codes of
        ``vision.photo.decode``; ValueError for corners that span no area.
        """
        settings, frame = self.settings, Extent(0, 0, rows, columns)
        photo, given = decode(source, settings.photo), np.asarray(corners, np.float64)
        area = cv2.contourArea(given.astype(np.float32)) if given.shape == (4, 2) else 0.0
        if not area >= MIN_AREA_PX:  # Nor where it is no number.
            raise ValueError("corners: expected four that span an area")
        reduced = ((given + 0.5) * photo.scale - 0.5).astype(np.float32)
        view = cv2.getPerspectiveTransform(np.array(frame.corners(), np.float32), reduced)
        lattice, cells = Lattice(np.asarray(view, np.float64), {}, 0.0), list(frame.cells())
        patches = cut_squares(photo.rgb, list(lattice.spots(cells)))
        looks = zip(*self.weights.classifier.probabilities(patches), strict=True)
        seen = {cell: Seen(*look) for cell, look in zip(cells, looks, strict=True)}
        bare = {c for c in cells if seen[c].probabilities[result.EMPTY_AT] >= result.LIKELY}
        grid = Grid(lattice, seen, frozenset(cells) - bare)
        grid = weigh_by_light(photo.rgb, grid, self.weights.light)
        candidates = find_candidates(grid, settings.grid)
        observation = Observation(grid.probabilities, candidates, extent=frame)
        (judgement,) = judge([observation], settings.judge)
        if all(each.label == "." for each in judgement.squares.values()):
            raise PhotoError("no_kingdom")
        judgement = replace(judgement, certain=True)
        reading = make_reading(grid, observation, judgement, photo, settings)
        return warn_mirrored(reading, photo, self.weights.mirror, settings.mirror)

    def glance(self, photo: Photo) -> PhotoReading:
        """The kingdoms that one look at a small picture shows, if any: the next one comes soon."""
        weights, clock = self.weights, Clock()
        settings = searched_at(self.settings, self.settings.locate.long_side_px)
        quick = replace(weights, locator=weights.quick_locator or weights.locator)
        one = run_pass(photo, quick, settings, clock)
        kingdoms = tuple(each for each in one.kingdoms if is_believable(each, settings.choose))
        return PhotoReading(kingdoms, photo.width, photo.height, clock.seconds)

    def classify(self, images: Sequence[Image], *, giants: bool = False) -> list[SquareReading]:
        """Read single squares, each filling its picture; see ``classify_squares``."""
        found, _ = self.weights.classifier.probabilities(resized_patches(images))
        found = result.merge_foreign(found, giants=giants)
        ranked = zip(found.tolist(), np.argsort(-found, kind="stable").tolist(), strict=True)
        labels = result.LABELS
        return [
            SquareReading(labels[first], min(row[first], 1.0), runner_up=labels[second])
            for row, (first, second, *_) in ranked
        ]


@loaded_once
def default_reader() -> Reader:
    """The reader that the functions of this module share, loaded once, when it is first used."""
    keep_freed_memory()
    return Reader(Weights.load(head=named_head()))


def read_kingdoms(
    source: Source | Sequence[Source],
    settings: ReadSettings | None = None,
    *,
    anyway: bool = False,
    giants: bool = False,
) -> PhotoReading:
    """Read all kingdoms of a photograph, as ``Reader.read`` does, with the shipped weights."""
    reader = default_reader()
    chosen = reader if settings is None else Reader(reader.weights, settings)
    return chosen.read(source, anyway=anyway, giants=giants)


def classify_squares(images: Sequence[Image], *, giants: bool = False) -> list[SquareReading]:
    """Read single squares, each filling its picture: RGB, uint8, shape (h, w, 3), of any size.

    Each gets its ``label`` in notation ("." for no square of the game), its probability and the
    runner-up. Squares that only Age of Giants has are named with ``giants`` alone. ValueError for
    an array of another kind.
    """
    return default_reader().classify(images, giants=giants)
