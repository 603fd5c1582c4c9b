"""Whether the same table, photographed a little otherwise, gives the same hand:
``python -m benchmarks.pip_consistency FOLDER[@N]…``.

Every picture is read as it is and in eight variants: cropped to what was read, padded, smaller,
larger, turned, mirrored in other light, compressed, and seen from the side. No labels are needed,
so folders may hold any pictures; with @N every N-th is read. Where two readings differ one of them
is wrong, and a person sees either: a difference counts as told where both are flagged or refused.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from training.common.synthetic import jpeg_bytes
from vision.photo import PhotoError, decode
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import HandReading
from vision.pip_dominoes.weights import Weights

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

_PICTURES = {".jpg", ".jpeg", ".png", ".webp"}
_TURN_DEG = 17.0
_TILT_DEG = 40.0
_QUALITY = 40


@dataclass(frozen=True)
class Answer:
    """What a reader says of a picture: its tiles or why it is refused, and if it is flagged."""

    tiles: tuple[str, ...]
    refused: str
    flagged: bool

    @classmethod
    def of(cls, reader: Reader, rgb: Image | bytes) -> tuple[Answer, HandReading | None]:
        """The answer for pixels (h, w, 3) or the bytes of a file, and the reading behind it."""
        try:
            reading = reader.read(rgb)
        except PhotoError as error:
            return cls((), error.code, True), None
        return cls(tuple(sorted(reading.tiles)), "", reading.doubtful), reading


@dataclass(frozen=True)
class Comparison:
    """A picture's answer beside that for a variant of it."""

    picture: str
    variant: str
    plain: Answer
    other: Answer

    @property
    def same(self) -> bool:
        """Whether both say the same of the dominoes; a refusal says that there are none."""
        return self.plain.tiles == self.other.tiles

    @property
    def told(self) -> bool:
        """Whether nobody would take either for certain."""
        return self.plain.flagged and self.other.flagged


def _frame_of(rgb: Image, reading: HandReading | None) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what was read with some table around it, in pixels."""
    height, width = rgb.shape[:2]
    if reading is None:
        return width // 12, height // 12, width - width // 12, height - height // 12
    points = np.concatenate([domino.corners for domino in reading.dominoes])
    margin = float(np.median([domino.short_px for domino in reading.dominoes]))
    low = np.clip(points.min(0) - margin, 0, None).astype(int)
    high = np.clip(points.max(0) + margin, low + 32, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _cropped(rgb: Image, reading: HandReading | None) -> Image:
    left, top, right, bottom = _frame_of(rgb, reading)
    return np.ascontiguousarray(rgb[top:bottom, left:right])


def _padded(rgb: Image, _: HandReading | None) -> Image:
    by = max(rgb.shape[:2]) // 7
    padded = cv2.copyMakeBorder(rgb, by, by // 2, by, by // 3, cv2.BORDER_REPLICATE)
    return np.asarray(padded, np.uint8)


def _scaled(share: float) -> Callable[[Image, HandReading | None], Image]:
    way = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC

    def scaled(rgb: Image, _: HandReading | None) -> Image:
        return np.asarray(cv2.resize(rgb, None, fx=share, fy=share, interpolation=way), np.uint8)

    return scaled


def _turned(rgb: Image, _: HandReading | None) -> Image:
    turn = math.radians(_TURN_DEG)
    return _seen(rgb, np.array(
        [(math.cos(turn), -math.sin(turn), 0), (math.sin(turn), math.cos(turn), 0), (0, 0, 1)]
    ))  # fmt: skip


def lowered(rgb: Image, tilt_deg: float) -> Image:
    """As if the camera had been lowered: the far edge shrinks."""
    tilt, away = math.radians(tilt_deg), 1.6 * max(rgb.shape[:2])
    return _seen(rgb, np.array(
        [(1, 0, 0), (0, math.cos(tilt), 0), (0, -math.sin(tilt) / away, 1)]
    ))  # fmt: skip


def _seen(rgb: Image, homography: Floats) -> Image:
    """The whole picture by a homography of pixels from its middle, grey beyond it."""
    height, width = rgb.shape[:2]
    centred = homography @ np.array([(1, 0, -width / 2), (0, 1, -height / 2), (0, 0, 1.0)])
    edge = np.array([[(0, 0)], [(width, 0)], [(width, height)], [(0, height)]], np.float64)
    seen = cv2.perspectiveTransform(edge, centred)[:, 0]
    low, size = seen.min(0), np.ceil(np.ptp(seen, axis=0)).astype(int)
    shift = np.array([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1.0)])
    shown = cv2.warpPerspective(
        rgb, shift @ centred, (int(size[0]), int(size[1])),
        flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=(128, 128, 128),
    )  # fmt: skip
    return np.asarray(shown, np.uint8)


def _mirrored_light(rgb: Image, _: HandReading | None) -> Image:
    """Mirrored, which changes no number, and lit from one side."""
    light = np.linspace(1.15, 0.6, rgb.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(rgb[:, ::-1] * light, 0, 255), np.uint8)


def _compressed(rgb: Image, _: HandReading | None) -> bytes:
    return jpeg_bytes(rgb, _QUALITY)


VARIANTS: dict[str, Callable[[Image, HandReading | None], Image | bytes]] = {
    "cropped": _cropped,
    "padded": _padded,
    "0.7 times the size": _scaled(0.7),
    "1.4 times the size": _scaled(1.4),
    f"turned by {_TURN_DEG:.0f}°": _turned,
    "mirrored, other light": _mirrored_light,
    "compressed": _compressed,
    f"lowered camera, {_TILT_DEG:.0f}°": lambda rgb, _: lowered(rgb, _TILT_DEG),
}


def compare(path: Path, reader: Reader) -> list[Comparison]:
    """The answers for a picture and its variants; none where it can't be decoded."""
    try:
        rgb = decode(path).rgb
    except PhotoError:
        return []
    plain, reading = Answer.of(reader, rgb)
    return [
        Comparison(path.name, name, plain, Answer.of(reader, change(rgb, reading))[0])
        for name, change in VARIANTS.items()
    ]


def pictures_of(named: str) -> tuple[str, list[Path]]:
    """The name and the pictures of FOLDER or FOLDER@N."""
    name, _, every = named.partition("@")
    paths = sorted(p for p in Path(name).rglob("*") if p.suffix.lower() in _PICTURES)
    return Path(name).name, paths[:: int(every or 1)]


def consistency_table(compared: Iterable[tuple[str, Sequence[Comparison]]], head: str) -> str:
    """How many comparisons agree, by some name."""
    rows = []
    for name, all_ in compared:
        told = sum(not c.same and c.told for c in all_)
        open_ = sum(not c.same and not c.told for c in all_)
        share = 1 - open_ / max(len(all_), 1)
        rows.append(
            (name, len(all_), len(all_) - told - open_, told, open_, f"{100 * share:.1f} %")
        )
    names = (
        head,
        "variants",
        "same hand",
        "differs, both flagged",
        "differs, one not flagged",
        "same or flagged",
    )
    return markdown(names, rows)


def _differences(compared: Sequence[Comparison]) -> str:
    rows = [
        (c.picture, c.variant, _only(c.plain, c.other), _only(c.other, c.plain))
        for c in compared
        if not c.same and not c.told
    ]
    return markdown(("picture", "variant", "only as it is", "only in the variant"), rows)


def _only(one: Answer, other: Answer) -> str:
    """What one answer has beyond the other."""
    more = (Counter(one.tiles) - Counter(other.tiles)).elements()
    return " ".join((one.refused, *sorted(more), "" if one.flagged else "(no flag)")).strip()


def main() -> None:
    """Compare the pictures of all folders and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER[@N]")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="other weights")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the tables there too")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(Weights.load(chosen.weights))
    by_folder = {}
    for named in chosen.folders:
        name, paths = pictures_of(named)
        by_folder[f"{name}, {len(paths)} pictures"] = [c for p in paths for c in compare(p, reader)]
    everything = [c for compared in by_folder.values() for c in compared]
    by_variant = [(name, [c for c in everything if c.variant == name]) for name in VARIANTS]
    text = (
        f"# The same table, photographed otherwise\n\n{provenance()}. Every picture was read as "
        f"it is and in {len(VARIANTS)} variants; a refusal counts as a hand of none, "
        "flagged.\n\n"
        f"{consistency_table([*by_folder.items(), ('all', everything)], 'folder')}\n"
        f"## By variant\n\n{consistency_table(by_variant, 'variant')}\n"
        f"## Differences that are not told\n\n{_differences(everything)}"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
