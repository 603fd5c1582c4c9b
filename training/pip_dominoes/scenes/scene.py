"""A table with dominoes and other things, seen by a camera, and what is there to be found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from training.common.arrays import Image, Matrix, Rng
from training.common.camera import Camera
from training.common.light import fill
from training.pip_dominoes.scenes.arrange import Place, Table, arrange
from training.pip_dominoes.scenes.face import draw_back, draw_face, pip_places
from training.pip_dominoes.scenes.style import Style, random_style
from training.pip_dominoes.scenes.surroundings import in_shadow, lay_prints, spread_cloth, stand
from training.pip_dominoes.scenes.table import (
    SURFACES,
    cut_surface,
    draw_alike,
    draw_surface,
    put_hand,
    put_things,
    put_words,
)

# A face of which more is hidden cannot be read for sure.
_UNREAD, _UNREAD_NUMERAL = 0.2, 0.06
_ARRANGEMENTS = {
    "scatter": 0.3, "rows": 0.27, "chain": 0.2, "fan": 0.07, "pile": 0.08, "rack": 0.08,
}  # fmt: skip
_RACK_TILT_DEG, _LOW_TILT_DEG = (35.0, 62.0), (48.0, 70.0)
# Shares of the light that shadows take, as usual and with black sets.
_SHADOWS, _DEEP = (0.15, 0.75), (0.6, 0.95)
_MOST = 28


@dataclass(frozen=True)
class SceneSettings:
    """``size_px`` is the side of the square picture, ``tile_px`` the range of short sides.

    Of the grounds ``alike_share`` are nearly of the colour of the dominoes, ``cloth_share`` cloths
    with patterns. Of the scenes ``words_share`` show writing, ``print_share`` boards, text and
    other games' tiles, ``standing_share`` dominoes that stand with their backs to the camera,
    ``cross_share`` crosses of dominoes that touch, ``low_share`` are seen from very low,
    ``dark_share`` black sets in deep shadows.
    """

    size_px: int = 640
    tile_px: tuple[float, float] = (17.0, 105.0)
    photo_share: float = 0.5
    empty_share: float = 0.06
    back_share: float = 0.12
    hand_share: float = 0.07
    max_tilt_deg: float = 62.0
    alike_share: float = 0.0
    words_share: float = 0.0
    cloth_share: float = 0.0
    print_share: float = 0.0
    standing_share: float = 0.0
    cross_share: float = 0.0
    low_share: float = 0.0
    dark_share: float = 0.0


@dataclass(frozen=True, eq=False)
class Drawn:
    """A face that can be seen: corners (4, 2) from the first half's side on, clockwise as printed.

    ``pips`` (n, 3) are x, y and the half (0 or 1) of every pip; ``hidden`` is the share of the
    face that something covers or the picture cuts off, ``readable`` whether every pip is seen,
    ``numerals`` that figures stand for the pips.
    """

    halves: tuple[int, int]
    corners: Matrix
    pips: Matrix
    hidden: float
    readable: bool
    numerals: bool


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture (h, w, 3) RGB and its dominoes; corners (n, 4, 2) of those that show a back."""

    rgb: Image
    drawn: tuple[Drawn, ...]
    backs: Matrix
    highest: int


def _halves(style: Style, count: int, rng: Rng) -> list[tuple[int, int]]:
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
    rng: Rng,
    photographs: Sequence[Image] = (),
    style: Style | None = None,
    arrangement: str | None = None,
    count: int | None = None,
    surface: str | None = None,
    tile_px: float | None = None,
    prints: Sequence[Image] = (),
) -> Scene:
    """A scene; what is not given is drawn by lot."""

    def drawn(share: float) -> bool:
        return bool(share and rng.random() < share)

    size, style = settings.size_px, style or random_style(rng)
    dark = drawn(settings.dark_share)
    if dark:
        style = in_shadow(style, rng)
    if tile_px is None:
        tile_px = float(np.exp(rng.uniform(*np.log(settings.tile_px))))
    if surface is None and drawn(settings.alike_share):
        ground = draw_alike(size, style.body, rng)
    elif surface is None and photographs and rng.random() < settings.photo_share:
        ground = cut_surface(photographs, size, rng)
    else:
        kind = surface or SURFACES[rng.integers(len(SURFACES))]
        ground = draw_surface(kind, size, tile_px, rng)
    kind = arrangement or str(rng.choice(list(_ARRANGEMENTS), p=list(_ARRANGEMENTS.values())))
    if drawn(settings.cross_share):
        kind = "cross"
    camera = _camera(kind, settings, tile_px, rng, low=drawn(settings.low_share))
    picture = ground.astype(np.float32)
    if drawn(settings.cloth_share):
        picture = spread_cloth(size, camera, rng)
    empty = count is None and rng.random() < settings.empty_share
    if not count:
        # As many dominoes as there is room for, or fewer.
        most = int(np.clip((size / tile_px) ** 2 / 3.2, 1, _MOST))
        count = int(rng.integers(1, most + 1))
    if kind == "rack":
        places = _in_rack(min(count, int(1.1 * size / tile_px) + 1), rng)
    else:
        places = arrange(kind, count, style.length, rng)
    numbers = _halves(style, len(places), rng)
    table = _Table(picture, camera, style, tile_px, rng)
    put_things(table, int(rng.integers(0, 5)) if rng.random() < 0.5 or empty else 0)
    if drawn(settings.print_share):
        lay_prints(table, prints)
    if drawn(settings.words_share):
        put_words(table)
    back_share = settings.back_share if rng.random() < 0.4 else 0.0
    if empty:
        # Nothing, or face-down dominoes alone.
        back_share = 1.0
        numbers = numbers[: 4 if settings.empty_share < 1 and rng.random() < 0.5 else 0]
    if dark and numbers:
        numbers[0] = (0, 0)
    lying = len(places)
    if drawn(settings.standing_share):
        lying = max(lying - int(rng.integers(1, 5)), 0)
    table.lay(places[:lying], numbers, back_share, _DEEP if dark else _SHADOWS)
    table.stand(places[lying:])
    if kind == "rack":
        table.put_rack(min(lying, len(numbers)))
    if settings.empty_share < 1 and rng.random() < settings.hand_share:
        put_hand(table)
    return table.scene()


def _in_rack(count: int, rng: Rng) -> list[Place]:
    gap = 1.02 + float(rng.choice([0.0, 0.04, 0.3]))
    return [Place((k - count / 2) * gap, 0, np.pi / 2 + 0.01 * rng.normal()) for k in range(count)]


def _camera(kind: str, settings: SceneSettings, tile_px: float, rng: Rng, *, low: bool) -> Camera:
    size, rack = settings.size_px, kind == "rack"
    tilt = rng.uniform(*_RACK_TILT_DEG) if rack else abs(rng.normal(0, 22))
    turn = rng.normal(0, 8) if rack else rng.uniform(0, 360)
    x, y = (rng.normal(0, 0.08, 2) * size + size / 2).tolist()
    if low:
        # The table ends above the picture.
        tilt = rng.uniform(*_LOW_TILT_DEG)
        away = max(rng.uniform(0.6, 0.9) * size / tile_px * np.tan(np.deg2rad(tilt)), 8.0)
    else:
        tilt = min(tilt, settings.max_tilt_deg)
        away = rng.uniform(9, 40) + size / tile_px / 2
    return Camera.above((0, 0), (x, y), tile_px, tilt_deg=tilt, turn_deg=turn, distance=away)


class _Table(Table):
    """A table and what lies on it: the faces and the corners (4, 2) of backs."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.texture_px = int(np.clip(1.2 * self.tile_px, 24, 120))
        self.faces: list[tuple[Matrix, Matrix, tuple[int, int]]] = []
        self.backs: list[Matrix] = []

    def lay(
        self,
        places: list[Place],
        numbers: list[tuple[int, int]],
        back_share: float,
        shadows: tuple[float, float],
    ) -> None:
        """Put dominoes from below and from the back, as many as there are places and numbers."""
        dominoes = list(zip(places, numbers, strict=False))
        if dominoes:
            self.cast_shadows(places[: len(dominoes)], shadows)
        for place, halves in sorted(
            dominoes, key=lambda each: (each[0].level, self._down(each[0]))
        ):
            self._put(place, halves, back=self.rng.random() < back_share)

    def _down(self, place: Place) -> float:
        """How far down in the picture a place is."""
        return float(self.camera.on_plane(np.array([(place.x, place.y)]))[0, 1])

    def _put(self, place: Place, halves: tuple[int, int], *, back: bool) -> None:
        style, rng = self.style, self.rng
        # Drawn larger and averaged, so that small pips keep their size.
        large = round(self.texture_px / 0.6)
        flat = draw_back(style, large, rng) if back else draw_face(style, halves, large, rng)
        size = (round(0.6 * flat.shape[1]), round(0.6 * flat.shape[0]))
        texture = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.float32)
        corners = self.put_tile(place, texture, 0 if back else len(self.faces) + 1)
        if back:
            self.backs.append(corners)
            return
        spots = [np.zeros((0, 3))]
        if not style.numerals:
            for half, points in enumerate(pip_places(style, halves)):
                height = (place.level + 1) * style.thickness
                pixels = self.camera.on_plane(place.put(points), height)
                spots.append(np.column_stack([pixels, np.full(len(points), half)]))
        self.faces.append((corners, np.concatenate(spots), halves))

    def stand(self, places: list[Place]) -> None:
        """Stand dominoes among those that lie, the far ones first."""
        for place in sorted(places, key=self._down):
            back = draw_back(self.style, self.texture_px, self.rng)
            self.backs.append(stand(self, place, back))

    def put_rack(self, count: int) -> None:
        """The ledge that hides the feet of ``count`` dominoes in a row along x."""
        style, rng, reach = self.style, self.rng, 2 * count + 1
        low, high = style.length * rng.uniform(0.40, 0.5), style.length * rng.uniform(0.6, 1.2)
        ledge = np.array([(-reach, low), (reach, low), (reach, high), (-reach, high)])
        pixels = self.camera.on_plane(ledge, style.thickness * 1.2)
        fill(self.picture, pixels, [0.7 * v for v in style.back_colour])
        cv2.fillPoly(self.owner, [np.round(pixels).astype(np.int32)], 0)

    def scene(self) -> Scene:
        """What the picture shows."""
        seen = np.bincount(self.owner.ravel(), minlength=len(self.faces) + 1)
        drawn = tuple(self._drawn(k, int(seen[k]), *f) for k, f in enumerate(self.faces, 1))
        rgb = np.clip(self.picture, 0, 255).astype(np.uint8)
        return Scene(rgb, drawn, np.array(self.backs).reshape(-1, 4, 2), self.style.highest)

    def _drawn(
        self, number: int, seen: int, corners: Matrix, spots: Matrix, halves: tuple[int, int]
    ) -> Drawn:
        """A face of which so many pixels are seen."""
        style = self.style
        area = float(cv2.contourArea(corners.astype(np.float32))) * (1 - 0.6 * style.rounding**2)
        hidden = float(np.clip(1 - seen / max(area, 1), 0, 1))
        at = np.round(spots[:, :2]).astype(int)
        inside = ((at >= 0) & (at < len(self.owner))).all()
        whole = bool(inside and (self.owner[at[:, 1], at[:, 0]] == number).all())
        readable = whole and hidden < (_UNREAD_NUMERAL if style.numerals else _UNREAD)
        return Drawn(halves, corners, spots, hidden, readable, style.numerals)
