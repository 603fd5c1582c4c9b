"""Prepare the pictures of a data folder for composing scenes."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import GIANT_DOMINOES, Square
from vision.kingdomino.labels import CASTLE_COLOURS, ONE_CROWN
from vision.kingdomino.synthesis.render import SURFACES, draw_surface, render_domino, render_square
from vision.kingdomino.synthesis.tileset import TileSet
from vision.kingdomino.training.corpus import Corpus, read_rgb
from vision.kingdomino.training.second_crown import CrownStamp

__all__ = ["SQUARE_PX", "add_two_crowns", "load_surfaces", "load_tiles"]

Image = NDArray[np.uint8]

SQUARE_PX = 96
DRAWN_STYLES = 4
DRAWN_SURFACES = 12
# Of the squares with one crown that get a second one, the share that is shown changed in another
# way as well, still with one crown.
DECOY_SHARE = 0.3
MOVED_SHARE = 0.15


def _sized(picture: Image, width: int, height: int) -> Image:
    shrinks = picture.shape[1] > width
    way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)


def _brown(pink: Image) -> Image:
    """A brown start tile, which no photograph shows, made from a pink one."""
    hsv = cv2.cvtColor(pink, cv2.COLOR_RGB2HSV).astype(np.int16)
    reddish = ((hsv[..., 0] > 150) | (hsv[..., 0] < 8)) & (hsv[..., 1] > 50)
    hsv[..., 0] = np.where(reddish, 12, hsv[..., 0])
    hsv[..., 2] = np.where(reddish, hsv[..., 2] * 0.62, hsv[..., 2])
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), np.uint8)


def load_surfaces(corpus: Corpus, rng: np.random.Generator) -> list[Image]:
    """Pictures of tables: those of the folder, then drawn surfaces."""
    return [read_rgb(path) for path in corpus.backgrounds()] + [
        draw_surface(name, (255, 255), int(rng.integers(30, 120)), rng)
        for name in SURFACES
        for _ in range(DRAWN_SURFACES)
    ]


def load_tiles(
    folder: Path,
    held_out_sessions: Container[str] = (),
    seed: int = 0,
    *,
    age_of_giants: bool = False,
) -> TileSet:
    """All tiles and tables of the folder except squares of held-out sessions.

    Drawn tiles in ``DRAWN_STYLES`` styles are added. With ``age_of_giants`` so are its dominoes
    with squares that the box doesn't have, made from the pictures of others.
    """
    corpus = Corpus(folder)
    side = SQUARE_PX
    rng = np.random.default_rng(seed)
    dominoes: dict[str, list[Image]] = {number: [] for number in corpus.dominoes}
    for kind in ("scan", "photo"):
        for number, picture in corpus.domino_pictures(kind).items():
            dominoes[number].append(_sized(picture, 2 * side, side))
    starts: dict[str, list[Image]] = {}
    for colour, picture in corpus.start_tiles():
        tile = _sized(picture, side, side)
        starts.setdefault(colour, []).append(tile)
        if colour == "pink":
            starts.setdefault("brown", []).append(_brown(tile))
    squares: dict[str, list[Image]] = {}
    for square in corpus.squares() + corpus.scanned_squares():
        if square.session not in held_out_sessions:
            picture = _sized(read_rgb(square.path), side, side)
            squares.setdefault(square.label, []).append(picture)
    for area, label, session in corpus.board_squares():
        if session not in held_out_sessions:
            squares.setdefault(label, []).append(_sized(area, side, side))
    labels = dict(corpus.dominoes)
    if age_of_giants:
        new = [domino for domino in GIANT_DOMINOES if str(domino.left) in ONE_CROWN]
        labels |= {domino.number: (str(domino.left), str(domino.right)) for domino in new}
        add_two_crowns(labels, dominoes, squares, rng)
    halves = {
        number: (Square.parse(left), Square.parse(right))
        for number, (left, right) in labels.items()
    }
    return TileSet(
        labels=labels,
        dominoes=dominoes,
        starts=starts,
        squares=squares,
        surfaces=load_surfaces(corpus, rng),
        foreign=[_sized(picture, side, side) for picture in corpus.foreign_squares()],
        drawn={
            number: [render_domino(*both, side, rng) for _ in range(DRAWN_STYLES)]
            for number, both in halves.items()
        },
        drawn_starts={
            colour: [
                render_square(Square.parse("c"), side, rng, castle_colour=colour)
                for _ in range(2 * DRAWN_STYLES)
            ]
            for colour in CASTLE_COLOURS
        },
    )


def add_two_crowns(
    labels: dict[str, tuple[str, str]],
    dominoes: dict[str, list[Image]],
    squares: dict[str, list[Image]],
    rng: np.random.Generator,
) -> None:
    """Add what only Age of Giants has, made from the pictures of squares with one crown.

    Those get company: with what is no crown beside the first one, and with it in another corner.
    """
    halves: dict[str, list[Image]] = {}
    for number, pictures in dominoes.items():
        for picture in pictures:
            for half, label in zip(np.array_split(picture, 2, axis=1), labels[number], strict=True):
                halves.setdefault(label, []).append(half)
    # Scans and photographs take turns.
    stamp = CrownStamp(halves["l1"][::2], SQUARE_PX)
    for two, one in ONE_CROWN.items():
        known = squares.setdefault(one, [])
        seen = [(picture, stamp.find(picture)) for picture in halves[one] + known]
        found = [(picture, crown) for picture, crown in seen if crown is not None]
        squares[two] = [stamp.add(*each) for each in found]
        of_dominoes = [crown is not None for _, crown in seen[: len(halves[one])]]
        halves[two] = squares[two][: sum(of_dominoes)]
        known += [stamp.add_decoy(*each, rng) for each in found if rng.random() < DECOY_SHARE]
        known += [stamp.move(*each) for each in found if rng.random() < MOVED_SHARE]
    for number in sorted(labels.keys() - dominoes.keys()):
        two, other = labels[number]
        right = [_crown_outside(stamp, half) for half in halves[other]]
        dominoes[number] = [
            np.hstack([half, right[k % len(right)]]) for k, half in enumerate(halves[two])
        ]


def _crown_outside(stamp: CrownStamp, half: Image) -> Image:
    """A right half of a domino: its crown lies to the right."""
    crown = stamp.find(half)
    is_left = crown is not None and crown.turns == 0 and crown.centre[0] < stamp.side / 2
    return stamp.move(half, crown) if crown is not None and is_left else half
