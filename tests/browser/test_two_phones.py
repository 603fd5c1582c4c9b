"""Two phones on one game, each with a browser of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, expect

from tests.browser.boards import square
from tests.browser.companion_app import Visitor, game_by_hand, set_square, wait_for_points
from tests.browser.tools import Server, axe_violations, is_busy

SETTLED_S = 2.0


def two_at_one_board(
    server: Server, context_of: Callable[..., BrowserContext]
) -> tuple[Visitor, Visitor]:
    """Two visitors, each with cookies of their own, at Anna's empty board."""
    first, second = (Visitor(context_of().new_page(), server.url) for _ in range(2))
    assert first.page.context is not second.page.context
    game_by_hand(first, "Anna", "Ben")
    second.page.goto(first.page.url)
    expect(second.page.locator(".board")).to_be_visible()
    return first, second


def shows(visitor: Visitor, points: str) -> bool:
    return visitor.seat("Anna").locator(".points").inner_text().strip() == points


def test_each_sees_what_the_other_does(
    server: Server,
    context_of: Callable[..., BrowserContext],
    record_property: Callable[[str, object], None],
) -> None:
    first, second = two_at_one_board(server, context_of)
    waits = []
    for number, (does, sees) in enumerate([(first, second), (second, first)] * 2, start=1):
        set_square(does.page, (0, number - 1), "w1" if number == 1 else "w")
        wait_for_points(does, "Anna", number)
        told = str(number)
        waits.append(sees.until(partial(shows, sees, told)))
        expect(sees.board_points()).to_have_text(told)
    figures = {"seconds": round(sorted(waits)[1], 2), "at_most": round(max(waits), 2)}
    record_property("other_phone", figures)
    print("seen on the other phone after", figures)
    assert max(waits) < SETTLED_S or is_busy()
    second.open()
    second.sees("Anna und Ben")
    assert first.errors == second.errors == []


def test_changes_at_once_are_merged(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    first, second = two_at_one_board(server, context_of)
    set_square(first.page, (1, 1), "l1")
    set_square(second.page, (2, 3), "f1")
    for visitor in (first, second):
        wait_for_points(visitor, "Anna", 2)
        for place, name in (((1, 1), "See"), ((2, 3), "Wald")):
            label = square(visitor.page, place).get_attribute("aria-label")
            assert name in (label or "")


def test_one_square_set_twice_is_asked_about(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    first, second = two_at_one_board(server, context_of)
    # The second phone is out of reach while both set the same square.
    second.page.context.set_offline(True)
    set_square(second.page, (0, 0), "f2")
    set_square(first.page, (0, 0), "l1")
    wait_for_points(first, "Anna", 1)
    second.page.context.set_offline(False)
    for visitor in (first, second):
        question = visitor.page.locator("section", has_text="Zwei haben dasselbe Feld gesetzt")
        expect(question.get_by_role("button", name="See mit 1 Krone")).to_be_visible()
        expect(question.get_by_role("button", name="Wald mit 2 Kronen")).to_be_visible()
        expect(question.locator("svg.kingdom")).to_be_visible()
    assert axe_violations(first.page) == []
    first.tap(first.page.get_by_role("button", name="Wald mit 2 Kronen").last)
    for visitor in (first, second):
        expect(visitor.page.get_by_text("Zwei haben dasselbe Feld gesetzt")).to_have_count(0)
        wait_for_points(visitor, "Anna", 2)
    assert first.errors == second.errors == []


def test_a_game_that_is_brought_back_is_there_on_the_other_phone(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    first, second = two_at_one_board(server, context_of)
    first.open("?view=history")
    first.tap(first.page.locator("[data-do=delete]"))
    second.sees("Diese Partie wurde gelöscht.")
    back, home = (second.named(each).bounding_box() for each in ("Zurückholen", "Startseite"))
    assert back is not None
    assert home is not None
    assert (back["y"], back["height"]) == (home["y"], home["height"])
    assert back["x"] + back["width"] < home["x"]
    first.tap(first.page.locator(".toast").get_by_role("button", name="Rückgängig"))
    expect(second.page.locator(".board")).to_be_visible()
    assert first.errors == second.errors == []
