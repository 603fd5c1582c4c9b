"""What stands, lies or reaches over a table with kingdoms: hands, cards, cups, pencils, figures."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from training.common import synthetic
from training.common.arrays import Floats, Image, Matrix, Rng
from training.common.camera import Camera, box, disc, rotation
from training.common.synthetic import SKINS, any_of, between, filled, painted, stroke


def hidden_share(corners: Floats, hidden: Floats) -> float:
    """The share, 0..1, of the square with these corners that the mask ``hidden`` covers."""
    pixels = np.round(corners).astype(np.int32)
    left, top = np.maximum(pixels.min(0), 0)
    right, bottom = np.maximum(pixels.max(0) + 1, 0)
    part = np.ascontiguousarray(hidden[top:bottom, left:right])
    if not part.size:
        return 0.0
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, pixels - (left, top), 1)
    return float(cv2.mean(part, mask)[0])


# In widths of the palm: of each finger, from the index on, its offset sideways and its length.
FINGERS = ((-0.36, 0.95), (-0.12, 1.1), (0.12, 1.02), (0.36, 0.8))
FINGER_WIDTH = 0.24
THUMB = (0.75, 0.85)
ARM_WIDTH = 0.72


def draw_hand(rgb: Floats, square_px: float, rng: Rng, near: Matrix | None = None) -> Floats:
    """Draw a hand into ``rgb`` (h, w, 3); returns the mask (h, w), 0..1, of what it occludes.

    The palm is about as wide as two squares of ``square_px`` pixels; it lies about the point
    ``near`` (x, y) in pixels, or anywhere.
    """
    size = np.array(rgb.shape[1::-1])
    palm = square_px * rng.uniform(1.5, 2.4)
    at = rng.uniform(0.1, 0.9, 2) * size if near is None else near + rng.normal(0, 0.6, 2) * palm
    # It comes from just outside the picture.
    share = rng.uniform(-0.1, 1.1)
    edges = np.array([(share, -0.1), (share, 1.1), (-0.1, share), (1.1, share)])
    edge = edges[rng.integers(4)] * size
    ahead = (at - edge) / max(float(np.linalg.norm(at - edge)), 1.0)
    side = np.array([-ahead[1], ahead[0]]) * rng.choice([-1, 1])
    skin = np.array(any_of(SKINS, rng), np.float32) * rng.uniform(0.8, 1.1)
    sleeve = rng.integers(0, 256, 3).astype(np.float32)
    mask, cloth = (np.zeros(rgb.shape[:2], np.uint8) for _ in range(2))
    wrist = at - ahead * 0.9 * palm
    stroke(mask, at - ahead * 0.45 * palm, at + ahead * 0.1 * palm, 0.95 * palm)
    stroke(mask, wrist, at, ARM_WIDTH * palm)
    stroke(mask, edge, wrist, ARM_WIDTH * palm)
    if rng.random() < 0.7:
        stroke(cloth, edge, wrist - ahead * palm * rng.uniform(0.1, 1.5), 1.15 * ARM_WIDTH * palm)
    pointing = rng.random() < 0.4
    for number, (across, straight) in enumerate(FINGERS):
        length = 0.35 if pointing and number else straight
        root = at + side * across * palm + ahead * 0.2 * palm
        tip = root + (ahead + side * across * rng.uniform(0.1, 0.6)) * length * palm
        stroke(mask, root, tip, FINGER_WIDTH * palm)
    aside, length = THUMB
    root = at - side * 0.4 * palm - ahead * 0.3 * palm
    stroke(mask, root, root + (ahead * 0.6 - side * aside) * length * palm, FINGER_WIDTH * palm)
    mask = np.maximum(mask, cloth)
    soft, shadow, depth = (
        cv2.GaussianBlur(mask, (0, 0), max(share * palm, least)).astype(np.float32) / 255
        for share, least in ((0.02, 0.5), (0.12, 1.0), (0.1, 1.0))
    )
    blotches = rng.standard_normal((9, 12)).astype(np.float32) * np.float32(rng.uniform(0, 0.1))
    shade = 1 + cv2.resize(blotches, rgb.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    bare, dressed = (0.55 + 0.5 * depth) * shade, (0.6 + 0.4 * depth) * shade
    paint = np.where(cloth[..., None] > 0, sleeve * dressed[..., None], skin * bare[..., None])
    rgb *= 1 - 0.4 * (shadow * (1 - soft))[..., None]
    rgb[:] = rgb * (1 - soft[..., None]) + paint * soft[..., None]
    return np.asarray(soft, np.float32)


# Side of the picture on a card or paper, pixels.
FACE_PX = 96
# How often each kind of thing is put on the table, and least and most sizes in squares.
SHARES = {"sheet": 0.42, "disc": 0.26, "strip": 0.14, "figure": 0.18}
SHEET, DISC, FIGURE = (0.35, 2.4), (0.3, 1.5), (0.12, 0.4)
STRIP_LENGTH, STRIP_WIDTH = (1.5, 9.0), (0.07, 0.5)
# What lets more of the light from below pass hides nothing.
SEE_THROUGH = 0.55


def put_thing(
    rgb: Floats, camera: Camera, spot: Matrix, surfaces: Sequence[Image], rng: Rng, kind: str = ""
) -> tuple[Floats, bool]:
    """Put a thing on the table at ``spot`` (x, y), in squares, and paint it into ``rgb``.

    One ``kind`` of ``SHARES``, or any. Returns the mask (h, w), 0..1, of what it covers and whether
    nothing can be read through it.
    """
    kind = kind or str(rng.choice(list(SHARES), p=list(SHARES.values())))
    if kind == "figure":
        return _put_figure(rgb, camera, spot, rng), True
    if kind == "disc":
        return _put_disc(rgb, camera, spot, rng)
    return _put_flat(rgb, camera, spot, surfaces, rng, is_strip=kind == "strip"), True


def _hull(*outlines: Matrix) -> Matrix:
    points = np.concatenate(outlines).astype(np.float32)
    return cv2.convexHull(points).reshape(-1, 2).astype(np.float64)


def _is_far(rgb: Floats, outline: Matrix | Floats) -> bool:
    return bool(not np.isfinite(outline).all() or np.abs(outline).max() > 20 * max(rgb.shape))


def _paint(rgb: Floats, outline: Matrix, paint: Floats, shadow: Matrix, rng: Rng) -> Floats:
    """Fill an outline in pixels with ``paint`` (h, w, 3) and drop its shadow; the mask (h, w)."""
    if _is_far(rgb, outline):
        return np.zeros(rgb.shape[:2], np.float32)
    size, darkness = 5 * (float(np.linalg.norm(shadow)) + 1), rng.uniform(0.1, 0.65)
    return painted(rgb, filled(rgb.shape, outline), paint, size, shadow, darkness)


def _colour(rng: Rng) -> Floats:
    if rng.random() < 0.35:
        return np.full(3, rng.choice([rng.uniform(5, 60), rng.uniform(170, 250)]), np.float32)
    return rng.uniform(5, 250, 3).astype(np.float32)


def _face(surfaces: Sequence[Image], rng: Rng) -> Image:
    """What is printed on a sheet: a picture or pattern, or marks, lines and a frame on paper."""
    if rng.random() < 0.45:
        return synthetic.random_table(surfaces, (FACE_PX, FACE_PX), rng)
    face = np.zeros((FACE_PX, FACE_PX, 3), np.uint8) + _colour(rng).astype(np.uint8)
    ink = _colour(rng).tolist()
    if rng.random() < 0.4:
        inset = int(rng.integers(2, 14))
        thick = -1 if rng.random() < 0.4 else int(rng.integers(1, 5))
        cv2.rectangle(face, (inset, inset), (FACE_PX - inset, FACE_PX - inset), ink, thick)
        ink = _colour(rng).tolist()
    for _ in range(int(rng.integers(0, 12))):
        at = rng.integers(4, FACE_PX - 4, 2).tolist()
        size, kind = int(rng.integers(2, 18)), int(rng.integers(4))
        if kind == 0:
            cv2.circle(face, at, size, ink, -1, cv2.LINE_AA)
        elif kind == 1:
            turn_deg, thick = rng.uniform(0, 180), any_of((-1, 1, 2), rng)
            axes = (size, max(1, size // 2))
            cv2.ellipse(face, at, axes, turn_deg, 0, 360, ink, thick, cv2.LINE_AA)
        elif kind == 2:
            end = rng.integers(0, FACE_PX, 2).tolist()
            cv2.line(face, at, end, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        else:
            letter, font = any_of("AKQJ2345678ABCXYZ&%", rng), cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(face, letter, at, font, size / 12, ink, 1, cv2.LINE_AA)
    return face


def _put_flat(
    rgb: Floats, camera: Camera, spot: Matrix, surfaces: Sequence[Image], rng: Rng, is_strip: bool
) -> Floats:
    """A card, paper, phone or box, or a pencil, ruler or cable."""
    if is_strip:
        half = np.array([between(*STRIP_LENGTH, rng), between(*STRIP_WIDTH, rng)]) / 2
    else:
        side = between(*SHEET, rng)
        half = np.array([side, side * rng.uniform(0.45, 1.0)])
    turn = float(rng.uniform(0, 2 * np.pi))
    radius = float(half.min()) * float(rng.choice([0.02, 0.12, 0.3, 0.9]))
    arc = disc(np.zeros(2), 1, 24)
    rounded = np.sign(arc) * (half - radius) + arc * radius
    outline = camera.on_plane(rounded @ rotation(turn).T + spot)
    corners = camera.on_plane(box(spot, 2 * half[0], 2 * half[1], turn)).astype(np.float32)
    if _is_far(rgb, corners):
        return np.zeros(rgb.shape[:2], np.float32)
    source = np.array([[0, 0], [FACE_PX, 0], [FACE_PX, FACE_PX], [0, FACE_PX]], np.float32)
    warp, face = cv2.getPerspectiveTransform(source, corners), _face(surfaces, rng)
    paint = cv2.warpPerspective(face, warp, rgb.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    light = np.float32(rng.uniform(0.6, 1.15))
    shadow = rng.normal(0, 0.06, 2) * float(np.sqrt(abs(cv2.contourArea(corners))))
    return _paint(rgb, outline, paint.astype(np.float32) * light, shadow, rng)


def _put_disc(rgb: Floats, camera: Camera, spot: Matrix, rng: Rng) -> tuple[Floats, bool]:
    """A glass, cup, bowl, plate or coaster; glass and drink let more or less light pass."""
    radius = between(*DISC, rng)
    height = float(rng.uniform(0, 1.6)) * radius
    foot = camera.on_plane(disc(spot, radius, 40))
    rim = camera.on_plane(disc(spot, radius * (1 + float(rng.uniform(-0.05, 0.25))), 40), height)
    dense = float(rng.uniform(0.1, 1.0)) if rng.random() < 0.6 else 1.0
    drink, below, size = _colour(rng), rgb, float(np.linalg.norm(foot[0] - foot[20]))
    if dense < 1:
        swell = float(rng.uniform(0.5, 0.95))
        shrink = np.c_[swell * np.eye(2), (1 - swell) * foot.mean(0)]
        seen = cv2.warpAffine(rgb, shrink, rgb.shape[1::-1], flags=cv2.WARP_INVERSE_MAP)
        blurred = cv2.GaussianBlur(seen, (0, 0), max(0.3, 0.05 * (size / 2)))
        below = np.asarray(blurred, np.float32)
    shade = synthetic.smooth_noise(rgb.shape[:2], (4, 4), rng)
    paint = below * (1 - dense) + dense * drink * (1 + 0.12 * shade)[..., None]
    shadow = rng.normal(0, 0.15, 2) * size
    mask = _paint(rgb, _hull(foot, rim), np.asarray(paint, np.float32), shadow, rng)
    for share in (1.0, *rng.uniform(0.3, 0.97, int(rng.integers(0, 3)))):
        ring = rim.mean(0) + (rim - rim.mean(0)) * share
        ink = [float(rng.choice([rng.uniform(180, 255), rng.uniform(10, 90)]))] * 3
        wide = max(1, int(0.02 * np.linalg.norm(ring[0] - ring[20]) * rng.uniform(0.5, 3)))
        fixed = np.round(ring * 8).astype(np.int32)
        cv2.polylines(rgb, [fixed], True, ink, wide, cv2.LINE_AA, shift=3)
    return mask, 1 - dense < SEE_THROUGH


def _put_figure(rgb: Floats, camera: Camera, spot: Matrix, rng: Rng) -> Floats:
    """A wooden figure, a die or a stick that stands."""
    radius = between(*FIGURE, rng)
    points = 6 if rng.random() < 0.3 else 24
    height, narrow = float(rng.uniform(0.2, 1.4)), float(rng.uniform(0.3, 1.1))
    foot = camera.on_plane(disc(spot, radius, points))
    top = camera.on_plane(disc(spot, radius * narrow, points), height)
    paint = np.zeros_like(rgb) + _colour(rng)
    size = float(np.linalg.norm(foot[0] - foot.mean(0)))
    mask = _paint(rgb, _hull(foot, top), paint, rng.normal(0, 0.5, 2) * size, rng)
    head = top.mean(0) + (top - top.mean(0)) * float(rng.uniform(0.5, 1.0))
    fixed, colour = np.round(head * 8).astype(np.int32), _colour(rng) * 0.3 + paint[0, 0] * 0.7
    cv2.fillPoly(rgb, [fixed], colour.tolist(), cv2.LINE_AA, shift=3)
    return mask
