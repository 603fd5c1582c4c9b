"""What people do on the pages of the companion, for the stories: taps are counted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.boards import pick, square
from tests.browser.tools import REPOSITORY

# The machine of a test may have other things to do.
expect.set_options(timeout=20_000)

APP = REPOSITORY / "streamlit_app.py"
_PHOTO = "input[type=file][data-photo]"


@dataclass
class Visitor:
    """Somebody with a page of the companion open; ``errors`` are those of the page itself."""

    page: Page
    url: str
    taps: int = 0
    errors: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def open(self, address: str = "") -> None:
        self.page.goto(f"{self.url}/{address}")

    def tap(self, what: Locator | str | re.Pattern[str]) -> None:
        """Tap something, by its name if it is a text or the pattern of one."""
        found = what if isinstance(what, Locator) else self.named(what)
        found.first.click()
        self.taps += 1

    def named(self, name: str | re.Pattern[str]) -> Locator:
        """A button or link by its name."""
        return self.page.get_by_role("button", name=name).or_(
            self.page.get_by_role("link", name=name)
        )

    def photograph(self, photos: Sequence[Path] | Path, what: str | None = None) -> None:
        """Tap a button that takes photos; the phone's own camera is not counted."""
        chosen = [photos] if isinstance(photos, Path) else list(photos)
        button = self.page.locator("label.button", has=self.page.locator(_PHOTO))
        if what is not None:
            button = button.filter(has_text=what)
        expect(button.first).to_be_visible()
        self.taps += 1
        button.first.locator("input").set_input_files(chosen)

    def photograph_all(self, photos: Sequence[Path] | Path) -> None:
        """Photos of several kingdoms, and on from the page that asks who is who."""
        self.photograph(photos)
        expect(self.page.get_by_text(re.compile("Wer ist wer|Who is who")).first).to_be_visible()
        self.tap(re.compile("Weiter ohne Namen|Continue without names"))

    def seat(self, name: str) -> Locator:
        return self.page.locator(".seat", has_text=name)

    def sees(self, text: str) -> None:
        expect(self.page.get_by_text(text).first).to_be_visible()

    def board_points(self) -> Locator:
        return self.page.locator(".board .number")

    def until(self, holds: Callable[[], bool], within_s: float = 10) -> float:
        """Seconds until something holds; AssertionError where it doesn't in time."""
        started = time.monotonic()
        while not holds():
            assert time.monotonic() - started < within_s, "it did not happen in time"
            self.page.wait_for_timeout(20)
        return time.monotonic() - started


def players_by_hand(visitor: Visitor, *names: str) -> None:
    """A new game with these players, at the page that asks who plays."""
    page = visitor.page
    visitor.open()
    visitor.tap("Von Hand")
    expect(page.locator(".board[data-mode=paint]")).to_be_visible()
    visitor.tap(page.get_by_role("link", name="Spieler & Regeln"))
    first = page.get_by_label("Name", exact=True).first
    expect(first).to_be_visible()
    first.fill(names[0])
    first.press("Enter")
    for number, name in enumerate(names[1:], start=2):
        field = page.get_by_label("Spieler dazu")
        field.fill(name)
        field.press("Enter")
        expect(page.locator("input[data-do=name]")).to_have_count(number)
    shown = page.locator("input[data-do=name]")
    visitor.until(lambda: [each.get_attribute("value") for each in shown.all()] == [*names])


def game_by_hand(visitor: Visitor, *names: str) -> None:
    """A new game with these players, at the first one's empty board, nothing chosen on it."""
    players_by_hand(visitor, *names)
    page = visitor.page
    visitor.tap("Zu den Königreichen")
    visitor.tap(visitor.seat(names[0]))
    expect(page.locator(".board[data-mode=paint]")).to_be_visible()
    visitor.tap(page.locator(".board [data-do=close]"))


def set_square(page: Page, position: tuple[int, int], value: str) -> None:
    expect(page.locator(".board [data-place]").first).to_be_attached()
    # A board with nothing but its castle opens with the brush.
    painting = page.locator(".board[data-mode=paint] [data-do=close]")
    if painting.count():
        painting.first.click()
    square(page, position).locator("path.square").click(force=True)
    pick(page, "set", value).click()
    close = page.locator(".board [data-do=close]")
    if close.count():
        close.first.click()


def wait_for_points(visitor: Visitor, name: str, points: int | str) -> None:
    expect(visitor.seat(name).locator(".points")).to_have_text(str(points))


_PREPARED = """async () => {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return all.flat().length > 20;
}"""


def wait_until_prepared(page: Page) -> None:
    """Wait until all is kept that a page needs without a connection."""
    page.wait_for_function(_PREPARED)
    # What was kept last is kept a moment after it was drawn.
    page.wait_for_timeout(1500)
