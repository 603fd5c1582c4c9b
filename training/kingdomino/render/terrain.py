"""The six terrains: their ground, the ornaments on it, and the buildings on squares with crowns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np

from scorer.kingdomino import Terrain
from training.common.arrays import Image, Matrix, Rng
from training.common.synthetic import any_of, smooth_noise
from training.kingdomino.render.canvas import Canvas, Colour, Point, Style, shaded, vary_colour

Ornaments = Callable[[Canvas, Rng, Style, bool], None]
Building = Callable[[Canvas, float, int, Rng], None]


def ground(terrain: Terrain, shape: tuple[int, int], rng: Rng) -> Image:
    """Draw the ground without ornaments, shape (h, w, 3)."""
    colour, clouds, grain, *_ = GROUND[terrain]
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
    path = np.column_stack([x, np.linspace(0, 1, 25)])
    if left is not right:
        brown = vary_colour((134, 96, 30), 0.15, rng)
        canvas.line(path, brown, rng.uniform(0.03, 0.06))
        canvas.line(path + (0.012, 0), (60, 42, 20), 0.012)
    elif left is Terrain.WHEAT:
        canvas.line(path, vary_colour((120, 72, 18), 0.15, rng), 0.014)
    elif left is Terrain.LAKE:
        for place in path[2::5].tolist():
            canvas.ellipse(place, (0.02, 0.035), (84, 56, 30), rng.uniform(-40, 40))
    elif left is Terrain.GRASSLAND:
        for place in path.tolist():
            canvas.ellipse(place, (0.022, 0.02), vary_colour((150, 146, 138), 0.15, rng))


def _place(rng: Rng, margin: float) -> Point:
    return rng.uniform(margin, 1 - margin), rng.uniform(margin, 1 - margin)


def _spots(
    canvas: Canvas, most: float, rng: Rng, style: Style, margin: float = 0.08
) -> Iterator[Canvas]:
    """Places on the square, ``most`` of them on average in the plain style."""
    for _ in range(rng.poisson(most * style.ornaments)):
        yield canvas.at(_place(rng, margin))


def _wheat(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for here in _spots(canvas, 26, rng, style, 0.04):
        reach, colour = rng.uniform(0.01, 0.03), vary_colour((214, 158, 20), 0.06, rng)
        here.line([(-reach, reach), (0, 0), (reach, reach)], colour, 0.006)
    for here in _spots(canvas, 2.0, rng, style, 0.12):
        turn, wing = rng.uniform(-1, 1), rng.uniform(0.018, 0.035)
        bird = [(-wing, -wing * turn), (0, wing / 2), (wing, wing * turn)]
        here.line(bird, (52, 44, 34), 0.014)
    if not beside_building and rng.random() < 0.3 * style.ornaments:
        here = canvas.at(_place(rng, 0.2))
        here.shadow((0.03, 0.05), (0.09, 0.04), 0.4)
        here.ellipse((0, 0), (0.07, 0.055), vary_colour((206, 150, 40), 0.1, rng))
        here.ellipse((-0.03, 0), (0.035, 0.05), vary_colour((232, 188, 90), 0.1, rng))


def _forest(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for row in np.linspace(0.1, 0.9, int(rng.integers(4, 6))):
        for place in np.arange(0.1, 0.95, rng.uniform(0.17, 0.23)):
            a = float(np.clip(place + rng.normal(0, 0.03), 0.07, 0.93))
            b = float(np.clip(row + rng.normal(0, 0.025), 0.08, 0.9))
            if beside_building and abs(a - 0.5) < 0.27 and abs(b - 0.55) < 0.3:
                continue
            if rng.random() >= 0.1:
                tree = _round_tree if rng.random() < 0.7 else _conifer
                tree(canvas.at((a, b)), rng, style)
    for here in _spots(canvas, 6, rng, style, 0.03):
        here.ellipse((0, 0), (0.008, 0.008), vary_colour((222, 220, 150), 0.1, rng))


def _round_tree(canvas: Canvas, rng: Rng, style: Style) -> None:
    radius = rng.uniform(0.075, 0.115)
    leaf = vary_colour((36, 96, 28), 0.16, rng)
    canvas.shadow((0.02, radius), (radius, radius * 0.5), 0.55)
    edge = radius * (1 + 0.16 * style.outline)
    canvas.ellipse((0, 0), (edge, edge), shaded(leaf, (0.45, 0.5, 0.5)))
    canvas.ellipse((0, 0), (radius * 0.94, radius * 0.92), leaf)
    light = shaded(leaf, (1.5, 1.35, 1.0))
    canvas.ellipse((-radius * 0.25, -radius * 0.3), (radius * 0.5, radius * 0.42), light)
    for _ in range(4):
        away, turn = radius * rng.uniform(0.2, 0.7), rng.uniform(0, 2 * np.pi)
        spot = (away * float(np.cos(turn)), away * float(np.sin(turn)))
        canvas.ellipse(spot, (radius * 0.2, radius * 0.14), vary_colour(leaf, 0.2, rng))


def _conifer(canvas: Canvas, rng: Rng, style: Style) -> None:
    tall, wide = rng.uniform(0.11, 0.15), rng.uniform(0.055, 0.075)
    leaf = vary_colour((26, 88, 40), 0.14, rng)
    canvas.shadow((0.02, tall * 0.8), (wide, wide * 0.5), 0.5)
    for level in range(3):
        top = -tall + level * tall * 0.5
        foot, spread = top + tall * 0.75, wide * (0.6 + 0.2 * level)
        canvas.polygon([(0, top), (-spread, foot), (spread, foot)], shaded(leaf, 0.5))
        inner = [(0, top + 0.012), (-spread * 0.8, foot - 0.012), (spread * 0.8, foot - 0.012)]
        canvas.polygon(inner, leaf)


def _lake(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for here in _spots(canvas, 9, rng, style):
        reach = rng.uniform(0.02, 0.06)
        wave = [(reach * t, 0.008 * float(np.sin(4 * t))) for t in np.linspace(-1, 1, 8)]
        here.line(wave, vary_colour((70, 156, 236), 0.08, rng), 0.008)
    for here in _spots(canvas, 1.5, rng, style):
        for _ in range(int(rng.integers(1, 4))):
            leaf = rng.normal(0, 0.03), rng.normal(0, 0.03)
            here.ellipse(leaf, (0.02, 0.014), vary_colour((52, 150, 96), 0.15, rng))
    if not beside_building and rng.random() < 0.3 * style.ornaments:
        here, turn = canvas.at(_place(rng, 0.2)), rng.uniform(-0.5, 0.5)
        here.shadow((0, 0.04), (0.12, 0.04), 0.35)
        hull = [(-0.11, -0.11 * turn), (0, 0.05), (0.11, 0.11 * turn), (0, -0.02)]
        here.polygon(hull, vary_colour((140, 82, 34), 0.15, rng))
        here.line(hull, (58, 34, 18), 0.01, closed=True)


def _grassland(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for here in _spots(canvas, 14, rng, style, 0.03):
        colour = any_of(((238, 226, 60), (250, 250, 235), (80, 160, 30)), rng)
        here.ellipse((0, 0), (0.009, 0.009), vary_colour(colour, 0.05, rng))
    for here in _spots(canvas, 2 if beside_building else 6, rng, style):
        side = float(rng.choice([-1, 1]))
        here.shadow((0, 0.025), (0.035, 0.018), 0.4)
        here.ellipse((0, 0), (0.032, 0.025), vary_colour((240, 238, 230), 0.04, rng))
        here.ellipse((0.028 * side, -0.008), (0.012, 0.011), (70, 60, 56))


def _swamp(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for here in _spots(canvas, 2 if beside_building else 5, rng, style, 0.12):
        reach, brown = rng.uniform(0.05, 0.12), vary_colour((96, 62, 38), 0.15, rng)
        here.shadow((0, 0.03), (reach, 0.03), 0.45)
        root = [(reach * t, -0.05 * float(np.cos(1.5 * t))) for t in np.linspace(-1, 1, 9)]
        here.line(root, brown, rng.uniform(0.015, 0.035))
        twig = (rng.normal(0, 0.06), -rng.uniform(0.06, 0.11))
        here.line([(0, -0.05), twig], brown, 0.014)
    for here in _spots(canvas, 7, rng, style):
        lean = rng.normal(0, 0.01)
        here.line([(0, 0), (lean, -0.05)], vary_colour((112, 112, 50), 0.15, rng), 0.008)
    for here in _spots(canvas, 3, rng, style):
        here.ellipse((0, 0), (0.03, 0.012), vary_colour((206, 196, 160), 0.06, rng))


def _mine(canvas: Canvas, rng: Rng, style: Style, beside_building: bool) -> None:
    for here in _spots(canvas, 7, rng, style):
        _rock(here, rng.uniform(0.015, 0.05), rng)
    for here in _spots(canvas, 4, rng, style):
        here.ellipse((0, 0), (0.012, 0.01), vary_colour((240, 204, 60), 0.1, rng))
    if not beside_building:
        heap = canvas.at((rng.uniform(0.4, 0.6), rng.uniform(0.42, 0.6)))
        for _ in range(12):
            rock = heap.at((rng.normal(0, 0.11), rng.normal(0, 0.09)))
            _rock(rock, rng.uniform(0.07, 0.12), rng)


def _rock(canvas: Canvas, radius: float, rng: Rng) -> None:
    """Draw a boulder lit from above, ``radius`` in squares."""
    turns = np.sort(rng.uniform(0, 2 * np.pi, 8))
    reach = radius * rng.uniform(0.75, 1.1, 8)
    edge = np.column_stack([reach * np.cos(turns), 0.8 * reach * np.sin(turns)])
    stone = vary_colour((206, 184, 130), 0.1, rng)
    canvas.polygon(edge + (0.006, 0.01), (70, 58, 38))
    canvas.polygon(edge, stone)
    light = edge * (0.55, 0.5) - (radius * 0.15, radius * 0.2)
    canvas.polygon(light, vary_colour((232, 214, 166), 0.05, rng))


def draw_building(canvas: Canvas, terrain: Terrain, crowns: int, rng: Rng) -> None:
    """Draw the building on the square at the origin, which has ``crowns``."""
    middle = rng.normal(0.5, 0.03), rng.normal(0.62, 0.02)
    here = canvas.at(middle, rng.uniform(1.2, 1.4))
    *_, building = GROUND[terrain]
    building(here, rng.uniform(0.9, 1.1), crowns, rng)


def _house(canvas: Canvas, size: float, wall: Colour, roof: Colour, rng: Rng) -> None:
    """Draw a house from above at a slant: wall, gable, the lit and the dark side of the roof."""
    canvas = canvas.at((0, 0), mirrored=rng.choice([-1, 1]) < 0)
    wide, tall, deep = 0.15 * size, 0.12 * size, 0.1 * size
    canvas.shadow((0, tall), (0.26 * size, 0.09 * size), 0.55)
    front = [(-wide, 0), (-wide, tall), (0.02, tall + 0.03), (0.02, 0.03)]
    gable = [*front[:1:-1], (wide + 0.03, tall - 0.02), (wide + 0.03, -0.02), (0.09 * size, -deep)]
    canvas.polygon(front, wall)
    canvas.polygon(gable, shaded(wall, 0.8))
    wood = shaded(wall, (0.4, 0.32, 0.25))
    canvas.line(front, wood, 0.01, closed=True)
    canvas.line(gable, wood, 0.01, closed=True)
    canvas.polygon([(0.06, tall), (0.06, 0.05), (0.1, 0.045), (0.1, tall - 0.01)], wood)
    eaves, ridge = (0.01, 0.055), (0.1 * size, -deep - 0.03)
    near = [(-wide - 0.03, 0.02), eaves, ridge, (-wide + 0.06, -deep - 0.05)]
    far = [ridge, eaves, (0.045, 0.06), (wide + 0.06, 0.0), (0.12 * size, -deep - 0.03)]
    canvas.polygon(far, shaded(roof, 0.6))
    canvas.polygon(near, roof)
    for beam in _between([near[0], near[3]], [eaves, ridge], 3):
        canvas.line(beam, vary_colour(roof, 0.2, rng), 0.008)
    canvas.line(near, shaded(roof, 0.4), 0.01, closed=True)


def _between(start: list[Point], end: list[Point], count: int) -> Iterator[Matrix]:
    for share in np.arange(1, count + 1) / (count + 1):
        yield start + np.subtract(end, start) * share


def _mill(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    for number in range(crowns):
        here = canvas.at((0.2 * (number - (crowns - 1) / 2), 0.02))
        here.shadow((0.06, 0.14), (0.2, 0.08), 0.5)
        foot, top = 0.1 * size, 0.06 * size
        tower = [(-foot, 0.18), (-top, -0.1), (top, -0.1), (foot, 0.18)]
        here.polygon(tower, vary_colour((128, 84, 40), 0.12, rng))
        here.line(tower, (58, 36, 18), 0.012, closed=True)
        cap = [(-foot, -0.08), (0, -0.2), (foot, -0.08)]
        here.polygon(cap, vary_colour((196, 150, 50), 0.12, rng))
        here.polygon([(-0.025, 0.18), (-0.025, 0.1), (0.025, 0.1), (0.025, 0.18)], (52, 32, 18))
        turn, reach, broad = rng.uniform(0, np.pi / 2), 0.21 * size, 0.032
        for arm in range(4):
            along = here.at((0, -0.06), turn=turn + arm * np.pi / 2)
            sail = [(0.04, 0), (0.04, broad * 2), (reach, broad * 2), (reach, 0)]
            along.polygon(sail, vary_colour((236, 214, 176), 0.05, rng))
            along.line(sail, (140, 62, 34), 0.009, closed=True)
            along.line([(0.04, broad), (reach, broad)], (140, 62, 34), 0.006)
            along.line([(0, 0), (reach, 0)], (84, 46, 22), 0.012)


def _cabin(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    clearing = vary_colour((212, 200, 176), 0.06, rng)
    canvas.ellipse((0, 0.08), (0.27 * size, 0.18 * size), clearing)
    wall, roof = vary_colour((120, 84, 50), 0.1, rng), vary_colour((110, 72, 42), 0.12, rng)
    _house(canvas.at((0, -0.01)), size * 1.15, wall, roof, rng)
    for number in range(3 * crowns):
        log = canvas.at((-0.2 + 0.05 * number, 0.2))
        log.line([(0, 0), (0.08, 0.02)], vary_colour((158, 108, 58), 0.15, rng), 0.028)


def _stilt_house(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    pier = [(-0.24, 0.08), (-0.02, 0.02), (0.27, 0.11), (0.03, 0.2)]
    canvas.at((0, 0.03)).polygon(pier, (14, 50, 110))
    canvas.polygon(pier, vary_colour((170, 96, 44), 0.1, rng))
    for plank in _between(pier[:2], pier[:1:-1], 4):
        canvas.line(plank, (104, 54, 24), 0.008)
    for post in pier:
        canvas.at(post).line([(0, 0), (0, 0.05)], (84, 48, 24), 0.018)
    wall, roof = vary_colour((232, 216, 184), 0.05, rng), vary_colour((204, 172, 44), 0.1, rng)
    _house(canvas.at((0, -0.02)), size, wall, roof, rng)
    for number in range(crowns):
        boat = canvas.at((-0.05 + 0.2 * number, 0.27))
        boat.ellipse((0, 0), (0.09, 0.028), (92, 50, 22))
        boat.ellipse((0, -0.012), (0.06, 0.024), vary_colour((236, 196, 50), 0.1, rng))


def _farm(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    red, wall = vary_colour((190, 48, 34), 0.12, rng), vary_colour((238, 224, 200), 0.04, rng)
    if crowns > 1:
        _house(canvas.at((0.13, -0.03)), size * 0.85, wall, red, rng)
    _house(canvas, size * 1.15, wall, red, rng)
    for _ in range(4 + 3 * crowns):
        pig = rng.uniform(-0.32, 0.32), rng.uniform(0.2, 0.3)
        canvas.ellipse(pig, (0.028, 0.02), vary_colour((226, 170, 170), 0.08, rng))
    canvas.line([(0.22, 0.1), (0.38, 0.14)], (120, 78, 40), 0.016)


def _hut(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    wood = vary_colour((134, 74, 38), 0.12, rng)
    canvas.shadow((0, 0.16), (0.27, 0.1), 0.6)
    canvas.ellipse((0, 0.1), (0.26 * size, 0.1 * size), (70, 38, 20))
    canvas.ellipse((0, 0.08), (0.25 * size, 0.085 * size), wood)
    tent = [(-0.17 * size, 0.08), (-0.02, -0.19 * size), (0.16 * size, 0.05)]
    canvas.polygon(tent, vary_colour((164, 146, 98), 0.1, rng))
    canvas.polygon([tent[1], (0.03, 0.09), tent[2]], vary_colour((120, 104, 66), 0.1, rng))
    canvas.line(tent, (66, 50, 30), 0.012, closed=True)
    goods = ((96, 160, 70), (150, 90, 170), (210, 210, 205), (70, 120, 140))
    for number in range(3 + 2 * crowns):
        jar = -0.18 + 0.06 * number, 0.1 + 0.02 * (number % 2)
        canvas.ellipse(jar, (0.026, 0.034), vary_colour(goods[number % 4], 0.15, rng))
    for _ in range(4 * (crowns - 1)):
        smoke = -0.18 + rng.normal(0, 0.04), -0.1 + rng.normal(0, 0.07)
        canvas.ellipse(smoke, (0.035, 0.03), vary_colour((214, 222, 222), 0.05, rng))


def _pit(canvas: Canvas, size: float, crowns: int, rng: Rng) -> None:
    for _ in range(18):
        rock = rng.normal(0, 0.12) * size, -0.06 + abs(rng.normal(0, 0.07)) * size
        _rock(canvas.at(rock), rng.uniform(0.07, 0.12), rng)
    for number in range(crowns):
        here = canvas.at((0.17 * (number - (crowns - 1) / 2), 0.02 * number))
        wood = vary_colour((152, 72, 32), 0.12, rng)
        frame = [(-0.075, 0.14), (-0.06, -0.02), (0.06, -0.02), (0.075, 0.14)]
        here.polygon(frame, (22, 16, 14))
        here.line(frame, wood, 0.03)
        cart = here.at((rng.normal(0, 0.02), 0.2))
        cart.polygon([(-0.055, -0.02), (0.055, -0.02), (0.04, 0.04), (-0.04, 0.04)], (96, 92, 92))
        for _ in range(6):
            nugget = rng.normal(0, 0.025), -0.025 + rng.normal(0, 0.008)
            cart.ellipse(nugget, (0.016, 0.014), vary_colour((250, 226, 70), 0.06, rng))


# Ground colour, deviations of its soft clouds and fine grain in grey levels, what draws ornaments
# over a square, fewer beside a building, and what draws buildings.
GROUND: dict[Terrain, tuple[Colour, float, float, Ornaments, Building]] = {
    Terrain.WHEAT: ((243, 192, 22), 7, 5, _wheat, _mill),
    Terrain.FOREST: ((98, 138, 30), 12, 6, _forest, _cabin),
    Terrain.LAKE: ((28, 112, 214), 10, 3, _lake, _stilt_house),
    Terrain.GRASSLAND: ((112, 196, 38), 9, 5, _grassland, _farm),
    Terrain.SWAMP: ((184, 164, 120), 14, 6, _swamp, _hut),
    Terrain.MINE: ((50, 46, 43), 6, 5, _mine, _pit),
}
