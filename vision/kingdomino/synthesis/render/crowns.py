"""The crowns printed on a square, and the giants on them."""

from __future__ import annotations

import numpy as np

from vision.kingdomino.synthesis.render.canvas import Canvas, Colour, Point, vary_colour

__all__ = ["crown_outline", "draw_crowns", "draw_giants"]

_TIPS = ((-0.5, -0.22), (-0.26, -0.33), (0.0, -0.4), (0.26, -0.33), (0.5, -0.22))
_VALLEYS = ((-0.36, 0.04), (-0.13, 0.02), (0.13, 0.02), (0.36, 0.04))
_GIANT_COLOURS: tuple[Colour, ...] = (
    (120, 90, 66),
    (86, 92, 100),
    (150, 60, 44),
    (214, 196, 160),
    (60, 76, 56),
)


def crown_outline(centre: Point, width: float) -> list[Point]:
    """The outline of a crown of five points; its height is 0.8 of ``width``."""
    upper = [_TIPS[0]]
    for valley, tip in zip(_VALLEYS, _TIPS[1:], strict=True):
        upper += [valley, tip]
    outline = [*upper, (0.4, 0.36), (0.0, 0.4), (-0.4, 0.36)]
    return [(centre[0] + width * p, centre[1] + width * q) for p, q in outline]


def crown_centres(x: float, crowns: int, *, mirrored: bool) -> list[Point]:
    """The centres of the crowns: a row from the upper outer corner of the square inwards."""
    places = [0.17 + 0.275 * number for number in range(crowns)]
    return [(x + (1 - place if mirrored else place), 0.155) for place in places]


def draw_crowns(
    canvas: Canvas, x: float, crowns: int, rng: np.random.Generator, *, mirrored: bool
) -> None:
    """Draw the crowns of the square whose left edge is at ``x``."""
    gold = vary_colour((246, 208, 52), 0.05, rng)
    for centre in crown_centres(x, crowns, mirrored=mirrored):
        outline = crown_outline(centre, 0.21)
        canvas.line(outline, (40, 36, 34), 0.085, closed=True)
        canvas.line(outline, (250, 250, 248), 0.06, closed=True)
        canvas.polygon(outline, gold)
        canvas.line(outline, (120, 82, 20), 0.009, closed=True)
        a, b = centre
        band = [
            (a - 0.086, b + 0.04),
            (a, b + 0.05),
            (a + 0.086, b + 0.04),
            (a + 0.084, b + 0.075),
            (a, b + 0.085),
            (a - 0.084, b + 0.075),
        ]
        canvas.polygon(band, (246, 244, 236))
        canvas.line(band, (120, 96, 60), 0.006, closed=True)
        canvas.polygon(
            [(a - 0.09, b - 0.03), (a - 0.06, b + 0.03), (a - 0.075, b + 0.035)], (255, 240, 150)
        )
        for place, jewel in ((-0.045, (196, 40, 40)), (0.0, (40, 90, 190)), (0.045, (196, 40, 40))):
            canvas.ellipse((a + place, b + 0.015), (0.011, 0.013), jewel)


def draw_giants(
    canvas: Canvas, x: float, giants: int, rng: np.random.Generator, *, mirrored: bool
) -> None:
    """Draw giants, wooden figures with a shadow, on the outermost crowns of the square."""
    for a, b in crown_centres(x, giants, mirrored=mirrored):
        wood = vary_colour(_GIANT_COLOURS[int(rng.integers(len(_GIANT_COLOURS)))], 0.1, rng)
        edge = (wood[0] // 2, wood[1] // 2, wood[2] // 2)
        a, b = a + float(rng.normal(0, 0.012)), b + 0.06
        tall = float(rng.uniform(0.95, 1.15))

        def at(p: float, q: float, a: float = a, b: float = b, tall: float = tall) -> Point:
            return a + p, b + q * tall

        canvas.shadow(at(0.07, 0.12), (0.13, 0.08), 0.6)
        body = [
            at(-0.07, 0.2),
            at(-0.085, 0.02),
            at(-0.145, 0.07),
            at(-0.15, -0.01),
            at(-0.08, -0.07),
            at(0.08, -0.07),
            at(0.15, -0.01),
            at(0.145, 0.07),
            at(0.085, 0.02),
            at(0.07, 0.2),
            at(0.015, 0.2),
            at(0.0, 0.11),
            at(-0.015, 0.2),
        ]
        canvas.polygon([(p + 0.012, q + 0.016) for p, q in body], edge)
        canvas.polygon(body, wood)
        canvas.ellipse(at(0.008, -0.115), (0.066, 0.07), edge)
        canvas.ellipse(at(0.0, -0.125), (0.06, 0.064), wood)
        canvas.ellipse(at(-0.02, -0.145), (0.02, 0.02), vary_colour(wood, 0.25, rng))
