"""The pictures of a data folder made ready for scenes; second crowns are stamped on squares."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain, cycle, product
from pathlib import Path

import cv2
import numpy as np

from scorer.kingdomino import CASTLE, GIANT_DOMINOES, Square
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import rotation
from training.kingdomino.corpus import DOMINOES, Corpus, read_rgb, resized
from training.kingdomino.render.scene import SURFACES, draw_surface
from training.kingdomino.render.tiles import render_domino, render_square
from training.kingdomino.scenes.kingdoms import Dominoes, Pictures, TileSet
from vision.kingdomino.result import CASTLE_COLOURS, ONE_CROWN

# The crown on a scan, in shares of a square: its box with a margin, and how far the next one lies.
_BOX = (0.03, 0.02, 0.35, 0.305)
_NEXT = np.array([0.289, 0.008])
# A crown is looked for at these sizes and angles, relative to the scan, after quarter turns.
_SCALES = (0.82, 0.89, 0.96, 1.03, 1.1, 1.18)
_ANGLES_DEG = (-6.0, 0.0, 6.0)
# Crowns lie in the upper part of an upright square, their middles so far from its sides.
_STRIP = 0.5
_FROM_SIDE = (0.1, 0.4)
_LEAST_SCORE = 0.6
# The edge around the crown that is copied with it, and how soft it is, in shares of a square.
_EDGE, _SOFT = 0.012, 0.006


@dataclass(frozen=True)
class Crown:
    """Where a crown lies on a square (side, side, 3) after ``turns`` quarter turns.

    ``centre`` (x, y) in pixels of it; ``scale`` beside scans; ``score``, a correlation, at most 1.
    """

    turns: int
    centre: tuple[float, float]
    scale: float
    angle_deg: float
    score: float


class CrownStamp:
    """The printed crown, learnt from upright scans (h, w, 3) of lakes with one crown.

    Pictures are square, with a side of ``side`` pixels.
    """

    def __init__(self, lakes: Iterable[Image], side: int) -> None:
        self.side = side
        whole = np.mean([_sized(lake, 256).astype(np.float64) for lake in lakes], axis=0)
        left, top, right, bottom = (round(share * 256) for share in _BOX)
        crop = whole[top:bottom, left:right].astype(np.uint8)
        self._crown = _whiteness(crop)
        hue, saturation, _ = cv2.split(cv2.cvtColor(crop, cv2.COLOR_RGB2HSV))
        water = (np.abs(hue.astype(int) - 104) < 14) & (saturation > 110)
        other = (~water).astype(np.uint8)
        outlines, _ = cv2.findContours(other, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        mask = np.zeros(crop.shape[:2], np.uint8)
        cv2.drawContours(mask, [max(outlines, key=cv2.contourArea)], -1, 255, cv2.FILLED)
        self._mask = mask.astype(np.float32) / np.float32(255)

    def find(self, picture: Image) -> Crown | None:
        """The one crown on a square, None where none is found for certain."""
        best = Crown(0, (0.0, 0.0), 1.0, 0.0, -np.inf)
        for turns in range(4):
            seen = _whiteness(np.rot90(picture, turns)[: round(self.side * _STRIP)])
            for scale, angle in product(_SCALES, _ANGLES_DEG):
                crown = self._warped(self._crown, scale, angle)
                scores = cv2.matchTemplate(seen, crown, cv2.TM_CCOEFF_NORMED)
                _, score, _, (x, y) = cv2.minMaxLoc(scores)
                if score > best.score:
                    centre = x + (crown.shape[1] - 1) / 2, y + (crown.shape[0] - 1) / 2
                    best = Crown(turns, centre, scale, angle, score)
        from_side = min(best.centre[0], self.side - 1 - best.centre[0]) / self.side
        fits = best.score >= _LEAST_SCORE and _FROM_SIDE[0] <= from_side <= _FROM_SIDE[1]
        return best if fits else None

    def add(self, picture: Image, crown: Crown) -> Image:
        """The square with the crown printed once more, beside itself."""
        turned = np.rot90(picture, crown.turns)
        return self._pasted(turned, turned, crown, self._step(crown))

    def move(self, picture: Image, crown: Crown) -> Image:
        """The square with its crown in the other corner, as on the right half of a domino."""
        turned = np.rot90(picture, crown.turns)
        mask = (self._placed(crown, np.zeros(2)) > 0.05).astype(np.uint8)
        bare = cv2.inpaint(np.ascontiguousarray(turned), mask, 3, cv2.INPAINT_TELEA)
        across = self.side - 1 - 2 * crown.centre[0]
        return self._pasted(np.asarray(bare, np.uint8), turned, crown, np.array([across, 0.0]))

    def add_decoy(self, picture: Image, crown: Crown, rng: Rng) -> Image:
        """The square with what is no crown where a second one would be: a piece of it, or glare."""
        turned = np.rot90(picture, crown.turns)
        step = self._step(crown)
        if rng.random() < 0.5:
            away = rng.uniform(0.25, 0.6, 2) * self.side
            other = np.roll(turned, np.round(-away).astype(int)[::-1], (0, 1))
            return self._pasted(turned, other, crown, step)
        x, y = crown.centre + step + rng.normal(0, 0.04, 2) * self.side
        columns, rows = np.meshgrid(np.arange(self.side), np.arange(self.side))
        width, height = rng.uniform(0.04, 0.13, 2) * self.side
        distance = ((columns - x) / width) ** 2 + ((rows - y) / height) ** 2
        light = np.exp(-(distance ** float(rng.uniform(1, 3))))[..., None] * rng.uniform(0.5, 1)
        lit = turned + (255.0 - turned) * light
        return np.rot90(lit.astype(np.uint8), -crown.turns).copy()

    def _step(self, crown: Crown) -> Matrix:
        """From the crown to the next one (x, y): towards the middle of the square."""
        side = 1 if crown.centre[0] < self.side / 2 else -1
        away = _NEXT * (side, 1) * crown.scale * self.side
        return rotation(np.deg2rad(crown.angle_deg)) @ away

    def _pasted(self, onto: Image, source: Image, crown: Crown, step: Matrix) -> Image:
        """``onto`` with the crown of ``source`` moved by ``step``, turned back."""
        moving, whole = np.c_[np.eye(2), step], np.ascontiguousarray(source)
        way, border = cv2.INTER_CUBIC, cv2.BORDER_REPLICATE
        moved = cv2.warpAffine(whole, moving, (self.side,) * 2, flags=way, borderMode=border)
        share = self._placed(crown, step)[..., None]
        mixed = np.clip(onto * (1 - share) + moved * share + 0.5, 0, 255).astype(np.uint8)
        return np.rot90(mixed, -crown.turns).copy()

    def _placed(self, crown: Crown, step: Matrix) -> Floats:
        """How much of each pixel (side, side) the crown moved by ``step`` takes."""
        shape = self._warped(self._mask, crown.scale, crown.angle_deg)
        at = np.array(crown.centre) + step - (np.array(shape.shape[::-1]) - 1) / 2
        placed = cv2.warpAffine(shape, np.c_[np.eye(2), at], (self.side, self.side))
        wide = 2 * max(round(_EDGE * self.side), 1) + 1
        placed = cv2.dilate(placed, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide)))
        return np.asarray(cv2.GaussianBlur(placed, (0, 0), _SOFT * self.side), np.float32)

    def _warped(self, stamp: Floats, scale: float, angle_deg: float) -> Floats:
        """The stamp, cut from a scan of 256 pixels, as large and aslant as on a picture."""
        factor = scale * self.side / 256
        height, width = (round(n * factor) for n in stamp.shape)
        about = cv2.getRotationMatrix2D((0, 0), -angle_deg, factor)
        middle = (np.array(stamp.shape[::-1]) - 1) / 2
        about[:, 2] = (np.array([width, height]) - 1) / 2 - about[:, :2] @ middle
        fine = cv2.GaussianBlur(stamp, (0, 0), 0.4 / factor)
        size, border = (width, height), cv2.BORDER_REPLICATE
        return np.asarray(cv2.warpAffine(fine, about, size, borderMode=border), np.float32)


def _whiteness(picture: Image) -> Floats:
    """The least of the channels: large on the white outline of a crown, small on all terrains."""
    return np.ascontiguousarray(picture.min(2)).astype(np.float32)


SQUARE_PX = 96
DRAWN_STYLES = 4
DRAWN_SURFACES = 12
# Of the squares with one crown that get a second one, the share that is shown changed in another
# way as well, still with one crown.
DECOY_SHARE = 0.3
MOVED_SHARE = 0.15


def _sized(picture: Image, side: int = SQUARE_PX, squares: int = 1) -> Image:
    return resized(picture, squares * side, side, cv2.INTER_CUBIC)


def _brown(pink: Image) -> Image:
    """A brown start tile, which no photograph shows, made from a pink one."""
    hsv = cv2.cvtColor(pink, cv2.COLOR_RGB2HSV).astype(np.int16)
    reddish = ((hsv[..., 0] > 150) | (hsv[..., 0] < 8)) & (hsv[..., 1] > 50)
    hsv[..., 0] = np.where(reddish, 12, hsv[..., 0])
    hsv[..., 2] = np.where(reddish, hsv[..., 2] * 0.62, hsv[..., 2])
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB), np.uint8)


def load_surfaces(corpus: Corpus, rng: Rng) -> list[Image]:
    """Pictures of tables: those of the folder, then drawn surfaces."""
    return [read_rgb(path) for path in corpus.backgrounds()] + [
        draw_surface(name, (255, 255), int(rng.integers(30, 120)), rng)
        for name in SURFACES
        for _ in range(DRAWN_SURFACES)
    ]


def load_tiles(folder: Path, held_out: Container[str], *, age_of_giants: bool = False) -> TileSet:
    """All tiles and tables of the folder except squares of held-out sessions, and drawn tiles.

    With ``age_of_giants`` its dominoes with two crowns too, made from the pictures of others.
    """
    corpus, rng = Corpus(folder), np.random.default_rng(0)
    labels, dominoes = dict(DOMINOES), Pictures({number: [] for number in DOMINOES})
    for kind in ("scan", "photo"):
        for number, picture in corpus.domino_pictures(kind).items():
            dominoes[number].append(_sized(picture, squares=2))
    starts, squares = Pictures(), Pictures()
    for colour, picture in corpus.start_tiles():
        tile = _sized(picture)
        starts.setdefault(colour, []).append(tile)
        if colour == "pink":
            starts.setdefault("brown", []).append(_brown(tile))
    single = corpus.squares() + corpus.scanned_squares()
    given = ((read_rgb(square.path), square.label, square.session) for square in single)
    for picture, label, session in chain(given, corpus.board_squares()):
        if session not in held_out:
            squares.setdefault(label, []).append(_sized(picture))
    if age_of_giants:
        new = [domino for domino in GIANT_DOMINOES if str(domino.left) in ONE_CROWN]
        labels |= {domino.number: (str(domino.left), str(domino.right)) for domino in new}
        add_two_crowns(labels, dominoes, squares, rng)
    surfaces, foreign = load_surfaces(corpus, rng), map(_sized, corpus.foreign_squares())
    drawn, count = Pictures(), 2 * DRAWN_STYLES
    for number, both in labels.items():
        left, right = map(Square.parse, both)
        drawn[number] = [render_domino(left, right, SQUARE_PX, rng) for _ in range(DRAWN_STYLES)]
    castle = partial(render_square, CASTLE, SQUARE_PX, rng)
    drawn_starts = {colour: [castle(colour) for _ in range(count)] for colour in CASTLE_COLOURS}
    return TileSet(labels, dominoes, starts, squares, surfaces, [*foreign], drawn, drawn_starts)


def add_two_crowns(labels: Dominoes, dominoes: Pictures, squares: Pictures, rng: Rng) -> None:
    """Add what only Age of Giants has, made from the pictures of squares with one crown.

    Those get company: with what is no crown beside the first one, and with it in another corner.
    """
    halves = Pictures()
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
            np.hstack(pair) for pair in zip(halves[two], cycle(right), strict=False)
        ]


def _crown_outside(stamp: CrownStamp, half: Image) -> Image:
    """A right half of a domino: its crown lies to the right."""
    crown = stamp.find(half)
    is_left = crown and crown.turns == 0 and crown.centre[0] < stamp.side / 2
    return stamp.move(half, crown) if crown and is_left else half
