"""The six terrains: their ground, the ornaments on it, and the buildings on squares with crowns."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from scorer.kingdomino import Terrain
from training.common.arrays import Image, Rng
from training.common.synthetic import smooth_noise
from training.kingdomino.render.canvas import (
    Canvas,
    Colour,
    Point,
    Style,
    vary_colour,
)

# Ground colour, and the deviation of its soft clouds and fine grain in grey levels.
GROUND: dict[Terrain, tuple[Colour, float, float]] = {
    Terrain.WHEAT: ((243, 192, 22), 7, 5),
    Terrain.FOREST: ((98, 138, 30), 12, 6),
    Terrain.LAKE: ((28, 112, 214), 10, 3),
    Terrain.GRASSLAND: ((112, 196, 38), 9, 5),
    Terrain.SWAMP: ((184, 164, 120), 14, 6),
    Terrain.MINE: ((50, 46, 43), 6, 5),
}


def ground(terrain: Terrain, shape: tuple[int, int], rng: Rng) -> Image:
    """Draw the ground without ornaments, shape (h, w, 3)."""
    colour, clouds, grain = GROUND[terrain]
    base = np.array(vary_colour(colour, 0.05, rng), np.float32)
    height, width = shape
    across = max(2, round(4 * width / height))
    light = clouds * smooth_noise(shape, (4, across), rng)
    light += grain * smooth_noise(shape, (height // 4, width // 4), rng)
    tint = smooth_noise(shape, (3, across), rng)[..., None] * np.array([4, 0, -4], np.float32)
    rgb = base + light[..., None] + tint
    if terrain is Terrain.SWAMP:
        mud = smooth_noise(shape, (6, 2 * across), rng) > 0.55
        soft = cv2.GaussianBlur(mud.astype(np.float32), (0, 0), height / 90)[..., None]
        rgb = rgb * (1 - soft) + np.array(vary_colour((128, 100, 66), 0.1, rng), np.float32) * soft
    return np.clip(rgb, 0, 255).astype(np.uint8)


def draw_divider(canvas: Canvas, left: Terrain, right: Terrain, rng: Rng) -> None:
    """Draw the divider between the halves of a domino: a bank, a hedge, posts or a wall."""
    x = 1 + 0.02 * np.cumsum(rng.normal(0, 0.6, 25)).clip(-1.6, 1.6)
    path = [(float(a), float(b)) for a, b in zip(x, np.linspace(0, 1, 25), strict=True)]
    if left is not right:
        brown = vary_colour((134, 96, 30), 0.15, rng)
        canvas.line(path, brown, rng.uniform(0.03, 0.06))
        canvas.line([(a + 0.012, b) for a, b in path], (60, 42, 20), 0.012)
    elif left is Terrain.WHEAT:
        canvas.line(path, vary_colour((120, 72, 18), 0.15, rng), 0.014)
    elif left is Terrain.LAKE:
        for a, b in path[2::5]:
            canvas.ellipse((a, b), (0.02, 0.035), (84, 56, 30), rng.uniform(-40, 40))
    elif left is Terrain.GRASSLAND:
        for a, b in path:
            canvas.ellipse((a, b), (0.022, 0.02), vary_colour((150, 146, 138), 0.15, rng))


def draw_ornaments(
    canvas: Canvas,
    x: float,
    terrain: Terrain,
    rng: Rng,
    style: Style,
    *,
    beside_building: bool,
) -> None:
    """Draw ornaments over the square whose left edge is at ``x``, fewer beside a building."""
    _ORNAMENTS[terrain](canvas, x, rng, style, beside_building)


def _count(most: float, rng: Rng, style: Style) -> int:
    return int(rng.poisson(most * style.ornaments))


def _place(x: float, rng: Rng, margin: float = 0.08) -> tuple[float, float]:
    return x + float(rng.uniform(margin, 1 - margin)), float(rng.uniform(margin, 1 - margin))


def _wheat(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    for _ in range(_count(26, rng, style)):
        a, b = _place(x, rng, 0.04)
        reach = rng.uniform(0.01, 0.03)
        colour = vary_colour((214, 158, 20), 0.06, rng)
        canvas.line([(a - reach, b + reach), (a, b), (a + reach, b + reach)], colour, 0.006)
    for _ in range(_count(2.0, rng, style)):
        a, b = _place(x, rng, 0.12)
        turn, wing = rng.uniform(-1, 1), rng.uniform(0.018, 0.035)
        bird = [(a - wing, b - wing * turn), (a, b + wing / 2), (a + wing, b + wing * turn)]
        canvas.line(bird, (52, 44, 34), 0.014)
    if not beside_building and rng.random() < 0.3 * style.ornaments:
        a, b = _place(x, rng, 0.2)
        canvas.shadow((a + 0.03, b + 0.05), (0.09, 0.04), 0.4)
        canvas.ellipse((a, b), (0.07, 0.055), vary_colour((206, 150, 40), 0.1, rng))
        canvas.ellipse((a - 0.03, b), (0.035, 0.05), vary_colour((232, 188, 90), 0.1, rng))


def _forest(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    rows = np.linspace(0.1, 0.9, int(rng.integers(4, 6)))
    for row in rows:
        for place in np.arange(0.1, 0.95, rng.uniform(0.17, 0.23)):
            a = x + float(np.clip(place + rng.normal(0, 0.03), 0.07, 0.93))
            b = float(np.clip(row + rng.normal(0, 0.025), 0.08, 0.9))
            if beside_building and abs(a - x - 0.5) < 0.27 and abs(b - 0.55) < 0.3:
                continue
            if rng.random() < 0.1:
                continue
            if rng.random() < 0.7:
                _round_tree(canvas, a, b, rng, style)
            else:
                _conifer(canvas, a, b, rng)
    for _ in range(_count(6, rng, style)):
        a, b = _place(x, rng, 0.03)
        canvas.ellipse((a, b), (0.008, 0.008), vary_colour((222, 220, 150), 0.1, rng))


def _round_tree(canvas: Canvas, a: float, b: float, rng: Rng, style: Style) -> None:
    radius = rng.uniform(0.075, 0.115)
    leaf = vary_colour((36, 96, 28), 0.16, rng)
    dark = (int(leaf[0] * 0.45), int(leaf[1] * 0.5), int(leaf[2] * 0.5))
    canvas.shadow((a + 0.02, b + radius), (radius, radius * 0.5), 0.55)
    edge = radius * (1 + 0.16 * style.outline)
    canvas.ellipse((a, b), (edge, edge), dark)
    canvas.ellipse((a, b), (radius * 0.94, radius * 0.92), leaf)
    light = (min(255, int(leaf[0] * 1.5)), min(255, int(leaf[1] * 1.35)), leaf[2])
    canvas.ellipse((a - radius * 0.25, b - radius * 0.3), (radius * 0.5, radius * 0.42), light)
    for _ in range(4):
        away, turn = radius * rng.uniform(0.2, 0.7), rng.uniform(0, 2 * np.pi)
        spot = (a + away * float(np.cos(turn)), b + away * float(np.sin(turn)))
        canvas.ellipse(spot, (radius * 0.2, radius * 0.14), vary_colour(leaf, 0.2, rng))


def _conifer(canvas: Canvas, a: float, b: float, rng: Rng) -> None:
    tall, wide = rng.uniform(0.11, 0.15), rng.uniform(0.055, 0.075)
    leaf = vary_colour((26, 88, 40), 0.14, rng)
    canvas.shadow((a + 0.02, b + tall * 0.8), (wide, wide * 0.5), 0.5)
    for level in range(3):
        top = b - tall + level * tall * 0.5
        spread = wide * (0.6 + 0.2 * level)
        tier = [(a, top), (a - spread, top + tall * 0.75), (a + spread, top + tall * 0.75)]
        canvas.polygon(tier, (leaf[0] // 2, leaf[1] // 2, leaf[2] // 2))
        inner = [(a, top + 0.012), *((a + (p - a) * 0.8, q - 0.012) for p, q in tier[1:])]
        canvas.polygon(inner, leaf)


def _lake(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    for _ in range(_count(9, rng, style)):
        a, b = _place(x, rng)
        reach = rng.uniform(0.02, 0.06)
        wave = [(a + reach * t, b + 0.008 * float(np.sin(4 * t))) for t in np.linspace(-1, 1, 8)]
        canvas.line(wave, vary_colour((70, 156, 236), 0.08, rng), 0.008)
    for _ in range(_count(1.5, rng, style)):
        a, b = _place(x, rng)
        for _ in range(int(rng.integers(1, 4))):
            p, q = a + rng.normal(0, 0.03), b + rng.normal(0, 0.03)
            canvas.ellipse((p, q), (0.02, 0.014), vary_colour((52, 150, 96), 0.15, rng))
    if not beside_building and rng.random() < 0.3 * style.ornaments:
        a, b = _place(x, rng, 0.2)
        turn = rng.uniform(-0.5, 0.5)
        ends = [(a - 0.11, b - 0.11 * turn), (a + 0.11, b + 0.11 * turn)]
        canvas.shadow((a, b + 0.04), (0.12, 0.04), 0.35)
        hull = [ends[0], (a, b + 0.05), ends[1], (a, b - 0.02)]
        canvas.polygon(hull, vary_colour((140, 82, 34), 0.15, rng))
        canvas.line(hull, (58, 34, 18), 0.01, closed=True)


def _grassland(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    for _ in range(_count(14, rng, style)):
        a, b = _place(x, rng, 0.03)
        colour = ((238, 226, 60), (250, 250, 235), (80, 160, 30))[int(rng.integers(3))]
        canvas.ellipse((a, b), (0.009, 0.009), vary_colour(colour, 0.05, rng))
    for _ in range(_count(2 if beside_building else 6, rng, style)):
        a, b = _place(x, rng)
        side = float(rng.choice([-1, 1]))
        canvas.shadow((a, b + 0.025), (0.035, 0.018), 0.4)
        canvas.ellipse((a, b), (0.032, 0.025), vary_colour((240, 238, 230), 0.04, rng))
        canvas.ellipse((a + 0.028 * side, b - 0.008), (0.012, 0.011), (70, 60, 56))


def _swamp(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    for _ in range(_count(2 if beside_building else 5, rng, style)):
        a, b = _place(x, rng, 0.12)
        reach = rng.uniform(0.05, 0.12)
        brown = vary_colour((96, 62, 38), 0.15, rng)
        canvas.shadow((a, b + 0.03), (reach, 0.03), 0.45)
        root = [(a + reach * t, b - 0.05 * float(np.cos(1.5 * t))) for t in np.linspace(-1, 1, 9)]
        canvas.line(root, brown, rng.uniform(0.015, 0.035))
        twig = (a + rng.normal(0, 0.06), b - rng.uniform(0.06, 0.11))
        canvas.line([(a, b - 0.05), twig], brown, 0.014)
    for _ in range(_count(7, rng, style)):
        a, b = _place(x, rng)
        lean = rng.normal(0, 0.01)
        canvas.line([(a, b), (a + lean, b - 0.05)], vary_colour((112, 112, 50), 0.15, rng), 0.008)
    for _ in range(_count(3, rng, style)):
        canvas.ellipse(_place(x, rng), (0.03, 0.012), vary_colour((206, 196, 160), 0.06, rng))


def _mine(canvas: Canvas, x: float, rng: Rng, style: Style, beside_building: bool) -> None:
    for _ in range(_count(7, rng, style)):
        draw_rock(canvas, *_place(x, rng), rng.uniform(0.015, 0.05), rng)
    for _ in range(_count(4, rng, style)):
        canvas.ellipse(_place(x, rng), (0.012, 0.01), vary_colour((240, 204, 60), 0.1, rng))
    if not beside_building:
        middle_x, middle_y = x + rng.uniform(0.4, 0.6), rng.uniform(0.42, 0.6)
        for _ in range(12):
            a, b = middle_x + rng.normal(0, 0.11), middle_y + rng.normal(0, 0.09)
            draw_rock(canvas, a, b, rng.uniform(0.07, 0.12), rng)


def draw_rock(canvas: Canvas, a: float, b: float, radius: float, rng: Rng) -> None:
    """Draw a boulder lit from above, ``radius`` in squares."""
    turns = np.sort(rng.uniform(0, 2 * np.pi, 8))
    reach = radius * rng.uniform(0.75, 1.1, 8)
    edge = [
        (a + float(r * np.cos(t)), b + float(0.8 * r * np.sin(t)))
        for r, t in zip(reach, turns, strict=True)
    ]
    stone = vary_colour((206, 184, 130), 0.1, rng)
    canvas.polygon([(p + 0.006, q + 0.01) for p, q in edge], (70, 58, 38))
    canvas.polygon(edge, stone)
    light = [
        (a + 0.55 * (p - a) - radius * 0.15, b + 0.5 * (q - b) - radius * 0.2) for p, q in edge
    ]
    canvas.polygon(light, vary_colour((232, 214, 166), 0.05, rng))


_ORNAMENTS: dict[Terrain, Callable[[Canvas, float, Rng, Style, bool], None]] = {
    Terrain.WHEAT: _wheat,
    Terrain.FOREST: _forest,
    Terrain.LAKE: _lake,
    Terrain.GRASSLAND: _grassland,
    Terrain.SWAMP: _swamp,
    Terrain.MINE: _mine,
}


def draw_building(canvas: Canvas, x: float, terrain: Terrain, crowns: int, rng: Rng) -> None:
    """Draw the building on a square with ``crowns`` whose left edge is at ``x``."""
    middle = (x + float(rng.normal(0.5, 0.03)), float(rng.normal(0.62, 0.02)))
    larger = canvas.zoomed(middle, float(rng.uniform(1.2, 1.4)))
    _BUILDINGS[terrain](larger, middle, float(rng.uniform(0.9, 1.1)), crowns, rng)


def _house(
    canvas: Canvas,
    middle: Point,
    size: float,
    wall: Colour,
    roof: Colour,
    rng: Rng,
) -> None:
    """Draw a house from above at a slant: wall, gable, the lit and the dark side of the roof."""
    a, b = middle
    side = float(rng.choice([-1, 1]))
    wide, tall, deep = 0.15 * size, 0.12 * size, 0.1 * size

    def at(p: float, q: float) -> Point:
        return a + side * p, b + q

    canvas.shadow((a, b + tall), (0.26 * size, 0.09 * size), 0.55)
    front = [at(-wide, 0), at(-wide, tall), at(0.02, tall + 0.03), at(0.02, 0.03)]
    gable = [
        at(0.02, 0.03),
        at(0.02, tall + 0.03),
        at(wide + 0.03, tall - 0.02),
        at(wide + 0.03, -0.02),
        at(0.09 * size, -deep),
    ]
    canvas.polygon(front, wall)
    canvas.polygon(gable, (int(wall[0] * 0.8), int(wall[1] * 0.8), int(wall[2] * 0.8)))
    beam = (int(wall[0] * 0.4), int(wall[1] * 0.32), int(wall[2] * 0.25))
    for outline in (front, gable):
        canvas.line(outline, beam, 0.01, closed=True)
    canvas.polygon([at(0.06, tall), at(0.06, 0.05), at(0.1, 0.045), at(0.1, tall - 0.01)], beam)
    near = [
        at(-wide - 0.03, 0.02),
        at(0.01, 0.055),
        at(0.1 * size, -deep - 0.03),
        at(-wide + 0.06, -deep - 0.05),
    ]
    far = [
        at(0.1 * size, -deep - 0.03),
        at(0.01, 0.055),
        at(0.045, 0.06),
        at(wide + 0.06, 0.0),
        at(0.12 * size, -deep - 0.03),
    ]
    canvas.polygon(far, (int(roof[0] * 0.6), int(roof[1] * 0.6), int(roof[2] * 0.6)))
    canvas.polygon(near, roof)
    for share in (0.25, 0.5, 0.75):
        start = _between(near[0], near[1], share)
        end = _between(near[3], near[2], share)
        canvas.line([start, end], vary_colour(roof, 0.2, rng), 0.008)
    canvas.line(
        near, (int(roof[0] * 0.4), int(roof[1] * 0.4), int(roof[2] * 0.4)), 0.01, closed=True
    )


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _mill(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    for number in range(crowns):
        a = middle[0] + 0.2 * (number - (crowns - 1) / 2)
        b = middle[1] + 0.02
        canvas.shadow((a + 0.06, b + 0.14), (0.2, 0.08), 0.5)
        tower = [
            (a - 0.1 * size, b + 0.18),
            (a - 0.06 * size, b - 0.1),
            (a + 0.06 * size, b - 0.1),
            (a + 0.1 * size, b + 0.18),
        ]
        wood = vary_colour((128, 84, 40), 0.12, rng)
        canvas.polygon(tower, wood)
        canvas.line(tower, (58, 36, 18), 0.012, closed=True)
        canvas.polygon(
            [(a - 0.1 * size, b - 0.08), (a, b - 0.2), (a + 0.1 * size, b - 0.08)],
            vary_colour((196, 150, 50), 0.12, rng),
        )
        canvas.polygon(
            [
                (a - 0.025, b + 0.18),
                (a - 0.025, b + 0.1),
                (a + 0.025, b + 0.1),
                (a + 0.025, b + 0.18),
            ],
            (52, 32, 18),
        )
        turn, hub = rng.uniform(0, np.pi / 2), (a, b - 0.06)
        for arm in range(4):
            c, s = np.cos(turn + arm * np.pi / 2), np.sin(turn + arm * np.pi / 2)
            reach, broad = 0.21 * size, 0.032

            def at(p: float, q: float, c: float = c, s: float = s, hub: Point = hub) -> Point:
                return hub[0] + p * c - q * s, hub[1] + p * s + q * c

            sail = [at(0.04, 0), at(0.04, broad * 2), at(reach, broad * 2), at(reach, 0)]
            canvas.polygon(sail, vary_colour((236, 214, 176), 0.05, rng))
            canvas.line(sail, (140, 62, 34), 0.009, closed=True)
            canvas.line([at(0.04, broad), at(reach, broad)], (140, 62, 34), 0.006)
            canvas.line([at(0, 0), at(reach, 0)], (84, 46, 22), 0.012)


def _cabin(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    a, b = middle
    canvas.ellipse(
        (a, b + 0.08), (0.27 * size, 0.18 * size), vary_colour((212, 200, 176), 0.06, rng)
    )
    _house(
        canvas,
        (a, b - 0.01),
        size * 1.15,
        vary_colour((120, 84, 50), 0.1, rng),
        vary_colour((110, 72, 42), 0.12, rng),
        rng,
    )
    for number in range(3 * crowns):
        log = a - 0.2 + 0.05 * number, b + 0.2
        canvas.line(
            [log, (log[0] + 0.08, log[1] + 0.02)], vary_colour((158, 108, 58), 0.15, rng), 0.028
        )


def _stilt_house(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    a, b = middle
    pier = [(a - 0.24, b + 0.08), (a - 0.02, b + 0.02), (a + 0.27, b + 0.11), (a + 0.03, b + 0.2)]
    canvas.polygon([(p, q + 0.03) for p, q in pier], (14, 50, 110))
    canvas.polygon(pier, vary_colour((170, 96, 44), 0.1, rng))
    for share in (0.2, 0.4, 0.6, 0.8):
        canvas.line(
            [_between(pier[0], pier[3], share), _between(pier[1], pier[2], share)],
            (104, 54, 24),
            0.008,
        )
    for post in pier:
        canvas.line([post, (post[0], post[1] + 0.05)], (84, 48, 24), 0.018)
    _house(
        canvas,
        (a, b - 0.02),
        size,
        vary_colour((232, 216, 184), 0.05, rng),
        vary_colour((204, 172, 44), 0.1, rng),
        rng,
    )
    for number in range(crowns):
        boat = a - 0.05 + 0.2 * number, b + 0.27
        canvas.ellipse(boat, (0.09, 0.028), (92, 50, 22))
        canvas.ellipse(
            (boat[0], boat[1] - 0.012), (0.06, 0.024), vary_colour((236, 196, 50), 0.1, rng)
        )


def _farm(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    red = vary_colour((190, 48, 34), 0.12, rng)
    wall = vary_colour((238, 224, 200), 0.04, rng)
    if crowns > 1:
        _house(canvas, (middle[0] + 0.13, middle[1] - 0.03), size * 0.85, wall, red, rng)
    _house(canvas, middle, size * 1.15, wall, red, rng)
    for _ in range(4 + 3 * crowns):
        a, b = middle[0] + rng.uniform(-0.32, 0.32), middle[1] + rng.uniform(0.2, 0.3)
        canvas.ellipse((a, b), (0.028, 0.02), vary_colour((226, 170, 170), 0.08, rng))
    fence = [(middle[0] + 0.22, middle[1] + 0.1), (middle[0] + 0.38, middle[1] + 0.14)]
    canvas.line(fence, (120, 78, 40), 0.016)


def _hut(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    a, b = middle
    wood = vary_colour((134, 74, 38), 0.12, rng)
    canvas.shadow((a, b + 0.16), (0.27, 0.1), 0.6)
    canvas.ellipse((a, b + 0.1), (0.26 * size, 0.1 * size), (70, 38, 20))
    canvas.ellipse((a, b + 0.08), (0.25 * size, 0.085 * size), wood)
    tent = [(a - 0.17 * size, b + 0.08), (a - 0.02, b - 0.19 * size), (a + 0.16 * size, b + 0.05)]
    canvas.polygon(tent, vary_colour((164, 146, 98), 0.1, rng))
    canvas.polygon([tent[1], (a + 0.03, b + 0.09), tent[2]], vary_colour((120, 104, 66), 0.1, rng))
    canvas.line(tent, (66, 50, 30), 0.012, closed=True)
    goods = ((96, 160, 70), (150, 90, 170), (210, 210, 205), (70, 120, 140))
    for number in range(3 + 2 * crowns):
        jar = a - 0.18 + 0.06 * number, b + 0.1 + 0.02 * (number % 2)
        canvas.ellipse(jar, (0.026, 0.034), vary_colour(goods[number % 4], 0.15, rng))
    for _ in range(4 * (crowns - 1)):
        smoke = a - 0.18 + rng.normal(0, 0.04), b - 0.1 + rng.normal(0, 0.07)
        canvas.ellipse(smoke, (0.035, 0.03), vary_colour((214, 222, 222), 0.05, rng))


def _pit(canvas: Canvas, middle: Point, size: float, crowns: int, rng: Rng) -> None:
    a, b = middle
    for _ in range(18):
        p, q = a + rng.normal(0, 0.12) * size, b - 0.06 + abs(rng.normal(0, 0.07)) * size
        draw_rock(canvas, p, q, rng.uniform(0.07, 0.12), rng)
    for number in range(crowns):
        p = a + 0.17 * (number - (crowns - 1) / 2)
        q = b + 0.02 * number
        wood = vary_colour((152, 72, 32), 0.12, rng)
        frame = [
            (p - 0.075, q + 0.14),
            (p - 0.06, q - 0.02),
            (p + 0.06, q - 0.02),
            (p + 0.075, q + 0.14),
        ]
        canvas.polygon(frame, (22, 16, 14))
        canvas.line(frame, wood, 0.03)
        cart = p + rng.normal(0, 0.02), q + 0.2
        canvas.polygon(
            [
                (cart[0] - 0.055, cart[1] - 0.02),
                (cart[0] + 0.055, cart[1] - 0.02),
                (cart[0] + 0.04, cart[1] + 0.04),
                (cart[0] - 0.04, cart[1] + 0.04),
            ],
            (96, 92, 92),
        )
        for _ in range(6):
            nugget = cart[0] + rng.normal(0, 0.025), cart[1] - 0.025 + rng.normal(0, 0.008)
            canvas.ellipse(nugget, (0.016, 0.014), vary_colour((250, 226, 70), 0.06, rng))


_BUILDINGS: dict[Terrain, Callable[[Canvas, Point, float, int, Rng], None]] = {
    Terrain.WHEAT: _mill,
    Terrain.FOREST: _cabin,
    Terrain.LAKE: _stilt_house,
    Terrain.GRASSLAND: _farm,
    Terrain.SWAMP: _hut,
    Terrain.MINE: _pit,
}
