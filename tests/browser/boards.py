"""Boards for the browser tests: bare pages, kingdoms, readings, and fingers on squares."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

from companion.languages import Language
from companion.web.kingdomino.board import (
    BoardPhoto,
    BoardScore,
    BoardState,
    board_words,
)
from scorer.kingdomino import Kingdom, Position, score
from tests.browser.bare_page import show_bare_page
from tests.browser.tools import REPOSITORY
from vision.kingdomino.result import KingdomReading, SquareReading

FULL = Kingdom.parse(
    "s m2 g g1 f/s w g w f/m2 w c f f/g w m2 f f/l w1 s l1 l1",
)
PHOTO = REPOSITORY / "sample_images" / "complete-5x5.jpg"


def doubtful_state(kingdom: Kingdom = FULL, doubts: tuple[Position, ...] = ()) -> BoardState:
    """A kingdom on a photo of 1600×1200, its squares of 180 pixels from (350, 140) on."""
    rows = tuple(
        tuple(
            SquareReading(str(kingdom[row, column]), 0.9, "f1", (row, column) in doubts)
            for column in range(kingdom.width)
        )
        for row in range(kingdom.height)
    )
    homography = np.array([(180.0, 0.0, 350.0), (0.0, 180.0, 140.0), (0.0, 0.0, 1.0)])
    return BoardState(
        kingdom,
        score=BoardScore(score(kingdom).points),
        photo=BoardPhoto("photo.jpg", 1600, 1200),
        reading=KingdomReading(kingdom, rows, homography),
        title="Anna",
        colour="blue",
    )


def open_board(page: Page, state: BoardState, *, language: str = "de", **options: Any) -> None:
    """Show a bare page with a board and no server; options as of ``show_bare_page``."""
    words = board_words(Language(language))
    show_bare_page(page, state, words, photo=PHOTO, language=language, **options)
    page.locator('[data-place="0,0"]').wait_for()


def square(page: Page, position: Position) -> Any:
    return page.locator(f'[data-place="{position[0]},{position[1]}"]')


def middle_of(page: Page, position: Position) -> tuple[float, float]:
    """Where the middle of a square is on the screen, in CSS pixels."""
    box = square(page, position).locator("path.square").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pick(page: Page, action: str, value: str) -> Any:
    """The button of a palette with a value."""
    return page.locator(f'[data-do="{action}"][data-value="{value}"]')


def drag(page: Page, *points: tuple[float, float]) -> None:
    """One finger put down at the first point, moved over the others and lifted."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", points[0])
    for (x0, y0), (x1, y1) in pairwise(points):
        for step in range(1, 9):
            touch("touchMove", (x0 + (x1 - x0) * step / 8, y0 + (y1 - y0) * step / 8))
    touch("touchEnd")


def kingdom_of(page: Page) -> Kingdom:
    """The kingdom that the board shows now."""
    rows: list[list[str]] = page.evaluate("board.snapshot.rows")
    return Kingdom.parse("/".join(" ".join(row) for row in rows))


def wait_for_kingdom(page: Page, kingdom: Kingdom) -> None:
    """Wait until the board shows a kingdom: a tap becomes a click some moments later."""
    page.wait_for_function(
        "(text) => board.snapshot.rows.map((row) => row.join(' ')).join('/') === text",
        arg=kingdom.format(),
    )


def paint(page: Page, kingdom: Kingdom, *, castle_is_set: bool = False) -> int:
    """Paint a kingdom by brush and strokes while the palette is open; how many taps it took.

    Squares of one label that lie beside each other are one stroke. The first brush is wheat.
    """
    places: dict[str, list[Position]] = {}
    for position, wanted in kingdom.items():
        if not (castle_is_set and wanted.is_castle):
            places.setdefault(str(wanted), []).append(position)
    taps = 0
    for value in sorted(places, key=lambda each: each != "w"):
        brush = pick(page, "brush", value)
        if brush.get_attribute("aria-pressed") != "true":
            brush.tap()
            taps += 1
        expect(brush).to_have_attribute("aria-pressed", "true")
        left = list(places[value])
        while left:
            run = [left.pop(0)]
            while any(_beside(run[-1], each) for each in left):
                following = next(each for each in left if _beside(run[-1], each))
                left.remove(following)
                run.append(following)
            drag(page, *(middle_of(page, position) for position in run))
            taps += 1
    return taps


def _beside(a: Position, b: Position) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1
