"""Whether dominoes that were not read are told: ``python -m benchmarks.pip_bodies DATA``.

Drawn hands among dominoes that stand or show their backs; and labelled photographs, as they are
and with one domino that was read rightly hidden: painted over in the colour of its body; turned
over, which keeps its rim, the light on it and the grain of the picture; and cut in two by the edge
of the picture. A reading is silent where nothing in it is in doubt. A photograph as it is that is
warned of what was not read is warned needlessly, but for one that shows backs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.pip_photos.comparison import read_photo
from training.pip_dominoes.corpus import lived_with, read_photo_labels
from training.pip_dominoes.scenes.scene import SceneSettings
from vision.common.geometry import fit_homography, project
from vision.photo import PhotoError, decode
from vision.pip_dominoes.candidates import overlap
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import HandReading
from vision.pip_dominoes.weights import Weights

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

AMONG_BODIES = SceneSettings(
    size_px=1000, tile_px=(45.0, 110.0), empty_share=0.0, hand_share=0.0, max_tilt_deg=50.0,
    back_share=0.5, standing_share=0.6,
)  # fmt: skip
SEED = 528
# A body counts that is seen for the larger part, and is told where so much of it is marked.
_SEEN, _MARKED = 0.5, 0.3
# How wide the rim of a domino is, in short sides.
_RIM = 0.05


@dataclass(frozen=True, eq=False)
class Bodies:
    """A picture (h, w, 3) and the dominoes in it that can't be read, (n, 4, 2) in pixels."""

    kind: str
    name: str
    rgb: Image
    corners: Floats


def bodies_of_drawings(data: Path, count: int) -> Iterator[Bodies]:
    """Dominoes without a face in ``count`` drawn scenes that show faces too."""
    draw = lived_with(data, AMONG_BODIES, kept_back=True)
    number = 0
    while count:
        number += 1
        scene = draw(SEED, number)
        readable = [each for each in scene.drawn if each.readable and not each.numerals]
        if len(readable) < 3 or not len(scene.backs):
            continue
        count -= 1
        inside = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * float(scene.rgb.shape[0] - 1)
        seen = [
            corners
            for corners in scene.backs
            if overlap(corners, inside) > 1 - _SEEN / 2
            and max(overlap(corners, each.corners) for each in scene.drawn) < 1 - _SEEN
        ]
        yield Bodies("drawn", f"drawn {number}", scene.rgb, np.array(seen).reshape(-1, 4, 2))


def bodies_of_photographs(data: Path, reader: Reader) -> Iterator[Bodies]:
    """Each photograph that is read exactly, then one domino of it hidden in each way."""
    for number, photo in enumerate(read_photo_labels(data / "pip_dominoes")):
        rgb = decode(photo.path).rgb
        found = read_photo(photo, reader, rgb=rgb)
        if not found.exact or found.reading is None or len(found.reading.dominoes) < 2:
            continue
        boxes = [each.corners for each in found.reading.dominoes]
        rng = np.random.default_rng([SEED, number])
        chosen = boxes[int(rng.integers(len(boxes)))]
        name = photo.path.name
        yield Bodies("as it is", name, rgb, np.zeros((0, 4, 2)))
        yield Bodies("painted over", name, painted_over(rgb, chosen), chosen[None])
        yield Bodies("turned over", name, turned_over(rgb, chosen, rng), chosen[None])
        left = min(boxes, key=lambda box: float(box.mean(0)[0]))
        at = int(left.mean(0)[0])
        cut = np.ascontiguousarray(rgb[:, at:])
        yield Bodies("cut in two", name, cut, (left - (at, 0))[None])


def painted_over(rgb: Image, corners: Floats) -> Image:
    """The picture with a domino's face, but for its rim, in the colour of its body."""
    middle = corners.mean(0)
    inner = np.round(middle + (corners - middle) * (0.94, 0.94)).astype(np.int32)
    mask = np.zeros(rgb.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, inner, 255)
    body = np.median(rgb[mask > 0], axis=0)
    short = float(np.linalg.norm(corners[2] - corners[1]))
    soft = cv2.GaussianBlur(mask, (0, 0), max(short / 30, 0.5)).astype(np.float32)[..., None] / 255
    return np.asarray(rgb * (1 - soft) + body * soft, np.uint8)


def turned_over(rgb: Image, corners: Floats, rng: np.random.Generator) -> Image:
    """The picture with a domino's face blank: the light on its body goes on where the pips were.

    The light is a quadratic surface through the half of the face's pixels that fit one best.
    """
    shift = np.clip(np.floor(corners.min(0)), 0, None).astype(int)
    end = np.ceil(corners.max(0)).astype(int) + 1
    part = rgb[shift[1] : end[1], shift[0] : end[0]].astype(np.float64)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    to_face = fit_homography(corners - shift, unit)
    rows, columns = np.mgrid[: part.shape[0], : part.shape[1]]
    u, v = project(np.column_stack([columns.ravel(), rows.ravel()]).astype(float), to_face).T.clip(
        0, 1
    )
    terms = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])
    short = float(np.linalg.norm(corners[2] - corners[1]))
    across, along = _RIM, _RIM * short / float(np.linalg.norm(corners[1] - corners[0]))
    inner = (abs(u - 0.5) < 0.5 - along) & (abs(v - 0.5) < 0.5 - across)
    seen, light = part.reshape(-1, 3)[inner], terms[inner]
    surface = np.median(seen, axis=0) * np.eye(6, 1)
    for _ in range(6):
        off = np.abs(seen - light @ surface)
        body = off.sum(1) <= np.median(off.sum(1))
        surface = np.linalg.lstsq(light[body], seen[body])[0]
    grain = 1.5 * np.median(np.abs(seen[body] - light[body] @ surface), axis=0)
    blank = (terms @ surface).reshape(part.shape) + rng.normal(size=part.shape) * grain
    mask = inner.reshape(part.shape[:2]).astype(np.float64)
    soft = cv2.GaussianBlur(mask, (0, 0), max(short / 60, 0.5))[..., None]
    out = rgb.copy()
    mixed = part * (1 - soft) + blank * soft
    out[shift[1] : end[1], shift[0] : end[0]] = np.clip(mixed, 0, 255)
    return out


def told(reading: HandReading, corners: Floats) -> bool:
    """Whether something is said of a domino at ``corners``: missed there, or read with a doubt."""
    marked = [each.corners for each in reading.missed]
    marked += [each.corners for each in reading.dominoes if each.doubtful]
    return any(overlap(corners, box) > _MARKED for box in marked)


def main() -> None:
    """Read all of them, and print what was told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="with backgrounds and pip_dominoes")
    parser.add_argument("--count", type=int, default=60, help="drawn scenes")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(Weights.load(chosen.weights))
    counts: dict[str, list[int]] = {}
    silent: list[str] = []
    drawn = bodies_of_drawings(chosen.data, chosen.count)
    for bodies in (*drawn, *bodies_of_photographs(chosen.data, reader)):
        row = counts.setdefault(bodies.kind, [0] * 6)
        row[0] += 1
        try:
            reading = reader.read(bodies.rgb)
        except PhotoError:
            row[5] += 1
            continue
        row[1] += len(bodies.corners)
        row[2] += sum(told(reading, corners) for corners in bodies.corners)
        row[3] += bool(len(bodies.corners)) and not reading.doubtful
        row[4] += "unread" in reading.warnings
        if len(bodies.corners) and not reading.doubtful:
            silent.append(f"{bodies.kind}: {bodies.name}")
    head = (
        "kind",
        "pictures",
        "dominoes not to be read",
        "told where they lie",
        "silent readings",
        "readings warned of what was not read",
        "refused",
    )
    text = f"# Dominoes that cannot be read\n\n{provenance()}, {chosen.count} drawn scenes.\n\n"
    text += markdown(head, [(kind, *row) for kind, row in counts.items()])
    text += "".join(f"\n- {each}" for each in silent) + ("\n" if silent else "")
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
