"""Draw the way of a photo through the packages: ``python -m benchmarks.photo_way [OUT.svg]``.

A sample is read and scored; each module is drawn where a function of it is first called, with the
first line of its docstring.
"""

from __future__ import annotations

import argparse
import ast
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import FrameType

from benchmarks.packages import COLOURS

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "photo_way.svg"
SAMPLE = ROOT / "sample_images" / "castle-standing.jpg"

WIDTH, MARGIN, ROW, GAP, NAME_WIDTH = 1040, 16, 24, 6, 330


@dataclass(frozen=True)
class Stop:
    """A module on the way: its path below the root, and what it says of itself."""

    path: str
    summary: str

    @property
    def layer(self) -> str:
        return self.path.partition("/")[0]


def follow(work: Callable[[], object], root: Path = ROOT) -> list[str]:
    """The modules below ``root`` whose functions ``work`` calls, in the order of the first call."""
    entered: dict[str, None] = {}

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            path = Path(code.co_filename)
            if path.is_relative_to(root):
                entered[path.relative_to(root).as_posix()] = None

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    return list(entered)


def stops_of(paths: Sequence[str], root: Path = ROOT) -> list[Stop]:
    """The stops at these modules, without those of no layer."""
    stops = []
    for path in paths:
        if path.partition("/")[0] in COLOURS:
            tree = ast.parse((root / path).read_text(encoding="utf-8"))
            summary = (ast.get_docstring(tree) or "").partition("\n")[0]
            stops.append(Stop(path, summary))
    return stops


def draw(stops: Sequence[Stop]) -> str:
    """The way as SVG, from the top down."""
    height = 2 * MARGIN + len(stops) * (ROW + GAP) - GAP
    shapes = []
    for number, stop in enumerate(stops):
        top = MARGIN + number * (ROW + GAP)
        if number:
            shapes.append(f'<path d="M{MARGIN + 14},{top - GAP}v{GAP}" class="way"/>')
        shapes.append(
            f'<rect x="{MARGIN}" y="{top}" width="{WIDTH - 2 * MARGIN}" height="{ROW}" rx="5" '
            f'fill="{COLOURS[stop.layer]}" stroke="#8a7a5c"/>'
            f'<text x="{MARGIN + 10}" y="{top + 16}" class="name">{escape(stop.path)}</text>'
            f'<text x="{MARGIN + NAME_WIDTH}" y="{top + 16}">{escape(stop.summary)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The modules that a photo passes, in order">'
        "<style>text{font-family:system-ui,sans-serif;font-size:11.5px;fill:#2d2a24}"
        ".name{font-weight:600}.way{stroke:#7a6a4a;stroke-width:2}</style>"
        + "".join(shapes)
        + "</svg>\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Read the sample and write the picture."""
    from scorer.kingdomino import score
    from vision.kingdomino.reader import Reader

    parser = argparse.ArgumentParser(prog="python -m benchmarks.photo_way", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=OUT)
    chosen = parser.parse_args(argv)
    reader = Reader()

    def way() -> None:
        score(reader.read(SAMPLE).kingdoms[0].kingdom)

    way()  # What is loaded once is no part of the way.
    chosen.out.write_text(draw(stops_of(follow(way))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
