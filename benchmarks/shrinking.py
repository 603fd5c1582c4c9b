"""Whether the browser's shrinking of photos before they are sent changes what is read.

    python -m benchmarks.shrinking DATA --out benchmarks/shrinking.md

Every photograph of kingdoms is shrunk in Chromium by the very code of the pages and read both ways.
Most are smaller than what the pages shrink, so they are first enlarged to 4032 pixels, as phones
take them; this is the original then. Compared are labels, flags, frames and warnings.
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageOps

import companion.web.shell
from benchmarks.markdown_tables import provenance, show
from vision.kingdomino.reader import default_reader
from vision.kingdomino.result import PhotoReading
from vision.photo import PhotoError

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDERS = ("photos", "boards", "boards_loose")
TAKEN_SIDE_PX = 4032
_SCRIPT = Path(companion.web.shell.__file__).parent / "static" / "photos.mjs"


@dataclass(frozen=True)
class Compared:
    """One photograph: bytes before and after, and what its two readings differ in."""

    name: str
    before: int
    after: int
    kingdoms: int = 0
    squares: int = 0
    labels: int = 0
    flags: int = 0
    other: str = ""


@contextmanager
def shrinking_page() -> Iterator[Page]:
    """A page of Chromium that has the function."""
    from playwright.sync_api import sync_playwright

    from tests.browser.tools import CHROMIUM_FLAGS, chromium_path

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_FLAGS)
        )
        page = browser.new_page()
        code = f"{_SCRIPT.read_text(encoding='utf-8')}\nwindow.reduced = reduced;"
        page.add_script_tag(content=code, type="module")
        page.wait_for_function("Boolean(window.reduced)")
        yield page
        browser.close()


def shrunk(page: Page, data: bytes) -> bytes:
    """What the pages would send of a photo."""
    text = page.evaluate(
        """async (text) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const small = await reduced(new File([bytes], "photo.jpg", { type: "image/jpeg" }));
          const read = new FileReader();
          return new Promise((come) => {
            read.onload = () => come(read.result.split(",")[1]);
            read.readAsDataURL(small);
          });
        }""",
        base64.b64encode(data).decode(),
    )
    return base64.b64decode(text)


def as_taken(path: Path) -> bytes:
    """The photograph as large as phones take it, as JPEG of high quality."""
    with Image.open(path) as opened:
        picture = ImageOps.exif_transpose(opened).convert("RGB")
    scale = TAKEN_SIDE_PX / max(picture.size)
    if scale > 1:
        size = (round(picture.width * scale), round(picture.height * scale))
        picture = picture.resize(size, Image.Resampling.BICUBIC)
    file = BytesIO()
    picture.save(file, "JPEG", quality=95)
    return file.getvalue()


def compare(name: str, data: bytes, small: bytes) -> Compared:
    """The readings of a photo before and after."""
    first, second = _read(data), _read(small)
    if isinstance(first, str) or isinstance(second, str):
        other = "" if first == second else f"{_said(first)} → {_said(second)}"
        return Compared(name, len(data), len(small), other=other)
    if len(first.kingdoms) != len(second.kingdoms):
        other = f"{_said(first)} → {_said(second)}"
        return Compared(name, len(data), len(small), len(first.kingdoms), other=other)
    labels = flags = squares = 0
    notes = [] if first.warnings == second.warnings else ["warnings"]
    for one, two in zip(first.kingdoms, second.kingdoms, strict=True):
        if (one.kingdom.height, one.kingdom.width) != (two.kingdom.height, two.kingdom.width):
            notes.append("frame")
            continue
        for row_one, row_two in zip(one.squares, two.squares, strict=True):
            for a, b in zip(row_one, row_two, strict=True):
                squares += 1
                labels += a.label != b.label
                flags += a.doubtful != b.doubtful
    return Compared(
        name, len(data), len(small), len(first.kingdoms), squares, labels, flags, ", ".join(notes)
    )


def _read(data: bytes) -> PhotoReading | str:
    try:
        return default_reader().read(data)
    except PhotoError as error:
        return str(error.code)


def _said(found: PhotoReading | str) -> str:
    return found if isinstance(found, str) else f"{len(found.kingdoms)} kingdoms"


def table_of(found: Sequence[Compared], command: str) -> str:
    """The table, with every photograph in which something differs."""
    changed = [each for each in found if each.labels or each.flags or each.other]
    before, after = sum(each.before for each in found), sum(each.after for each in found)
    lines = [
        f"# Shrinking in the browser, {provenance()}",
        "",
        f"`{command}`. {len(found)} photographs, {before / 1e6:.0f} MB before and "
        f"{after / 1e6:.0f} MB after shrinking; "
        f"{sum(each.kingdoms for each in found)} kingdoms, "
        f"{sum(each.squares for each in found)} squares: "
        f"{sum(each.labels for each in found)} labels and "
        f"{sum(each.flags for each in found)} flags differ.",
        "",
        "| photograph with a difference | squares | labels | flags | other |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {each.name} | {each.squares} | {each.labels} | {each.flags} | {each.other} |"
        for each in changed
    ]
    return "\n".join([*lines, ""])


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="the data folder")
    parser.add_argument("--out", type=Path, help="write the table here too")
    parser.add_argument("--limit", type=int, help="so many photographs of each folder only")
    options = parser.parse_args(argv)
    found = []
    with shrinking_page() as page:
        for folder in FOLDERS:
            paths = sorted(
                path
                for path in (options.data / folder).rglob("*")
                if path.suffix.lower() in (".jpg", ".jpeg", ".png")
            )
            for path in paths[: options.limit]:
                data = as_taken(path)
                name = f"{folder}/{path.name}"
                found.append(compare(name, data, shrunk(page, data)))
                print(found[-1], file=sys.stderr, flush=True)
    text = table_of(found, "python -m benchmarks.shrinking DATA")
    show(text, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
