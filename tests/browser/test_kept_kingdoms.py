"""A kingdom without a game, what was refused, and a connection that is gone, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page, expect

from scorer.kingdomino import Rules, score
from tests.browser.companion_app import APP, Visitor, set_square
from tests.browser.tools import Server, axe_violations
from vision.kingdomino.refit import sample_folder, sample_labels

SAMPLE = "complete-5x5.jpg"
PHOTO = sample_folder() / SAMPLE


def points_of(name: str, rules: Rules | None = None) -> str:
    kingdom = sample_labels()[name]
    assert kingdom is not None
    return str(score(kingdom, rules or Rules()).points)


def test_a_kingdom_is_scored_kept_and_taken_into_a_game(
    phone: Page,
    server: Server,
    screenshots: Callable[[Page, str], Path],
) -> None:
    page, visitor = phone, Visitor(phone, server.url)
    visitor.open()
    visitor.tap("Nur ein Königreich")
    visitor.sees("Behaltene Königreiche")
    visitor.photograph(PHOTO)
    expect(visitor.board_points()).to_have_text(points_of(SAMPLE))
    assert visitor.taps == 2
    page.get_by_text("Harmonie").first.tap()
    expect(visitor.board_points()).to_have_text(points_of(SAMPLE, Rules(harmony=True)))
    page.get_by_role("textbox", name="Wem gehört es?").fill("Oma Gerda")
    page.keyboard.press("Enter")
    screenshots(page, "kept-kingdom")
    assert axe_violations(page) == []
    page.get_by_role("link", name="Startseite").first.tap()
    expect(page.get_by_text("Noch keine Partien")).to_be_visible()
    visitor.tap("Nur ein Königreich")
    kept = page.get_by_role("link", name="Oma Gerda")
    expect(kept).to_be_visible()
    screenshots(page, "kept-list")
    kept.tap()
    visitor.tap(page.get_by_role("button", name="Neue Partie"))
    expect(page.locator(".seat", has_text="Oma Gerda")).to_contain_text(
        points_of(SAMPLE, Rules(harmony=True))
    )
    expect(page.locator(".board image").first).to_be_attached()
    visitor.tap(page.locator(".notice [data-do=undo]"))
    expect(page.locator(".seat", has_text="Oma Gerda")).to_have_count(0)
    expect(page.get_by_role("button", name="Oma Gerda")).to_be_visible()
    screenshots(page, "kept-at-a-seat")
    visitor.tap(page.get_by_role("button", name="Oma Gerda"))
    expect(page.locator(".seat", has_text="Oma Gerda")).to_be_visible()
    assert visitor.errors == []


def test_what_was_refused_is_read_anyway(
    phone: Page,
    server: Server,
    screenshots: Callable[[Page, str], Path],
) -> None:
    page, visitor = phone, Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(sample_folder() / "no-kingdom.jpg")
    anyway = page.get_by_role("button", name="Trotzdem lesen")
    expect(anyway).to_be_visible()
    expect(page.locator(".waiting-layer")).to_have_count(0)
    screenshots(page, "refused")
    anyway.tap()
    # There is nothing at all in this picture; who sees a kingdom there shows where.
    expect(anyway).to_have_count(0)
    expect(page.get_by_text("Kein Königreich gefunden")).to_be_visible()
    page.get_by_role("button", name="Ecken selbst setzen").tap()
    expect(page.locator("[data-corner]")).to_have_count(4)
    screenshots(page, "corners-of-what-was-not-found")
    assert axe_violations(page) == []
    page.get_by_role("button", name="Neu lesen").tap()
    # Nor is there one in these corners, so they stay, and it can be entered on the photo by hand.
    expect(page.locator(".board .notice")).to_be_visible()
    expect(page.locator("[data-corner]")).to_have_count(4)
    page.get_by_role("button", name="Abbrechen").tap()
    expect(page.locator("[data-corner]")).to_have_count(0)
    expect(page.locator(".board image").first).to_be_attached()
    set_square(page, (0, 0), "w2")
    expect(visitor.board_points()).to_have_text("2")
    page.reload()
    expect(visitor.board_points()).to_have_text("2")
    expect(page.locator("[data-corner]")).to_have_count(0)
    assert visitor.errors == []


def test_a_lost_connection_is_said_in_german_and_found_again(
    phone: Page,
    serve: Callable[..., Server],
    screenshots: Callable[[Page, str], Path],
) -> None:
    server = serve(APP)
    page, visitor = phone, Visitor(phone, server.url)
    visitor.open("?new=kingdomino&kept=1")
    visitor.tap("Von Hand eingeben")
    expect(page.locator(".board")).to_be_visible()
    server.kill()
    bar = page.locator(".no-connection")
    expect(bar).to_contain_text("Keine Verbindung")
    screenshots(page, "no-connection")
    assert "Connection error" not in page.inner_text("body")
    server.start()
    expect(bar).to_have_count(0)
    assert visitor.errors == []
