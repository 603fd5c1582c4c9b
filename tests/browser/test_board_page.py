"""Stories of the board on a bare page: what a person does, and what they then see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect

from companion.web.kingdomino.board import BoardState
from scorer.kingdomino import Kingdom, Square, score
from tests.browser.boards import (
    FULL,
    doubtful_state,
    drag,
    kingdom_of,
    middle_of,
    open_board,
    paint,
    pick,
    square,
    wait_for_kingdom,
)
from tests.browser.tools import axe_violations

EMPTY = BoardState(Kingdom.empty(5, 5))
MODES = {"anything": "square", "close": "rest"}
OVERLAPS = """
() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map(
    (element) => element.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 &&
    a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const badges = boxes(".points rect, .scene .query circle");
  const crowns = boxes(".squares .crown");
  return [badges.length, crowns.length,
    badges.flatMap((badge) => crowns.filter((crown) => meet(badge, crown))).length];
}
"""


def test_a_doubt_is_one_tap(phone: Page) -> None:
    open_board(phone, doubtful_state(doubts=((1, 1), (4, 2))))
    phone.get_by_role("button", name="2 prüfen").tap()
    expect(phone.get_by_role("heading", name="Getreidefeld?")).to_be_visible()
    phone.get_by_role("button", name="Stimmt").tap()
    expect(phone.get_by_role("heading", name="Sumpf?")).to_be_visible()
    phone.get_by_role("button", name="Wald, 1 Krone").tap()
    expect(phone.locator("[data-do=doubts]")).to_have_count(0)
    assert str(kingdom_of(phone)[4, 2]) == "f1"
    kinds = phone.evaluate("sent.map((change) => change.done.at(-1).kind)")
    assert kinds == ["confirm", "set"]


def test_anything_else_is_two_taps(phone: Page) -> None:
    open_board(phone, doubtful_state(doubts=((1, 1),)))
    phone.get_by_role("button", name="1 prüfen").tap()
    phone.get_by_role("button", name="Etwas anderes").tap()
    pick(phone, "set", "s2").tap()
    wait_for_kingdom(phone, FULL.replace({(1, 1): Square.parse("s2")}))


def test_a_kingdom_is_painted_in_forty_taps(
    phone: Page, record_property: Callable[[str, object], None]
) -> None:
    open_board(phone, EMPTY)
    phone.get_by_role("button", name="Malen").tap()
    taps = 1 + paint(phone, FULL)
    phone.get_by_role("button", name="Fertig").tap()
    taps += 1
    wait_for_kingdom(phone, FULL)
    record_property("painting", {"taps": taps})
    print({"taps": taps})
    assert taps <= 40
    expect(phone.locator(".number")).to_have_text(str(score(FULL).points))


def test_a_stroke_is_one_step_of_undo(phone: Page) -> None:
    open_board(phone, EMPTY)
    painted = Kingdom.parse("w w w w w/. . . . ./. . . . ./. . . . ./. . . . .")
    phone.get_by_role("button", name="Malen").tap()
    expect(phone.get_by_role("button", name="Fertig")).to_be_visible()
    drag(phone, middle_of(phone, (0, 0)), middle_of(phone, (0, 4)))
    wait_for_kingdom(phone, painted)
    phone.get_by_role("button", name="Rückgängig").tap()
    wait_for_kingdom(phone, EMPTY.kingdom)
    phone.get_by_role("button", name="Wiederholen").tap()
    wait_for_kingdom(phone, painted)


def test_late_answers_overwrite_nothing(phone: Page) -> None:
    open_board(phone, EMPTY, answers=False)
    for column, value in enumerate(("w1", "f2", "l")):
        square(phone, (0, column)).locator("path.square").tap(force=True)
        pick(phone, "set", value).tap()
        phone.wait_for_function("(count) => sent.length === count", arg=column + 1)
    phone.evaluate("answer(sent[0])")
    assert [str(kingdom_of(phone)[0, column]) for column in range(3)] == ["w1", "f2", "l"]
    phone.evaluate("answer(sent[2])")
    phone.evaluate("answer(sent[1])")
    assert [str(kingdom_of(phone)[0, column]) for column in range(3)] == ["w1", "f2", "l"]
    assert phone.evaluate("board.wire.idle")


def test_a_page_that_gets_no_answer_is_asked_for_anew(phone: Page) -> None:
    phone.clock.install()
    open_board(phone, EMPTY, answers=False)
    phone.evaluate("asked = 0; addEventListener('popstate', () => { asked += 1; })")
    square(phone, (0, 0)).locator("path.square").tap(force=True)
    pick(phone, "set", "w1").tap()
    phone.wait_for_function("sent.length > 0")
    phone.clock.run_for(5_000)
    assert phone.evaluate("asked") == 0
    phone.clock.run_for(10_000)
    assert phone.evaluate("asked") == 1
    assert phone.evaluate("sent.every((each) => each.seq === sent[0].seq)")


def test_a_change_from_elsewhere_is_told_and_not_taken_back_here(phone: Page) -> None:
    open_board(phone, EMPTY)
    phone.evaluate("board.receive({...board.state, kingdom: 'w1 w/. c', settled: '0000'})")
    assert kingdom_of(phone) == Kingdom.parse("w1 w/. c")
    expect(phone.locator(".news")).to_contain_text("auf einem anderen Handy geändert")
    expect(phone.locator(".marks .fresh").first).to_be_visible()
    expect(phone.get_by_role("button", name="Rückgängig")).to_be_disabled()


def test_keys_do_it_all(desktop: Page) -> None:
    open_board(desktop, EMPTY)
    square(desktop, (0, 0)).focus()
    for key in ("w", "2", "!", "ArrowRight", "w", "ArrowDown", "c", "ArrowDown", "m", "3"):
        desktop.keyboard.press(key)
    kingdom = kingdom_of(desktop)
    assert [str(kingdom[place]) for place in ((0, 0), (0, 1), (1, 1), (2, 1))] == [
        "w2!", "w", "c", "m3",
    ]  # fmt: skip
    expect(desktop.locator(".live")).to_have_text("5 Punkte")
    desktop.keyboard.press("Control+z")
    desktop.keyboard.press("Control+z")
    assert str(kingdom_of(desktop)[2, 1]) == "."
    desktop.keyboard.press("Control+y")
    assert str(kingdom_of(desktop)[2, 1]) == "m"
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("heading", name="Mine")).to_be_visible()
    expect(square(desktop, (2, 1))).to_have_attribute("aria-pressed", "true")
    desktop.keyboard.press("Escape")
    expect(square(desktop, (2, 1))).to_have_attribute("aria-pressed", "false")


def test_corners_are_dragged_and_read_again(phone: Page) -> None:
    open_board(phone, doubtful_state())
    phone.get_by_role("button", name="Mehr").tap()
    phone.get_by_role("button", name="Ecken setzen").tap()
    box = phone.locator('[data-corner="0"] .reach').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = phone.context.new_cdp_session(phone)
    touch: dict[str, Any] = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    session.send("Input.dispatchTouchEvent", touch)
    moved = {"type": "touchMove", "touchPoints": [{"x": x + 20, "y": y + 30}]}
    session.send("Input.dispatchTouchEvent", moved)
    expect(phone.locator(".magnifier")).to_be_visible()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator(".magnifier")).to_have_count(0)
    phone.get_by_role("button", name="Neu lesen").tap()
    phone.wait_for_function("sent.length > 0")
    change = phone.evaluate("sent.at(-1)")
    assert change["done"][-1]["kind"] == "corners"
    assert change["grid"] == [5, 5]
    scale = 1600 / 358
    assert change["corners"][0] == pytest.approx([350 + 20 * scale, 140 + 30 * scale], abs=5)
    assert change["corners"][2] == pytest.approx([1250, 1040], abs=0.2)


def test_large_kingdoms_keep_targets_for_fingers(phone: Page) -> None:
    for side in (7, 9):
        open_board(phone, BoardState(Kingdom.empty(side, side)))
        box = square(phone, (side // 2, side // 2)).locator("path.square").bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_buttons_are_large_enough(phone: Page) -> None:
    open_board(phone, doubtful_state(doubts=((1, 1),)))
    for opener in ("[data-do=doubts]", "[data-do=anything]", "[data-do=close]", "[data-do=size]"):
        phone.locator(opener).first.tap()
        sizes = phone.evaluate(
            "[...document.querySelectorAll('button')].filter((each) => each.offsetParent)"
            ".map((each) => [each.offsetWidth, each.offsetHeight, each.title])"
        )
        for width, height, name in sizes:
            assert width >= 48, name
            assert height >= 48, name


def test_two_fingers_zoom(phone: Page) -> None:
    open_board(phone, EMPTY)
    before = square(phone, (2, 2)).bounding_box()
    x, y = middle_of(phone, (2, 2))
    session = phone.context.new_cdp_session(phone)
    for kind, apart in (("touchStart", 30), ("touchMove", 50), ("touchMove", 80), ("touchEnd", 0)):
        fingers = [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}] if apart else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})
    after = square(phone, (2, 2)).bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > 1.8 * before["width"]
    assert kingdom_of(phone) == EMPTY.kingdom


def test_where_points_come_from_is_shown_on_the_board(phone: Page) -> None:
    open_board(phone, doubtful_state())
    source = phone.locator("[data-do=light]").first
    source.tap()
    expect(source).to_have_attribute("aria-pressed", "true")
    expect(phone.locator(".marks .lit").first).to_be_visible()
    source.tap()
    expect(phone.locator(".marks .lit")).to_have_count(0)


def test_zoom_buttons_cover_no_square(phone: Page, desktop: Page) -> None:
    """Neither with a mouse in a narrow window nor where two fingers came nearer."""
    desktop.set_viewport_size({"width": 390, "height": 844})
    large = BoardState(Kingdom.empty(9, 9))
    for page, state, last in ((desktop, EMPTY, (4, 4)), (phone, large, (8, 8))):
        open_board(page, state)
        square(page, last).focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowDown")
        page.mouse.move(*middle_of(page, last))
        expect(page.locator("[data-do=fit]")).to_be_visible()
        box = square(page, last).locator("path.square").bounding_box()
        assert box is not None
        for x in (box["x"] + 4, box["x"] + box["width"] - 6):
            for y in (box["y"] + 4, box["y"] + box["height"] - 6):
                on_top = page.evaluate(
                    "([x, y]) => document.elementFromPoint(x, y)?.closest('button')", [x, y]
                )
                assert on_top is None


def test_badges_cover_no_crown(phone: Page) -> None:
    three = Kingdom.parse("w3 f3 l3/g3!! s3 m3/c w1 .")
    open_board(phone, doubtful_state(three, doubts=((0, 0), (1, 1), (2, 1))))
    phone.get_by_role("button", name="Plan").tap()
    expect(phone.locator(".points").first).to_be_visible()
    badges, crowns, overlaps = phone.evaluate(OVERLAPS)
    assert badges >= 9
    assert crowns == 19
    assert overlaps == 0


def is_covered(page: Page, position: tuple[int, int]) -> bool:
    """Whether something else lies over the middle of a square."""
    x, y = middle_of(page, position)
    found = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('.stage') !== null", [x, y]
    )
    return not found


def top_of_board(page: Page) -> float:
    box = page.locator(".stage").bounding_box()
    assert box is not None
    return box["y"]


def test_the_brush_never_lies_over_the_last_row(phone: Page) -> None:
    open_board(phone, EMPTY)
    phone.evaluate("document.querySelector('main').style.paddingBottom = '600px'")
    for height in (0, 60, 200, 30):
        # What stands above a board changes, as after a restart of the server.
        phone.evaluate(
            "(height) => document.querySelector('h1').style.cssText ="
            " `position: static; width: auto; height: ${height}px; margin: 0`",
            height,
        )
        if not height:
            phone.get_by_role("button", name="Malen").tap()
        phone.wait_for_timeout(100)
        assert not is_covered(phone, (4, 2)), height
        assert not is_covered(phone, (0, 2)), height
    pick(phone, "brush", "w3").tap()
    phone.wait_for_timeout(100)
    assert not is_covered(phone, (4, 2))


def test_nothing_that_is_said_moves_the_board(phone: Page) -> None:
    open_board(phone, EMPTY, answers=False)
    phone.evaluate("document.querySelector('main').style.paddingBottom = '600px'")
    phone.evaluate("scrollTo(0, 10)")
    square(phone, (0, 0)).locator("path.square").tap(force=True)
    pick(phone, "set", "w1").tap()
    phone.locator("[data-do=close]").first.tap()
    top = top_of_board(phone)
    expect(phone.locator(".condition")).to_be_visible(timeout=10_000)
    assert top_of_board(phone) == pytest.approx(top, abs=0.6)
    phone.evaluate("answer(sent.at(-1), {notice: 'Jemand anders hat auch etwas geändert.'})")
    expect(phone.locator("header .notice")).to_be_visible()
    assert top_of_board(phone) == pytest.approx(top, abs=0.6)
    phone.evaluate("board.receive({...board.state, notice: null})")
    expect(phone.locator("header .notice")).to_have_count(0)
    assert top_of_board(phone) == pytest.approx(top, abs=0.6)


def test_less_motion_is_no_motion(context_of: Callable[..., BrowserContext]) -> None:
    page = context_of(reduced_motion="reduce").new_page()
    open_board(page, EMPTY)
    steps = page.evaluate(
        "() => { const shown = []; const n = document.querySelector('.number');"
        " new MutationObserver(() => shown.push(n.textContent)).observe(n, {childList: true});"
        " board.receive({...board.state, kingdom: 'w3 w w', settled: '000'});"
        " return new Promise((done) => setTimeout(() => done(shown), 700)); }"
    )
    assert steps == ["9"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_axe_finds_nothing(
    context_of: Callable[..., BrowserContext],
    scheme: str,
    language: str,
    screenshots: Callable[[Page, str], Path],
) -> None:
    page = context_of(color_scheme=scheme).new_page()
    state = doubtful_state(doubts=((1, 1), (4, 2)))
    open_board(page, state, language=language)
    for opener in (None, "doubts", "anything", "close", "paint", "close", "size", "corners"):
        if opener:
            page.locator(f"[data-do={opener}]").first.tap()
            mode = MODES.get(opener, opener)
            expect(page.locator(f'.board[data-mode="{mode}"]')).to_be_visible()
        screenshots(page, f"board-{scheme}-{language}-{opener or 'rest'}")
        assert axe_violations(page) == []


def test_letters_of_the_notation_are_not_read_out(phone: Page) -> None:
    open_board(phone, doubtful_state())
    names = phone.evaluate(
        "[...document.querySelectorAll('[data-place]')].map((each) => each.ariaLabel)"
    )
    assert names[1] == "Zeile 1, Spalte 2: Mine, 2 Kronen, 2 Punkte"
    assert all(
        str(value) not in name.split() for name, (_, value) in zip(names, FULL.items(), strict=True)
    )


def test_any_value_can_be_set(phone: Page) -> None:
    open_board(phone, EMPTY)
    square(phone, (2, 2)).locator("path.square").tap(force=True)
    pick(phone, "set", "g3").tap()
    for _ in range(2):
        phone.get_by_role("button", name="Ein Gigant mehr").tap()
    wait_for_kingdom(phone, EMPTY.kingdom.replace({(2, 2): Square.parse("g3!!")}))
