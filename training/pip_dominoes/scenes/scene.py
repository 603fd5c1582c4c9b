"""Scenes: a table with dominoes and other things, as chance or somebody wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.common.arrays import Image, Rng
from training.common.camera import Camera
from training.common.synthetic import between
from training.pip_dominoes.scenes import surroundings
from training.pip_dominoes.scenes.domino import Style, in_shadow, random_style
from training.pip_dominoes.scenes.table import ARRANGEMENTS, Scene, Table

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


def draw_scene(
    settings: SceneSettings, rng: Rng, photographs: Sequence[Image] = (),
    style: Style | None = None, arrangement: str | None = None, count: int | None = None,
    surface: str | None = None, tile_px: float | None = None, prints: Sequence[Image] = (),
) -> Scene:  # fmt: skip
    """A scene; what is not given is drawn by lot."""

    def drawn(share: float) -> bool:
        return bool(share and rng.random() < share)

    size, style = settings.size_px, style or random_style(rng)
    dark = drawn(settings.dark_share)
    if dark:
        style = in_shadow(style, rng)
    tile_px = tile_px or between(*settings.tile_px, rng)
    if surface is None and drawn(settings.alike_share):
        ground = surroundings.draw_alike(size, style.body, rng)
    elif surface is None and photographs and rng.random() < settings.photo_share:
        ground = surroundings.cut_surface(photographs, size, rng)
    else:
        surface = surface or str(rng.choice(surroundings.SURFACES))
        ground = surroundings.draw_surface(surface, size, tile_px, rng)
    shares = [share for _, share in ARRANGEMENTS.values()]
    kind = arrangement or str(rng.choice(list(ARRANGEMENTS), p=shares))
    if drawn(settings.cross_share):
        kind = "cross"
    camera = _camera(kind, settings, tile_px, rng, low=drawn(settings.low_share))
    picture = ground.astype(np.float32)
    if drawn(settings.cloth_share):
        picture = surroundings.spread_cloth(size, camera, rng)
    empty = count is None and rng.random() < settings.empty_share
    if not count:
        # As many dominoes as there is room for, or fewer.
        most = int(np.clip((size / tile_px) ** 2 / 3.2, 1, _MOST))
        count = int(rng.integers(1, most + 1))
    if kind == "rack":
        count = min(count, int(1.1 * size / tile_px) + 1)
    places = ARRANGEMENTS[kind][0](count, style.length, rng)
    numbers = _halves(style, len(places), rng)
    table = Table(picture, camera, style, tile_px, rng)
    for _ in range(int(rng.integers(5)) if rng.random() < 0.5 or empty else 0):
        surroundings.put_thing(table)
    if drawn(settings.print_share):
        surroundings.lay_prints(table, prints)
    if drawn(settings.words_share):
        surroundings.put_words(table)
    back_share = settings.back_share if rng.random() < 0.4 else 0.0
    if empty:
        # Nothing, or face-down dominoes alone.
        back_share = 1.0
        numbers = numbers[: 4 if settings.empty_share < 1 and rng.random() < 0.5 else 0]
    if dark and numbers:
        numbers[0] = (0, 0)
    standing = int(rng.integers(1, 5)) if drawn(settings.standing_share) else 0
    lying = max(len(places) - standing, 0)
    dominoes = list(zip(places[:lying], numbers, strict=False))
    if dominoes:
        table.cast_shadows([place for place, _ in dominoes], _DEEP if dark else _SHADOWS)
    # From below and from the back; then what stands, the far ones first.
    for place, halves in sorted(dominoes, key=lambda each: (each[0].level, table.down(each[0]))):
        table.put(place, halves, back=rng.random() < back_share)
    for place in sorted(places[lying:], key=table.down):
        surroundings.stand(table, place)
    if kind == "rack":
        surroundings.put_rack(table, len(dominoes))
    if settings.empty_share < 1 and rng.random() < settings.hand_share:
        surroundings.put_hand(table)
    return table.scene()


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
