"""The buildings on squares with crowns, one kind per terrain."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scorer.kingdomino import Terrain
from vision.kingdomino.synthesis.render.canvas import Canvas, Colour, Point, vary_colour
from vision.kingdomino.synthesis.render.terrain import draw_rock

__all__ = ["draw_building"]


def draw_building(
    canvas: Canvas, x: float, terrain: Terrain, crowns: int, rng: np.random.Generator
) -> None:
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
    rng: np.random.Generator,
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


def _mill(
    canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator
) -> None:
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


def _cabin(
    canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator
) -> None:
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


def _stilt_house(
    canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator
) -> None:
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


def _farm(
    canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator
) -> None:
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


def _hut(canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator) -> None:
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


def _pit(canvas: Canvas, middle: Point, size: float, crowns: int, rng: np.random.Generator) -> None:
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


_BUILDINGS: dict[Terrain, Callable[[Canvas, Point, float, int, np.random.Generator], None]] = {
    Terrain.WHEAT: _mill,
    Terrain.FOREST: _cabin,
    Terrain.LAKE: _stilt_house,
    Terrain.GRASSLAND: _farm,
    Terrain.SWAMP: _hut,
    Terrain.MINE: _pit,
}
