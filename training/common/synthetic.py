"""Pictures of any game: table tops, clutter and paint, and what light, lens and file make of it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import ArrayLike, NDArray

from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import rotation

Item = TypeVar("Item")

# The share of reflections that break up into sparkles.
EMBOSSED_SHARE = 0.5


def smooth_noise(shape: tuple[int, int], cells: tuple[int, int], rng: Rng) -> Floats:
    """Smooth noise of mean 0 and deviation about 1: random values on ``cells``, interpolated."""
    coarse = rng.standard_normal(cells).astype(np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def mark(heat: Floats, x: float, y: float, sigma: float, sigmas: float = 15) -> None:
    """Raise a map (h, w) to a bell about a place in it; the nearest cell becomes 1.

    It ends after so many ``sigmas``; after 15 it is 0 in 32 bits.
    """
    reach = int(sigmas * sigma) + 1
    area = rows, columns = tuple(
        slice(max(int(at) - reach, 0), max(int(at) + reach + 2, 0)) for at in (y, x)
    )
    away_y = np.arange(heat.shape[0])[rows, None] - y
    away_x = np.arange(heat.shape[1])[columns] - x
    bell = np.exp(-(away_x**2 + away_y**2) / (2 * sigma**2)).astype(np.float32)
    heat[area] = np.maximum(heat[area], bell)
    row, column = round(y), round(x)
    if 0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]:
        heat[row, column] = 1.0


def _grain(shape: tuple[int, ...], size: float, rng: Rng) -> Floats:
    """Noise of deviation 1 for a picture (h, w, …), its grains ``size`` pixels large."""
    cells = [math.ceil(side / size) + 1 for side in shape[:2]]
    return rng.standard_normal((*cells, *shape[2:]), np.float32)


def any_of(items: Sequence[Item], rng: Rng) -> Item:
    """One of the items, each as likely as any other."""
    return items[int(rng.integers(len(items)))]


def between(low: float, high: float, rng: Rng) -> float:
    """A size in these bounds, each doubling as likely as any other."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def near_colour(colour: Sequence[float], spread: float, rng: Rng) -> tuple[float, ...]:
    """A colour, 0..255, that strays from another by about ``spread``."""
    return tuple(np.clip(rng.normal(0, spread, 3) + colour, 0, 255).tolist())


def glare(picture: Floats, rng: Rng, size: float) -> Floats:
    """The picture with a reflection of a lamp, white or warm, about ``size`` pixels large.

    Smooth lacquer reflects one bright patch, embossed cardboard many sparkles.
    """
    height, width = picture.shape[:2]
    # A soft ellipse, drawn four times smaller.
    spot = np.zeros((max(height // 4, 2), max(width // 4, 2)), np.float32)
    centre = [int(rng.integers(side)) for side in spot.shape[::-1]]
    axes = np.maximum(size / 4 * rng.uniform((0.5, 0.3), (1.6, 1.0)), 1).astype(int)
    cv2.ellipse(spot, centre, axes.tolist(), float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    soft = cv2.GaussianBlur(spot, (0, 0), max(size / 4 * rng.uniform(0.12, 0.5), 0.6))
    mask = cv2.resize(soft, (width, height))
    if rng.random() < EMBOSSED_SHARE:
        step = max(float(rng.uniform(0.02, 0.08)) * size, 1.0)
        grain = _grain((height, width), step, rng) * np.float32(rng.uniform(0.3, 1.0))
        mask = mask * np.clip(cv2.resize(grain, (width, height)) + np.float32(0.6), 0, 1.6)
    tint = np.array([1.0, rng.uniform(0.88, 1.0), rng.uniform(0.75, 1.05)], np.float32)
    shine = mask[..., None] * np.float32(rng.uniform(60, 235)) * tint
    return np.asarray(picture + shine, np.float32)


def shadow_edge(picture: Floats, rng: Rng) -> Floats:
    """The picture with one side in shadow, behind a straight edge of random softness."""
    height, width = picture.shape[:2]
    angle, x0, y0 = rng.uniform(0, (2 * np.pi, width, height)).tolist()
    y, x = np.mgrid[0:height:4, 0:width:4].astype(np.float32)
    across = (x - x0) * np.cos(angle) + (y - y0) * np.sin(angle)
    softness = rng.uniform(2, 0.2 * width)
    dark = rng.uniform(0.35, 0.85)
    factor = dark + (1 - dark) / (1 + np.exp(np.clip(-across / softness, -30, 30)))
    light = cv2.resize(factor.astype(np.float32), (width, height))
    return np.asarray(picture * light[..., None], np.float32)


def patchy(picture: Floats, rng: Rng) -> Floats:
    """The picture (h, w, 3) in light that is uneven in patches, as through leaves or of a flash."""
    coarse = rng.standard_normal(rng.integers(3, 7, 2)).astype(np.float32)
    light = np.exp(np.float32(rng.uniform(0.1, 0.45)) * coarse)
    fine = cv2.resize(light, picture.shape[1::-1])
    return np.asarray(picture * fine[..., None], np.float32)


def soften(picture: Image, rng: Rng, strength: float) -> Image:
    """The picture with defocus, motion blur or low resolution, up to ``strength`` pixels."""
    kind = rng.random()
    amount = rng.uniform(0.0, strength)
    if kind < 0.45:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(amount, 0.3)), np.uint8)
    if kind < 0.65:
        length = max(int(amount * 3), 1) | 1
        kernel = np.zeros((length, length), np.float32)
        angle, reach = rng.uniform(0, np.pi), (length - 1) / 2
        end = reach * np.array([np.cos(angle), np.sin(angle)])
        start, end = np.round([reach - end, reach + end]).astype(int)
        cv2.line(kernel, start.tolist(), end.tolist(), 1.0)
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    fewer = [max(int(side / (1.0 + amount * 0.8)), 8) for side in picture.shape[1::-1]]
    small = cv2.resize(picture, fewer, interpolation=cv2.INTER_AREA)
    way_up = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, picture.shape[1::-1], interpolation=way_up), np.uint8)


def jpeg_bytes(rgb: Image, quality: int) -> bytes:
    """The picture (h, w, 3) RGB as a JPEG file; ``quality`` is 0..100."""
    bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def jpeg(picture: Image, quality: int) -> Image:
    """The picture after JPEG compression at ``quality`` 0..100."""
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def develop(picture: Floats, rng: Rng, strength: float = 1.0) -> Image:
    """The picture (h, w, 3), 0..255 and above in reflections, with random light, colour and noise.

    ``strength`` 1 covers lamp light, blue casts, dim rooms and over-exposure.
    """
    height, width = picture.shape[:2]
    out = picture / 255.0
    if rng.random() < 0.3:
        # Vignette: many lenses darken the corners.
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        out = out * (1 - rng.uniform(0, 0.45) * (x * x + y * y) / 2)[..., None]
    warmth = rng.normal(0, 0.16) * strength
    if rng.random() < 0.15:
        warmth += rng.uniform(0.2, 0.55) * strength
    green = rng.normal(0, 0.05) * strength
    gains = np.exp(np.array([warmth, green, -1.25 * warmth], np.float32))
    exposure = np.exp(rng.normal(-0.05, 0.28) * strength)
    if rng.random() < 0.12:
        exposure *= rng.uniform(0.35, 0.8)
    out = out * (gains / gains.mean() * exposure).astype(np.float32)
    grey = out @ np.array([0.3, 0.59, 0.11], np.float32)
    saturation = 1 + rng.normal(-0.05, 0.22) * strength
    out = grey[..., None] + (out - grey[..., None]) * np.float32(max(saturation, 0.25))
    contrast = np.exp(rng.normal(0, 0.15) * strength)
    lift = rng.normal(0, 0.04) * strength + (0.12 * rng.random() if rng.random() < 0.15 else 0)
    out = ((out - 0.45) * np.float32(contrast) + np.float32(0.45 + lift)) * 255
    if rng.random() < 0.6:
        sigma = abs(rng.normal(0, 6))
        # A quarter of the noise, repeated by mirroring, costs less and looks the same.
        grain = rng.standard_normal(((height + 1) // 2, (width + 1) // 2, 3), np.float32)
        noise = cv2.copyMakeBorder(grain, 0, height // 2, 0, width // 2, cv2.BORDER_REFLECT)
        out = out + np.asarray(noise, np.float32) * np.float32(sigma)
    gamma = np.exp(rng.normal(0, 0.18) * strength)
    curve = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(np.clip(out, 0, 255).astype(np.uint8), curve), np.uint8)


def dim_and_brighten(picture: Image, rng: Rng) -> Image:
    """The picture as taken in a dim room, with the sensor's grain, and made bright again by a phone
    or the reader, which smooth the grain more or less and leave blotches.
    """
    gain = between(0.08, 0.45, rng)
    warm = np.array([1.0, rng.uniform(0.8, 1.0), rng.uniform(0.55, 1.0)], np.float32)
    grain = cv2.resize(_grain(picture.shape, rng.uniform(1.0, 3.0), rng), picture.shape[1::-1])
    sigma = float(rng.uniform(1.0, 5.0))
    light = np.clip(picture * (warm * np.float32(gain)) + grain * np.float32(sigma), 0, 255)
    level = np.float32(rng.uniform(0.55, 1.0) / gain)
    balance = warm ** -np.float32(rng.uniform(0, 1))
    bright = np.clip(light.astype(np.uint8) * (balance * level), 0, 255).astype(np.uint8)
    strength = float(np.clip(rng.uniform(0.5, 1.6) * sigma * level, 1.0, 60.0))
    kind = rng.random()
    if kind < 0.55:
        bright = cv2.fastNlMeansDenoisingColored(bright, None, strength, 1.5 * strength, 5, 15)
    elif kind < 0.85:
        bright = cv2.bilateralFilter(bright, 7, 1.5 * strength, 4)
    return np.asarray(bright, np.uint8)


@dataclass(frozen=True)
class Light:
    """How pictures are taken: shares of them, 0..1; lengths in squares or tiles of the game.

    ``glare`` have up to ``most_glares`` reflections, ``glare_size`` long, ``shadow`` an edge of it,
    ``patchy`` uneven light, ``soft`` blur up to ``blur_px``; ``strength`` scales changes of light.
    """

    glare: float = 0.3
    glare_size: tuple[float, float] = (0.3, 1.5)
    most_glares: int = 1
    shadow: float = 0.0
    patchy: float = 0.0
    soft: float = 1.0
    blur_px: float = 1.0
    strength: float = 0.75
    dim: float = 0.0
    coded: float = 0.4
    quality: tuple[int, int] = (35, 96)


def take_picture(rgb: NDArray[np.generic], unit_px: float, light: Light, rng: Rng) -> Image:
    """The photograph of what ``rgb`` (h, w, 3) shows, a square or tile ``unit_px`` pixels long."""
    lit = rgb.astype(np.float32)
    if light.shadow and rng.random() < light.shadow:
        lit = shadow_edge(lit, rng)
    if light.patchy and rng.random() < light.patchy:
        lit = patchy(lit, rng)
    if rng.random() < light.glare:
        for _ in range(int(rng.integers(light.most_glares)) + 1):
            lit = glare(lit, rng, unit_px * float(rng.uniform(*light.glare_size)))
    out = np.clip(lit, 0, 255).astype(np.uint8)
    if light.soft >= 1 or rng.random() < light.soft:
        out = soften(out, rng, light.blur_px)
    out = develop(out.astype(np.float32), rng, light.strength)
    if light.dim and rng.random() < light.dim:
        out = dim_and_brighten(out, rng)
    if rng.random() < light.coded:
        out = jpeg(out, int(rng.integers(*light.quality)))
    return out


# Skin tones from fair to dark, RGB.
SKINS = ((236, 188, 160), (224, 172, 136), (198, 134, 96), (141, 85, 54), (84, 52, 36))


def shaken(rgb: Floats, length_px: float, rng: Rng) -> Floats:
    """Motion blur along a slightly curved path."""
    size = int(np.ceil(length_px)) | 1
    kernel = np.zeros((size, size), np.float32)
    angle, bend = rng.uniform(0, np.pi), rng.uniform(-0.15, 0.15)
    t = np.linspace(-0.5, 0.5, 4 * size)
    x = t * np.cos(angle) - bend * (t * t - 0.1) * np.sin(angle)
    y = t * np.sin(angle) + bend * (t * t - 0.1) * np.cos(angle)
    at = np.round(np.stack([y, x]) * (size - 1) + (size - 1) / 2).astype(int)
    np.add.at(kernel, tuple(at.clip(0, size - 1)), 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def defocused(rgb: Floats, radius_px: float) -> Floats:
    """Blur by a disc."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(rgb, -1, kernel / kernel.sum()), np.float32)


def fill(picture: Floats | Image, pixels: Matrix, colour: ArrayLike) -> None:
    """Fill a polygon (n, 2) with a colour."""
    fixed = np.round(pixels * 16).astype(np.int32)
    cv2.fillPoly(picture, [fixed], np.asarray(colour, float).tolist(), cv2.LINE_AA, shift=4)


def stroke(mask: Image, start: Matrix, end: Matrix, thickness: float) -> None:
    """Draw a line with round ends into a mask (h, w)."""
    (a, b), (c, d) = np.round([start, end]).astype(int).tolist()
    cv2.line(mask, (a, b), (c, d), 255, max(int(thickness), 1), cv2.LINE_AA)


def filled(shape: tuple[int, ...], polygon: Matrix) -> Image:
    """The mask (h, w), 0..255, of a polygon (n, 2) in pixels."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(polygon * 8).astype(np.int32)], 255, cv2.LINE_AA, shift=3)
    return mask


def painted(
    rgb: Floats, mask: Image, paint: Floats, px: float, shadow: Matrix, darkness: float = 0.45
) -> Floats:
    """Put paint, (h, w, 3) or (3,), through a mask; below lies its shadow. The soft mask, 0..1.

    Edges are as soft as those of a thing of ``px`` pixels; ``shadow`` (x, y) is in pixels.
    """
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.012 * px, 0.6)).astype(np.float32) / 255
    moved = np.array([[1, 0, shadow[0]], [0, 1, shadow[1]]], np.float64)
    dark = cv2.warpAffine(mask, moved, mask.shape[::-1])
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.1 * px, 1.0)).astype(np.float32) / 255
    rgb *= 1 - darkness * (dark * (1 - soft))[..., None]
    rgb[:] = rgb * (1 - soft[..., None]) + paint * soft[..., None]
    return np.asarray(soft, np.float32)


# Tables and cloths in the colours of terrains, on which squares show only by their edges.
TERRAIN_COLOURS = (
    (235, 190, 40), (200, 150, 90), (170, 120, 60), (30, 100, 200), (20, 40, 120), (15, 20, 60),
    (120, 190, 40), (40, 80, 20), (180, 160, 120), (40, 38, 42),
)  # fmt: skip


def _random_colour(rng: Rng) -> list[int]:
    return rng.integers(0, 256, 3).tolist()


def _surface(surfaces: Sequence[Image], share: float, shape: tuple[int, int], rng: Rng) -> Image:
    """One of the surfaces to a ``share``, 0..1, turned, and mirrored until it fills (h, w).

    Else one colour, half of the time that of a terrain, with soft clouds and some grain.
    """
    if surfaces and rng.random() < share:
        picture = any_of(surfaces, rng)
        scale, angle = between(0.6, 4.0, rng), rng.uniform(0, 360)
        size, given = np.array(shape[::-1]), np.array(picture.shape[1::-1])
        turn = np.asarray(cv2.getRotationMatrix2D((given / 2).tolist(), angle, scale), np.float64)
        turn[:, 2] += rng.uniform(-80, 80, 2)
        turn[:, 2] += size / 2 - given / 2
        out = cv2.warpAffine(picture, turn, shape[::-1], borderMode=cv2.BORDER_REFLECT)
        return np.asarray(out, np.uint8)
    colour = np.array(_random_colour(rng), np.float32)
    if rng.random() < 0.5:
        near = np.array(any_of(TERRAIN_COLOURS, rng), np.float32) + rng.normal(0, 14, 3)
        colour = np.clip(near, 0, 255).astype(np.float32)
    clouds = rng.standard_normal((6, 6, 3)).astype(np.float32) * rng.uniform(0, 18)
    grain = rng.standard_normal((*shape, 1)).astype(np.float32) * rng.uniform(0, 12)
    soft = cv2.resize(clouds, shape[::-1], interpolation=cv2.INTER_CUBIC)
    return np.clip(colour + soft + grain, 0, 255).astype(np.uint8)


def _inked(table: Image, mask: MatLike, strength: float, ink: MatLike) -> Image:
    """The table with ink, (h, w, 3) or (3,), where the mask (h, w), 0..255, says."""
    weight = (mask.astype(np.float32) / 255 * np.float32(strength))[..., None]
    return np.clip(table * (1 - weight) + ink * weight, 0, 255).astype(np.uint8)


def _add_pattern(table: Image, rng: Rng) -> Image:
    """The table with a printed or woven pattern: a grid, stripes, checks, dots or motifs."""
    size = table.shape[1::-1]
    side = 2 * max(size)
    print_ = np.zeros((side, side), np.uint8)
    step = int(between(8, 110, rng))
    line = max(1, int(step * rng.uniform(0.02, 0.3)))
    kind = rng.integers(5)
    if kind == 4:
        return _add_print(table, rng)
    if kind < 2:
        thick = max(line, step // 3) if kind else line
        for at in range(0, side, step):
            cv2.line(print_, (at, 0), (at, side), 255, thick)
            if kind == 0:
                cv2.line(print_, (0, at), (side, at), 255, thick)
    elif kind == 2:
        y, x = np.mgrid[0:side, 0:side] // step
        print_[(x + y) % 2 == 0] = 255
    else:
        for x, y in itertools.product(range(0, side, step), repeat=2):
            cv2.circle(print_, (x, y), max(line, 2), 255, -1)
    turn = rotation(rng.uniform(0, 2 * np.pi))
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * side / 2
    seen = corners @ turn.T * rng.uniform(0.9, 1.3) + np.array(size) / 2
    seen += rng.uniform(-0.2, 0.2, seen.shape) * side / 2
    view = cv2.getPerspectiveTransform(corners + np.float32(side / 2), seen.astype(np.float32))
    mask = cv2.warpPerspective(print_, view, size, flags=cv2.INTER_AREA)
    return _inked(table, mask, rng.uniform(0.2, 1.0), np.array(_random_colour(rng), np.float32))


def _add_print(table: Image, rng: Rng) -> Image:
    """The table as a cloth with a print: one motif of strokes and spots, repeated and mirrored."""
    height, width = table.shape[:2]
    cloth = (table * np.float32(rng.uniform(0.1, 1.0))).astype(np.uint8)
    side = int(between(20, 180, rng))
    # Three colours, and how much of them is printed.
    motif = np.zeros((side, side, 4), np.uint8)
    inks = [_random_colour(rng) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(int(rng.integers(2, 14))):
        ink = any_of(inks, rng)
        at = rng.integers(0, side, 2).tolist()
        long, wide = (max(1, int(v)) for v in side * np.exp(rng.uniform(-4, -1, 2)))
        angle, span = float(rng.uniform(0, 360)), float(rng.choice([180, 360]))
        thick = -1 if rng.random() < 0.6 else max(1, int(wide * 0.3))
        cv2.ellipse(motif, at, (long, wide), angle, 0, span, (*ink, 255), thick)
    if rng.random() < 0.6:
        motif = np.concatenate([motif, motif[:, ::-1]], 1)
    motif = np.tile(motif, (height // motif.shape[0] + 2, width // motif.shape[1] + 2, 1))
    size, angle = motif.shape[1::-1], float(rng.uniform(0, 360))
    turn = cv2.getRotationMatrix2D(np.divide(size, 2).tolist(), angle, float(rng.uniform(1, 1.6)))
    seen = cv2.warpAffine(motif, turn, size, borderMode=cv2.BORDER_REFLECT)[:height, :width]
    return _inked(cloth, seen[..., 3], rng.uniform(0.4, 1.0), seen[..., :3])


def random_table(surfaces: Sequence[Image], shape: tuple[int, int], rng: Rng) -> Image:
    """A table top (h, w, 3): one or two surfaces of any colour, plain or patterned."""
    table = _surface(surfaces, 0.75, shape, rng)
    if rng.random() < 0.3:
        hsv = cv2.cvtColor(table, cv2.COLOR_RGB2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(int) + int(rng.integers(180))) % 180
        table = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)
    if rng.random() < 0.3:
        other = _surface(surfaces, 0.6, shape, rng)
        edge = np.zeros(shape, np.uint8)
        points = rng.uniform(-0.3, 1.3, (3, 2)) * shape[::-1]
        cv2.fillPoly(edge, [points.astype(np.int32)], 1)
        table = np.where(edge[..., None] > 0, other, table)
    if rng.random() < 0.45:
        table = _add_pattern(table, rng)
    return np.ascontiguousarray(table)


def clutter(table: Image, pictures: Sequence[Image], rng: Rng, count: int) -> Image:
    """The table with ``count`` objects that are no squares: cards, coins, box lids, cables."""
    table, limits, smooth = table.copy(), table.shape[1::-1], cv2.LINE_AA
    for _ in range(count):
        centre = rng.uniform(0, limits)
        x, y = centre.tolist()
        size = between(8, 0.4 * max(limits), rng)
        kind = rng.integers(5)
        if kind == 0:
            for thick in (-1, max(1, int(size / 20))):
                colour = _random_colour(rng)
                cv2.circle(table, (int(x), int(y)), int(size / 2), colour, thick, smooth)
            continue
        if kind == 1:
            path = (np.cumsum(rng.normal(0, size / 2, (6, 2)), axis=0) + centre).astype(np.int32)
            thick = max(1, int(size / 14))
            cv2.polylines(table, [path], False, _random_colour(rng), thick, smooth)
            continue
        corners = cv2.boxPoints(((x, y), (size, size * rng.uniform(0.3, 1)), rng.uniform(0, 180)))
        if kind == 2 or not pictures:
            cv2.fillConvexPoly(table, corners.astype(np.int32), _random_colour(rng), smooth)
            continue
        picture = any_of(pictures, rng)
        h, w = picture.shape[:2]
        source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        view, shown = cv2.getPerspectiveTransform(source, corners), cv2.BORDER_TRANSPARENT
        cv2.warpPerspective(picture, view, limits, dst=table, borderMode=shown)
    return table
