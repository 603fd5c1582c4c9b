"""Pictures of the pages for the README: phone and desktop, every language, light and dark.

    python -m benchmarks.screenshots docs/images

Only drawn kingdoms are on them. Each is a JPEG of at most 150 kB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from companion.languages import Language, say

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

MAX_BYTES = 150_000
DEVICES = ("phone", "desktop")
SCHEMES = ("light", "dark")
LOCALES = {"de": "de-DE", "en": "en-GB"}
_PATIENCE_MS = 120_000


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pictures go")
    options = parser.parse_args(argv)
    options.folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, picture in pictures():
        total += save(picture, options.folder / name)
        print(name, file=sys.stderr, flush=True)
    print(f"{total / 1e6:.2f} MB")
    return 0


def file_name(view: str, device: str, language: str, scheme: str) -> str:
    """The name of a picture, as the README has it."""
    return f"{view}-{device}-{language}-{scheme}.jpg"


def save(picture: Image.Image, path: Path) -> int:
    """Write it as JPEG, no larger than may be; how many bytes."""
    for quality in range(86, 20, -6):
        file = BytesIO()
        picture.convert("RGB").save(file, "JPEG", quality=quality, optimize=True)
        if len(file.getvalue()) <= MAX_BYTES:
            break
    path.write_bytes(file.getvalue())
    return len(file.getvalue())


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """All pictures with their names."""
    from playwright.sync_api import sync_playwright

    from tests.browser.companion_app import APP
    from tests.browser.tables import FOUR, photo_of_table
    from tests.browser.tools import CHROMIUM_FLAGS, Server, chromium_path

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        kingdoms = [(kingdom, colour) for colour, kingdom in FOUR.items()]
        photo = photo_of_table(kingdoms, Path(folder) / "table.jpg")
        server = Server(APP, Path(folder))
        server.start()
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=list(CHROMIUM_FLAGS)
        )
        try:
            for device in DEVICES:
                for language in LOCALES:
                    for scheme in SCHEMES:
                        page = _opened(browser, device, language, scheme)
                        for view, picture in _views(page, server.url, photo, Language(language)):
                            yield file_name(view, device, language, scheme), picture
                        page.context.close()
        finally:
            browser.close()
            server.kill()


def _opened(browser: Browser, device: str, language: str, scheme: str) -> Page:
    from tests.browser.tools import open_desktop, open_phone

    opened = open_phone if device == "phone" else open_desktop
    look: dict[str, Any] = {
        "locale": LOCALES[language],
        "color_scheme": scheme,
        "reduced_motion": "reduce",
    }
    if device == "phone":
        look["device_scale_factor"] = 1.5
    page = opened(browser, **look).new_page()
    page.set_default_timeout(_PATIENCE_MS)
    return page


def _views(
    page: Page, url: str, photo: Path, language: Language
) -> Iterator[tuple[str, Image.Image]]:
    """One photo of the table: who won, then the board of the winner."""
    page.goto(url)
    page.locator("input[data-photo]").first.set_input_files(photo)
    page.get_by_text(say("who.skip", language)).click()
    page.locator(".winner h1").wait_for()
    page.locator(".waiting-layer").wait_for(state="detached")
    yield "result", _seen(page)
    page.locator("a.seat").nth(1).click()
    page.locator(".board image").first.wait_for(state="attached")
    page.get_by_text(say("seat.photo_again", language)).wait_for()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    page.evaluate("scrollTo(0, 0)")
    yield "board", _seen(page)


def _seen(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot()))


if __name__ == "__main__":
    sys.exit(main())
