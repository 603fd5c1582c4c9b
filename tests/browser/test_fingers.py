"""Fingers by the browser's own touch protocol, on a page with the board alone and no server."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect

from companion.web.kingdomino.board import BoardPhoto, BoardState
from scorer.kingdomino import Kingdom
from tests.browser.boards import (
    FULL,
    doubtful_state,
    kingdom_of,
    middle_of,
    open_board,
    pick,
    square,
    wait_for_kingdom,
)

EMPTY = BoardState(Kingdom.empty(5, 5))
LARGE = Kingdom.parse("/".join([" ".join(["w1"] * 9)] * 9))
Point = tuple[float, float]


class Fingers:
    """Fingers on a phone: each call says where those with a number are now."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._there: dict[int, Point] = {}

    def _send(self, kind: str) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in self._there.items()]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, number: int, at: Point) -> None:
        self._there[number] = at
        self._send("touchStart")

    def move(self, to: Mapping[int, Point], steps: int = 8) -> None:
        start = dict(self._there)
        for step in range(1, steps + 1):
            for number, (x, y) in to.items():
                x0, y0 = start[number]
                self._there[number] = (x0 + (x - x0) * step / steps, y0 + (y - y0) * step / steps)
            self._send("touchMove")

    def up(self, number: int) -> None:
        del self._there[number]
        self._send("touchEnd")

    def broken_off(self) -> None:
        """The phone takes the fingers away: a call, a gesture of the system, a palm."""
        self._there.clear()
        self._session.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})


def moved_by(point: Point, x: float, y: float) -> Point:
    return point[0] + x, point[1] + y


def painting(page: Page) -> Fingers:
    page.get_by_role("button", name="Malen").tap()
    expect(page.get_by_role("button", name="Fertig")).to_be_visible()
    return Fingers(page)


def sent(page: Page) -> int:
    return int(page.evaluate("sent.length"))


def test_a_stroke_is_painted_and_one_that_the_phone_breaks_off_is_not(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = painting(phone)
    fingers.down(1, middle_of(phone, (1, 0)))
    fingers.move({1: middle_of(phone, (1, 3))})
    assert str(kingdom_of(phone)[1, 2]) == "w"
    fingers.broken_off()
    wait_for_kingdom(phone, EMPTY.kingdom)
    assert sent(phone) == 0
    fingers.down(1, middle_of(phone, (1, 0)))
    fingers.move({1: middle_of(phone, (1, 3))})
    fingers.up(1)
    wait_for_kingdom(phone, Kingdom.parse(". . . . ./w w w w ./. . . . ./. . . . ./. . . . ."))
    assert sent(phone) == 1


def test_a_pinch_begun_while_painting_leaves_no_paint_and_zooms(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = painting(phone)
    first, second = middle_of(phone, (2, 1)), middle_of(phone, (2, 3))
    fingers.down(1, first)
    fingers.move({1: moved_by(first, 12, 0)})
    assert kingdom_of(phone) != EMPTY.kingdom
    fingers.down(2, second)
    wait_for_kingdom(phone, EMPTY.kingdom)
    before = phone.evaluate("board.stage.view.box.width")
    fingers.move({1: moved_by(first, -40, 0), 2: moved_by(second, 40, 0)})
    assert phone.evaluate("board.stage.view.box.width") < 0.8 * before
    fingers.up(1)
    fingers.move({2: middle_of(phone, (2, 2))})
    fingers.up(2)
    assert kingdom_of(phone) == EMPTY.kingdom
    assert sent(phone) == 0


def test_a_palm_beside_two_fingers_paints_and_taps_nothing(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = painting(phone)
    for number, place in enumerate([(0, 0), (2, 2), (4, 4)], 1):
        fingers.down(number, middle_of(phone, place))
    fingers.move({3: middle_of(phone, (4, 2)), 1: middle_of(phone, (0, 2))})
    for number in (2, 3, 1):
        fingers.up(number)
    assert kingdom_of(phone) == EMPTY.kingdom
    assert sent(phone) == 0


def test_a_finger_that_leaves_the_board_keeps_what_it_painted(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = painting(phone)
    fingers.down(1, middle_of(phone, (3, 3)))
    fingers.move({1: middle_of(phone, (3, 4))})
    fingers.move({1: (388, middle_of(phone, (3, 4))[1] + 250)})
    fingers.up(1)
    wait_for_kingdom(phone, kingdom_of(phone))
    rows = phone.evaluate("board.snapshot.rows")
    assert rows[3] == [".", ".", ".", "w", "w"]
    assert [row for number, row in enumerate(rows) if number < 3] == [["."] * 5] * 3


def test_rotation_in_the_middle_of_a_stroke_leaves_one_step(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = painting(phone)
    fingers.down(1, middle_of(phone, (0, 0)))
    fingers.move({1: middle_of(phone, (0, 2))})
    phone.set_viewport_size({"width": 844, "height": 390})
    phone.wait_for_timeout(200)
    fingers.broken_off()
    wait_for_kingdom(phone, EMPTY.kingdom)
    fingers.down(1, middle_of(phone, (4, 4)))
    fingers.up(1)
    phone.wait_for_function("board.snapshot.rows[4][4] === 'w'")
    assert [sum(cell != "." for cell in row) for row in phone.evaluate("board.snapshot.rows")] == [
        0, 0, 0, 0, 1,
    ]  # fmt: skip


def test_a_long_press_is_one_tap(phone: Page) -> None:
    open_board(phone, EMPTY)
    fingers = Fingers(phone)
    fingers.down(1, middle_of(phone, (1, 1)))
    phone.wait_for_timeout(900)
    assert phone.evaluate("board.mode") == "rest"
    fingers.up(1)
    phone.wait_for_function("board.mode === 'square' && String(board.selected) === '1,1'")
    assert sent(phone) == 0


def test_a_second_tap_before_the_first_is_answered_counts(phone: Page) -> None:
    open_board(phone, EMPTY, answers=False)
    for column, value in enumerate(("w1", "f2")):
        square(phone, (0, column)).locator("path.square").tap(force=True)
        pick(phone, "set", value).tap()
    assert phone.evaluate("sent.map((each) => each.done.length)") == [1, 2]
    phone.evaluate("answer(sent[0])")
    assert [str(kingdom_of(phone)[0, column]) for column in (0, 1)] == ["w1", "f2"]
    assert not phone.evaluate("board.wire.idle")
    phone.evaluate("answer(sent[1])")
    assert phone.evaluate("board.wire.idle")
    phone.evaluate("answer(sent[0])")
    assert [str(kingdom_of(phone)[0, column]) for column in (0, 1)] == ["w1", "f2"]


@pytest.mark.parametrize(("width", "height"), [(1200, 1600), (1600, 1200)])
def test_a_corner_goes_to_every_edge_of_the_photograph_and_not_beyond(
    phone: Page, width: int, height: int
) -> None:
    state = replace(doubtful_state(), photo=BoardPhoto("photo.jpg", width, height))
    open_board(phone, state)
    phone.get_by_role("button", name="Größe").or_(phone.locator("[data-do=size]")).first.tap()
    phone.locator("[data-do=corners]").tap()
    phone.wait_for_function("board.corners !== null")
    fingers = Fingers(phone)
    ends = {2: (width, height), 0: (0, 0), 1: (width, 0), 3: (0, height)}
    for index, (x, y) in ends.items():
        at, to = phone.evaluate(
            """([index, end]) => {
              const box = board.stage.element.getBoundingClientRect();
              const onScreen = (point) => board.stage.view.toScreen(point).map(
                (value, axis) => value + [box.x, box.y][axis]);
              return [onScreen(board.corners.corners[index]), onScreen(end)];
            }""",
            [index, [x, y]],
        )
        beyond = (to[0] + (30 if x else -30), to[1] + (30 if y else -30))
        fingers.down(1, (at[0] + 4, at[1] - 3))
        fingers.move({1: beyond})
        fingers.up(1)
        phone.wait_for_function(
            "([index, x, y]) => Math.hypot(board.corners.corners[index][0] - x,"
            " board.corners.corners[index][1] - y) < 0.1",
            arg=[index, x, y],
        )


PLACES = """
() => {
  const { scene, view, element } = board.stage;
  const shown = element.getBoundingClientRect();
  const scale = shown.width / view.box.width;
  return board.snapshot.rows.flatMap((row, r) => row.map((value, c) => {
    const box = scene.cells.get(`${r},${c}`).element.querySelector("path.square")
      .getBoundingClientRect();
    const x = (box.x + box.width / 2 - shown.x) / scale + view.box.x;
    const y = (box.y + box.height / 2 - shown.y) / scale + view.box.y;
    return [value, Math.floor((x - 350) / 180), Math.floor((y - 140) / 180)];
  })).filter(([value]) => value !== ".");
}
"""


def test_labels_lie_over_their_pixels_whatever_is_done_to_the_board(phone: Page) -> None:
    one = Kingdom.parse(". . . . ./. w1 f g ./. l c s ./. m m1 w ./. . . . .")
    open_board(phone, doubtful_state(one))

    def over_their_pixels() -> None:
        for value, column, row in phone.evaluate(PLACES):
            assert str(one[row, column]) == value, (value, row, column)

    over_their_pixels()
    phone.locator("[data-do=size]").tap()
    for action in (
        '[data-do="move"][data-value="top"]',
        '[data-do="move"][data-value="left"]',
        '[data-do="turn"]',
        '[data-do="less"][data-value="bottom"]',
        '[data-do="more-lines"][data-value="left"]',
        '[data-do="turn"]',
        '[data-do="move"][data-value="right"]',
    ):
        phone.locator(action).tap()
        phone.wait_for_timeout(60)
        over_their_pixels()
    phone.get_by_role("button", name="Rückgängig").tap()
    over_their_pixels()


def test_every_doubt_of_a_large_board_comes_into_sight(
    context_of: Callable[..., BrowserContext],
) -> None:
    page = context_of(viewport={"width": 320, "height": 640}).new_page()
    doubts = ((0, 0), (4, 8), (8, 0), (8, 8))
    open_board(page, doubtful_state(LARGE, doubts))
    page.locator('[data-do="view"][data-value="plan"]').tap()
    page.locator("[data-do=doubts]").tap()
    for place in doubts:
        page.wait_for_function(
            "(text) => String(board.selected) === text", arg=",".join(map(str, place))
        )
        page.wait_for_timeout(100)
        inside = page.evaluate(
            """(place) => {
              const square = board.root.querySelector(`[data-place="${place}"] path.square`)
                .getBoundingClientRect();
              const { x, y, right, bottom } = board.stage.element.getBoundingClientRect();
              return square.x >= x - 1 && square.right <= right + 1 && square.y >= y - 1 &&
                square.bottom <= bottom + 1 && square.width >= 43;
            }""",
            ",".join(map(str, place)),
        )
        assert inside, place
        page.locator('[data-do="next-doubt"]').tap()
    page.wait_for_function("String(board.selected) === '0,0'")


def test_nine_by_nine_a_tap_hits_its_square_near_and_far(phone: Page) -> None:
    open_board(phone, BoardState(LARGE))
    fingers = Fingers(phone)
    for place in ((4, 4), (3, 5), (5, 3)):
        fingers.down(1, middle_of(phone, place))
        fingers.up(1)
        phone.wait_for_function(
            "(text) => String(board.selected) === text", arg=f"{place[0]},{place[1]}"
        )


def test_a_tap_on_a_small_phone_sets_nothing_on_the_sheet_that_comes_under_the_finger(
    context_of: Callable[..., BrowserContext],
) -> None:
    page = context_of(viewport={"width": 360, "height": 640}).new_page()
    open_board(page, doubtful_state())
    page.add_style_tag(content="main { padding-top: 140px }")
    fingers = Fingers(page)
    for place, _ in FULL.items():
        page.evaluate("board.close(); scrollTo(0, 0)")
        at = middle_of(page, place)
        fingers.down(1, at)
        fingers.up(1)
        page.wait_for_function(
            "(text) => String(board.selected) === text", arg=f"{place[0]},{place[1]}"
        )
        # The click comes some moments after the finger.
        page.wait_for_timeout(60)
    assert sent(page) == 0


@pytest.mark.parametrize("condition", ["narrow", "large_text", "reduced_motion"])
def test_small_screens_large_text_and_less_motion(
    context_of: Callable[..., BrowserContext], condition: str
) -> None:
    conditions: dict[str, dict[str, Any]] = {
        "narrow": {"viewport": {"width": 320, "height": 568}},
        "large_text": {},
        "reduced_motion": {"reduced_motion": "reduce"},
    }
    page = context_of(**conditions[condition]).new_page()
    open_board(page, BoardState(FULL))
    if condition == "large_text":
        page.add_style_tag(content="html { font-size: 200% }")
    square(page, (0, 0)).locator("path.square").tap(force=True)
    pick(page, "set", "f3").tap()
    page.wait_for_function("board.snapshot.rows[0][0] === 'f3'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if condition == "reduced_motion":
        shown = page.evaluate("[document.querySelector('.number').textContent, board.total]")
        assert int(shown[0]) == shown[1]


def test_a_phone_that_slept_sends_once_it_wakes(phone: Page) -> None:
    open_board(phone, EMPTY, answers=False)
    square(phone, (0, 0)).locator("path.square").tap(force=True)
    pick(phone, "set", "w1").tap()
    session = phone.context.new_cdp_session(phone)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    session.send("Page.setWebLifecycleState", {"state": "active"})
    phone.wait_for_function("sent.length >= 2", timeout=10_000)
    assert phone.evaluate("sent.every((each) => each.seq === 1)")
    phone.evaluate("answer(sent.at(-1))")
    assert phone.evaluate("board.wire.idle")


def test_where_nothing_may_be_kept_the_board_works(phone: Page) -> None:
    phone.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, {
            get() { throw new DOMException("", "SecurityError"); },
          });
        """
    )
    open_board(phone, EMPTY)
    square(phone, (0, 0)).locator("path.square").tap(force=True)
    pick(phone, "set", "w1").tap()
    phone.wait_for_function("board.snapshot.rows[0][0] === 'w1' && board.wire.idle")


def test_every_button_of_the_sheets_does_what_it_says(desktop: Page) -> None:
    doubts = ((0, 1), (2, 3), (4, 4))
    open_board(desktop, replace(doubtful_state(doubts=doubts), court=True))

    def press(what: str, value: str = "") -> None:
        chosen = f'[data-value="{value}"]' if value else ""
        desktop.locator(f'.board [data-do="{what}"]{chosen}').click()

    def width() -> float:
        return float(desktop.evaluate("board.stage.view.box.width"))

    whole = width()
    x, y = middle_of(desktop, (2, 2))
    desktop.mouse.move(x, y)
    desktop.keyboard.down("Control")
    desktop.mouse.wheel(0, -120)
    desktop.keyboard.up("Control")
    desktop.wait_for_function(f"board.stage.view.box.width < {0.8 * whole}")
    near = width()
    press("zoom", "1.6")
    assert width() == pytest.approx(near / 1.6)
    press("zoom", "0.625")
    assert width() == pytest.approx(near)
    press("fit")
    assert width() == pytest.approx(whole)

    press("doubts")
    press("last-doubt")
    assert desktop.evaluate("board.selected") == [4, 4]
    press("next-doubt")
    assert desktop.evaluate("board.selected") == [0, 1]
    press("anything")
    press("giants", "1")
    assert str(kingdom_of(desktop)[0, 1]) == "m2!"
    press("set", "f")
    press("piece", ":queen")
    press("piece", ":queen:1")
    assert str(kingdom_of(desktop)[0, 1]) == "f:queen:1"
    expect(square(desktop, (0, 1))).to_have_attribute("aria-label", re.compile("Königin"))
    press("close")

    press("size")
    press("crops")
    expect(desktop.locator(".squares image")).to_have_count(25)
    press("crops")
    expect(desktop.locator(".squares image")).to_have_count(0)
    press("clear")
    wait_for_kingdom(desktop, EMPTY.kingdom)
    press("undo")
    assert str(kingdom_of(desktop)[0, 1]) == "f:queen:1"
