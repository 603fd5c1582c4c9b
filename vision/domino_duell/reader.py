"""From a photograph to a board: decode, find round things, lattice, board, contents, settle.

Tried on drawn pictures only: no photograph of this game is known to the project.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board, Piece, Shape
from vision.common.runtime import Clock
from vision.domino_duell.classify import burnt_shares, combine, cut_patches, nothing_at
from vision.domino_duell.detect import (
    CircleSettings,
    LatticeSettings,
    PlacementSettings,
    Placing,
    find_middles,
    grow_lattices,
    place_board,
    places_of,
)
from vision.domino_duell.judge import EMPTY_COLUMN, JOKER_COLUMN, least_margins, settle
from vision.domino_duell.result import BoardReading, HollowReading
from vision.domino_duell.weights import Weights, shipped
from vision.photo import Photo, PhotoError, PhotoSettings, decode
from vision.photo.decoding import photo_of_pixels

__all__ = ["BoardSettings", "read_board", "read_hollows"]

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BoardSettings:
    """How a board is searched and when a person should look.

    The picture is searched at each of ``long_sides_px``, until a placing explains nearly all
    hollows (``seen_enough``). ``least_seen`` is the share of hollows that must look like hollows
    for a board to be there at all, ``least_margin_nats`` how much worse the next best placing
    must be: a table strewn or printed with round things has many that are alike. ``sure_seen``
    and ``sure_margin_nats`` are those from which on the
    placing is certain. A hollow is flagged where the best board with something else in it is less
    than ``sure_nats`` worse in any view of the board, or where no hollow is there with a
    probability above ``no_hollow``, or where more than ``burnt_share`` of its middle is at
    ``burnt_level`` of 255 or more in all channels. Where more than ``restless_share`` of the
    hollows are not sure, the light is harsher than the probabilities know of, and
    ``sure_restless_nats`` takes the place of ``sure_nats``.
    """

    long_sides_px: tuple[int, ...] = (640, 480, 400, 320)
    seen_enough: float = 0.97
    least_seen: float = 0.93
    least_margin_nats: float = 6.0
    sure_seen: float = 0.95
    sure_margin_nats: float = 20.0
    sure_nats: float = 5.0
    restless_share: float = 0.05
    sure_restless_nats: float = 6.5
    no_hollow: float = 0.2
    burnt_level: int = 248
    burnt_share: float = 0.9
    photo: PhotoSettings = field(default_factory=PhotoSettings)
    circles: CircleSettings = field(default_factory=CircleSettings)
    lattice: LatticeSettings = field(default_factory=LatticeSettings)
    placement: PlacementSettings = field(default_factory=PlacementSettings)


def read_board(
    source: bytes | str | os.PathLike[str] | Image,
    settings: BoardSettings | None = None,
    shape: Shape = DEFAULT_SHAPE,
    weights: Weights | None = None,
) -> BoardReading:
    """The board on a photograph: bytes, a path, or upright RGB (h, w, 3) of uint8.

    Tried on drawn pictures only. The whole board must be in the picture. PhotoError with the
    codes of ``vision.photo.decode``, or ``no_board`` where no board is found.
    """
    settings = settings or BoardSettings()
    weights = weights or shipped()
    clock = Clock()
    with clock.step("decode"):
        photo = _photo(source, settings)
    with clock.step("locate"):
        placing = _placed(photo.rgb, shape, settings, weights)
    if placing is None or not _is_board(placing, settings):
        raise PhotoError("no_board")
    with clock.step("classify"):
        places = places_of(shape)
        patches = cut_patches(photo.rgb, placing.homography, places)
        views = weights.board_views(patches, places)
        contents = combine(views.mean(0))
        views = np.stack([combine(view) for view in views])
        burnt = burnt_shares(patches, settings.burnt_level) > settings.burnt_share
    certain = placing.seen >= settings.sure_seen and placing.margin >= settings.sure_margin_nats
    with clock.step("settle"):
        hollows = read_hollows(contents, views, burnt, shape, certain, settings)
    position = Board(shape, tuple(each.piece for each in hollows))
    full = np.diag([1 / photo.scale, 1 / photo.scale, 1.0]) @ placing.homography
    return BoardReading(
        position, hollows, full, photo.width, photo.height, certain, seconds=clock.seconds
    )


def _is_board(placing: Placing, settings: BoardSettings) -> bool:
    return placing.seen >= settings.least_seen and placing.margin >= settings.least_margin_nats


def _photo(source: bytes | str | os.PathLike[str] | Image, settings: BoardSettings) -> Photo:
    if not isinstance(source, np.ndarray):
        return decode(source, settings.photo)
    return photo_of_pixels(source, settings.photo)


def _placed(rgb: Image, shape: Shape, settings: BoardSettings, weights: Weights) -> Placing | None:
    """The placing that explains the picture best, over all lattices at all sizes."""
    best: Placing | None = None
    size = (rgb.shape[1], rgb.shape[0])
    for long_side in settings.long_sides_px:
        circles = replace(settings.circles, long_side_px=long_side)
        points, _ = find_middles(rgb, circles)
        for lattice in grow_lattices(points, settings.lattice):
            homography = lattice.homography

            def nothing(places: Floats, homography: Floats = homography) -> Floats:
                return nothing_at(rgb, homography, places, weights)

            found = place_board(lattice, points, shape, size, nothing, settings.placement)
            if found is not None and (best is None or found.worth > best.worth):
                best = found
        if best is not None and best.seen >= settings.seen_enough:
            break
    return best


def read_hollows(
    contents: Floats,
    views: Floats,
    burnt: NDArray[np.bool_],
    shape: Shape,
    certain: bool,
    settings: BoardSettings,
) -> tuple[HollowReading, ...]:
    """The reading of each hollow, settled, with its doubts.

    ``contents`` (n, 67) is what the classifier saw, ``views`` (m, n, 67) what it saw of the board
    turned and mirrored, ``burnt`` (n,) where light has burnt the
    middle out, ``certain`` whether the placing of the board is.
    """
    known = _known(contents)
    chosen = settle(known)
    most_nats = max(settings.sure_nats, settings.sure_restless_nats)
    margins = least_margins(_known(np.r_[views, contents[None]]), chosen, most_nats)
    restless = (margins < settings.sure_nats).mean() > settings.restless_share
    sure_nats = settings.sure_restless_nats if restless else settings.sure_nats
    readings = []
    for index, hollow in enumerate(shape.hollows):
        mine = known[index]
        order = [int(column) for column in np.argsort(-mine, kind="stable")]
        label, plain = int(chosen[index]), order[0]
        runner_up = order[1] if label == plain else plain
        doubtful = (
            not certain
            or margins[index] < sure_nats
            or contents[index, -1] > settings.no_hollow
            or burnt[index]
        )
        piece = _piece(plain)
        settled_from = None if label == plain else "." if piece is None else str(piece)
        readings.append(
            HollowReading(
                hollow,
                _piece(label),
                float(min(mine[label], 1.0)),
                _piece(runner_up),
                bool(doubtful),
                settled_from,
            )
        )
    return tuple(readings)


def _known(contents: Floats) -> Floats:
    """The probabilities (…, 66) of what may lie in a hollow, given that one is there."""
    found = contents[..., :-1]
    return np.asarray(found / np.maximum(found.sum(-1, keepdims=True), 1e-9))


def _piece(column: int) -> Piece | None:
    if column == EMPTY_COLUMN:
        return None
    return JOKER if column == JOKER_COLUMN else STONES[column]
