"""From a photograph to a board: decode, find round things, lattice, board, contents, settle.

Tried on drawn pictures only: no photograph of this game is known to the project.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, Board, Shape
from vision.common.geometry import enlarged
from vision.common.network import Clock
from vision.domino_duell.classify import look_into, nothing_at
from vision.domino_duell.detect import (
    CircleSettings,
    LatticeSettings,
    PlacementSettings,
    Placing,
    find_middles,
    grow_lattices,
    place_board,
)
from vision.domino_duell.judge import DoubtSettings, read_hollows
from vision.domino_duell.result import BoardReading
from vision.domino_duell.weights import Weights, shipped
from vision.photo import PhotoError, PhotoSettings, decode
from vision.photo.decoding import Source

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BoardSettings:
    """How a board is searched and when a person should look.

    The picture is searched at each of ``long_sides_px``, until a placing explains nearly all
    hollows (``seen_enough``). ``least_seen`` is the share of hollows that must look like hollows
    for a board to be there at all, ``least_margin_nats`` how much worse the next best placing
    must be: a table strewn or printed with round things has many that are alike.
    """

    long_sides_px: tuple[int, ...] = (640, 480, 400, 320)
    seen_enough: float = 0.97
    least_seen: float = 0.93
    least_margin_nats: float = 6.0
    photo: PhotoSettings = field(default_factory=PhotoSettings)
    circles: CircleSettings = field(default_factory=CircleSettings)
    lattice: LatticeSettings = field(default_factory=LatticeSettings)
    placement: PlacementSettings = field(default_factory=PlacementSettings)
    doubt: DoubtSettings = field(default_factory=DoubtSettings)


def read_board(
    source: Source,
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
        photo = decode(source, settings.photo)
    with clock.step("locate"):
        placing = _placed(photo.rgb, shape, settings, weights)
    if placing is None or not _is_board(placing, settings):
        raise PhotoError("no_board")
    level = settings.doubt.burnt_level
    with clock.step("classify"):
        evidence = look_into(photo.rgb, placing.homography, shape, weights, level)
    certain = _is_certain(placing, settings.doubt)
    with clock.step("settle"):
        hollows = read_hollows(evidence, shape, certain, settings.doubt)
    position = Board(shape, tuple(each.piece for each in hollows))
    full = enlarged(1 / photo.scale) @ placing.homography
    return BoardReading(
        position, hollows, full, photo.width, photo.height, certain, seconds=clock.seconds
    )


def _is_board(placing: Placing, settings: BoardSettings) -> bool:
    return placing.seen >= settings.least_seen and placing.margin >= settings.least_margin_nats


def _is_certain(placing: Placing, doubt: DoubtSettings) -> bool:
    return placing.seen >= doubt.sure_seen and placing.margin >= doubt.sure_margin_nats


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
