"""A table with dominoes and other things, seen by a camera, and what is there to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.synthesis.arrange import Place, arrange
from vision.pip_dominoes.synthesis.camera import Camera
from vision.pip_dominoes.synthesis.face import (
    draw_back,
    draw_face,
    pip_places,
    rounded_outline,
)
from vision.pip_dominoes.synthesis.style import Style, random_style
from vision.pip_dominoes.synthesis.surfaces import SURFACES, cut_surface, draw_surface
from vision.pip_dominoes.synthesis.things import put_hand, put_things

__all__ = ["Drawn", "Scene", "SceneSettings", "draw_scene"]

Image = NDArray[np.uint8]
Points = NDArray[np.float64]

_SHIFT = 4
# A face of which more is hidden cannot be read for sure.
_UNREAD, _UNREAD_NUMERAL = 0.2, 0.06


@dataclass(frozen=True)
class SceneSettings:
    """``size_px`` is the side of the square picture, ``tile_px`` the range of short sides."""

    size_px: int = 640
    tile_px: tuple[float, float] = (17.0, 105.0)
    photo_share: float = 0.5
    empty_share: float = 0.06
    back_share: float = 0.12
    hand_share: float = 0.07


@dataclass(frozen=True, eq=False)
class Drawn:
    """A face that can be seen: corners (4, 2) from the first half's side on, clockwise as printed.

    ``pips`` (n, 3) are x, y and the half (0 or 1) of every pip; ``hidden`` is the share of the
    face that something covers or the picture cuts off, ``readable`` whether every pip is seen,
    ``numerals`` that figures stand for the pips.
    """

    halves: tuple[int, int]
    corners: Points
    pips: Points
    hidden: float
    readable: bool
    numerals: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture (h, w, 3) RGB and its dominoes; of face-down ones the corners (n, 4, 2)."""

    rgb: Image
    drawn: tuple[Drawn, ...]
    backs: Points
    highest: int


def _fill(picture: NDArray[np.float32], pixels: Points, colour: Sequence[float]) -> None:
    fixed = np.round(pixels * (1 << _SHIFT)).astype(np.int32)
    cv2.fillPoly(picture, [fixed], tuple(colour), cv2.LINE_AA, _SHIFT)


def _shadows(
    picture: NDArray[np.float32],
    camera: Camera,
    places: Sequence[Place],
    style: Style,
    rng: np.random.Generator,
) -> None:
    size = picture.shape[0]
    shade = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    throw = style.thickness * rng.uniform(0.1, 1.2) * np.array([np.cos(angle), np.sin(angle)])
    outline = rounded_outline(style.length, style.rounding)
    for place in places:
        for share in (0.0, 0.5, 1.0):
            _fill(shade, camera.pixels(place.put(outline * 1.02) + share * throw), (1.0,))
    tile_px = float(np.linalg.norm(np.subtract(*camera.pixels(np.array([(0.0, 0.0), (1.0, 0.0)])))))
    shade = cv2.GaussianBlur(shade, (0, 0), max(tile_px * rng.uniform(0.02, 0.12), 0.5))
    picture *= 1 - np.float32(rng.uniform(0.15, 0.75)) * shade[..., None]


def _put_tile(
    picture: NDArray[np.float32],
    owner: NDArray[np.int32],
    number: int,
    face: NDArray[np.float32],
    camera: Camera,
    place: Place,
    style: Style,
    light: float,
) -> Points:
    """Paint the sides and the face; the face's corners in pixels."""
    outline = rounded_outline(style.length, style.rounding)
    bottom, top = place.level * style.thickness, (place.level + 1) * style.thickness
    for share in np.linspace(0, 1, 5)[:-1]:
        tone = np.array(style.body) * light * (0.5 + 0.35 * share)
        pixels = camera.pixels(place.put(outline), bottom + share * (top - bottom))
        _fill(picture, pixels, tone)
        cv2.fillPoly(owner, [np.round(pixels).astype(np.int32)], 0)
    a = style.length / 2
    box = np.array([(-a, -0.5), (a, -0.5), (a, 0.5), (-a, 0.5)])
    corners = camera.pixels(place.put(box), top)
    rim = camera.pixels(place.put(outline), top)
    low = np.maximum(np.floor(rim.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(rim.max(0)).astype(int) + 2, picture.shape[0])
    if (high <= low).any():
        return corners
    width, height = (high - low).tolist()
    source = np.array([(0, 0), (face.shape[1], 0), face.shape[1::-1], (0, face.shape[0])])
    matrix = cv2.getPerspectiveTransform((source - 0.5).astype(np.float32), (corners - low).astype(np.float32))
    seen = cv2.warpPerspective(face * light, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round((rim - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    alpha = mask[..., None].astype(np.float32) / 255
    area = (slice(low[1], high[1]), slice(low[0], high[0]))
    picture[area] += (seen - picture[area]) * alpha
    owner[area][mask > 127] = number
    return corners


def _halves(style: Style, count: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Different tiles of the set; doubles and blanks somewhat more often than by chance."""
    chosen: dict[tuple[int, int], tuple[int, int]] = {}
    for _ in range(count * 4):
        a, b = (int(v) for v in rng.integers(0, style.highest + 1, 2))
        if rng.random() < 0.08:
            b = a
        if rng.random() < 0.08:
            a = 0
        chosen.setdefault((min(a, b), max(a, b)), (a, b))
        if len(chosen) == count:
            break
    return list(chosen.values())


def draw_scene(
    settings: SceneSettings,
    rng: np.random.Generator,
    photographs: Sequence[Image] = (),
    style: Style | None = None,
    arrangement: str | None = None,
    count: int | None = None,
    surface: str | None = None,
    tile_px: float | None = None,
) -> Scene:
    """A scene; what is not given is drawn by lot."""
    size = settings.size_px
    style = style or random_style(rng)
    if tile_px is None:
        tile_px = float(np.exp(rng.uniform(*np.log(settings.tile_px))))
    if surface is None and photographs and rng.random() < settings.photo_share:
        ground = cut_surface(photographs, size, rng)
    else:
        kind = surface or SURFACES[int(rng.integers(len(SURFACES)))]
        ground = draw_surface(kind, size, tile_px, rng)
    picture = np.ascontiguousarray(ground, np.float32)
    kind = arrangement or str(rng.choice(["scatter", "rows", "chain", "fan", "pile", "rack"], p=[0.3, 0.27, 0.2, 0.07, 0.08, 0.08]))
    tilt = float(rng.uniform(35, 62)) if kind == "rack" else abs(float(rng.normal(0, 22)))
    turn = float(rng.normal(0, 8)) if kind == "rack" else float(rng.uniform(0, 360))
    offset = rng.normal(0, 0.08, 2) * size + size / 2
    camera = Camera.above(
        (float(offset[0]), float(offset[1])), tile_px,
        tilt_deg=min(tilt, 62.0), turn_deg=turn, distance=float(rng.uniform(9, 40)) + size / tile_px / 2,
    )  # fmt: skip
    empty = count is None and rng.random() < settings.empty_share
    bare = settings.empty_share >= 1
    most = int(np.clip((size / tile_px) ** 2 / 3.2, 1, 28))
    count = count or int(np.clip(rng.integers(1, most + 1), 1, 28))
    if kind == "rack":
        gap = rng.choice([0.0, 0.04, 0.3])
        count = min(count, int(1.1 * size / tile_px) + 1)
        places = [Place((k - count / 2) * (1.02 + gap), 0.0, np.pi / 2 + 0.01 * rng.normal()) for k in range(count)]
    else:
        places = arrange(kind, count, style.length, rng)
    numbers = _halves(style, len(places), rng)
    places = places[: len(numbers)]
    put_things(picture, camera, style, int(rng.integers(0, 5)) if rng.random() < 0.5 or empty else 0, rng)
    owner = np.zeros((size, size), np.int32)
    if empty:
        if not bare and rng.random() < 0.5:
            places, numbers = places[:4], numbers[:4]
        else:
            places, numbers = [], []
    if places:
        _shadows(picture, camera, places, style, rng)
    texture_px = int(np.clip(2 * tile_px, 40, 200))
    put: list[tuple[Points, Points, tuple[int, int]]] = []
    backs: list[Points] = []
    back_share = 1.0 if empty else (settings.back_share if rng.random() < 0.4 else 0.0)
    order = sorted(range(len(places)), key=lambda k: (places[k].level, camera.pixels(np.array([(places[k].x, places[k].y)]))[0, 1]))
    for k in order:
        place, halves = places[k], numbers[k]
        light = float(rng.uniform(0.9, 1.06))
        back = rng.random() < back_share
        face = draw_back(style, texture_px, rng) if back else draw_face(style, halves, texture_px, rng)
        small = cv2.resize(face, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
        label = 0 if back else len(put) + 1
        corners = _put_tile(picture, owner, label, small, camera, place, style, light)
        if back:
            backs.append(corners)
            continue
        spots = [np.zeros((0, 3))]
        if not style.numerals:
            for half, points in enumerate(pip_places(style, halves)):
                if len(points):
                    pixels = camera.pixels(place.put(points), (place.level + 1) * style.thickness)
                    spots.append(np.column_stack([pixels, np.full(len(points), half)]))
        put.append((corners, np.concatenate(spots), halves))
    if kind == "rack" and places:
        reach = 2 * len(places)
        low, high = style.length * rng.uniform(0.40, 0.5), style.length * rng.uniform(0.6, 1.2)
        bar = camera.pixels(np.array([(-reach, low), (reach, low), (reach, high), (-reach, high)]), style.thickness * 1.2)
        _fill(picture, bar, np.array(style.back_colour) * 0.7)
        cv2.fillPoly(owner, [np.round(bar).astype(np.int32)], 0)
    if not bare and rng.random() < settings.hand_share:
        put_hand(picture, owner, tile_px, rng)
    drawn = []
    for number, (corners, spots, halves) in enumerate(put, 1):
        area = float(cv2.contourArea(corners.astype(np.float32)))
        hidden = 1 - float((owner == number).sum()) / max(area * (1 - 0.6 * style.rounding**2), 1)
        at = np.round(spots[:, :2]).astype(int)
        inside = ((at >= 0) & (at < size)).all(1)
        seen = bool(inside.all() and (owner[at[:, 1], at[:, 0]] == number).all())
        readable = seen and hidden < (_UNREAD_NUMERAL if style.numerals else _UNREAD)
        drawn.append(
            Drawn(halves, corners, spots, float(np.clip(hidden, 0, 1)), readable, style.numerals)
        )
    rgb = np.clip(picture, 0, 255).astype(np.uint8)
    return Scene(rgb, tuple(drawn), np.array(backs).reshape(-1, 4, 2), style.highest)
