"""Without a connection: pages that were open, changes and photographs that wait on the phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page, expect

from tests.browser.boards import square
from tests.browser.companion_app import (
    APP,
    Visitor,
    game_by_hand,
    set_square,
    wait_for_points,
    wait_until_prepared,
)
from tests.browser.tools import REPOSITORY, Server, axe_violations


def at_a_board(serve: Callable[..., Server], phone: Page) -> tuple[Server, Visitor]:
    """Anna's board with a lake of one point, and all that is needed without a connection."""
    server = serve(APP)
    visitor = Visitor(phone, server.url)
    game_by_hand(visitor, "Anna", "Ben")
    set_square(phone, (0, 0), "l1")
    wait_for_points(visitor, "Anna", 1)
    wait_until_prepared(phone)
    return server, visitor


def test_a_board_goes_on_through_reloads_and_sends_what_waits(
    serve: Callable[..., Server], phone: Page
) -> None:
    server, visitor = at_a_board(serve, phone)
    server.kill()
    set_square(phone, (0, 1), "l")
    expect(visitor.board_points()).to_have_text("2")
    for place, points in (((0, 2), "3"), ((1, 0), "4")):
        phone.reload()
        expect(phone.locator(".no-connection")).to_be_visible()
        assert "l" in square(phone, (0, 1)).inner_html()
        set_square(phone, place, "l")
        expect(visitor.board_points()).to_have_text(points)
    assert axe_violations(phone) == []
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    phone.goto(f"{server.url}/?game=neverseenonthisphone")
    visitor.sees("noch nicht offen")
    phone.go_back()
    expect(visitor.board_points()).to_have_text("4")
    server.start()
    wait_for_points(visitor, "Anna", 4)
    expect(phone.locator(".no-connection")).to_have_count(0)
    phone.reload()
    wait_for_points(visitor, "Anna", 4)
    assert visitor.errors == []


def photographed_without_a_server(
    serve: Callable[..., Server], phone: Page
) -> tuple[Server, Visitor]:
    server, visitor = at_a_board(serve, phone)
    server.kill()
    visitor.photograph(REPOSITORY / "sample_images" / "castle-standing.jpg", "Ben")
    visitor.sees("Das Foto wird gesendet, sobald sie wieder da ist.")
    return server, visitor


def test_going_back_shows_the_page_as_it_was_although_the_browser_has_it_too(
    serve: Callable[..., Server], phone: Page
) -> None:
    server, visitor = at_a_board(serve, phone)
    phone.reload()
    wait_for_points(visitor, "Anna", 1)
    visitor.open("?view=history")
    visitor.sees("Partien auf diesem Handy")
    server.kill()
    phone.go_back()
    expect(phone.locator(".no-connection")).to_be_visible()
    expect(visitor.board_points()).to_have_text("1")
    assert visitor.errors == []


def test_a_photograph_is_sent_when_the_connection_is_back(
    serve: Callable[..., Server], phone: Page
) -> None:
    server, visitor = photographed_without_a_server(serve, phone)
    phone.reload()
    expect(phone.locator(".no-connection")).to_be_visible()
    server.start()
    expect(visitor.seat("Ben").locator(".points")).to_have_text("28", timeout=60_000)
    assert visitor.errors == []


def test_a_photograph_waits_where_it_was_chosen_for_whoever_comes_back(
    serve: Callable[..., Server], phone: Page
) -> None:
    server, visitor = photographed_without_a_server(serve, phone)
    phone.go_back()
    server.start()
    expect(phone.locator(".board")).to_have_count(0, timeout=60_000)
    phone.go_forward()
    expect(visitor.seat("Ben").locator(".points")).to_have_text("28", timeout=60_000)
    assert visitor.errors == []


_BREAKABLE = """
globalThis.WebSocket = class extends WebSocket {
  constructor(address, ...how) {
    super(globalThis.broken ? "ws://127.0.0.1:9/" : address, ...how);
    globalThis.broken_off = () => { globalThis.broken = true; this.close(); };
  }
};
"""


def test_a_photograph_that_the_server_has_while_the_page_is_not_connected_is_read(
    serve: Callable[..., Server], phone: Page
) -> None:
    phone.add_init_script(_BREAKABLE)
    visitor = Visitor(phone, serve(APP).url)
    game_by_hand(visitor, "Anna", "Ben")
    # As it happens while the phone shows its camera.
    phone.evaluate("broken_off()")
    expect(phone.locator(".no-connection")).to_be_visible()
    with phone.expect_response("**/photo"):
        visitor.photograph(REPOSITORY / "sample_images" / "castle-standing.jpg", "Ben")
    phone.evaluate("broken = false")
    expect(visitor.seat("Ben").locator(".points")).to_have_text("28", timeout=60_000)
    assert visitor.errors == []
