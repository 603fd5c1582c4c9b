"""Age of Giants with quests, the Mighty Duel, a Dynasty, and the past, on the pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.boards import middle_of, pick, square
from tests.browser.companion_app import (
    Visitor,
    game_by_hand,
    players_by_hand,
    set_square,
    wait_for_points,
)
from tests.browser.tools import Server, axe_violations, slow_down
from vision.kingdomino.refit import sample_folder


@pytest.fixture
def visitor(server: Server, context_of: Callable[..., BrowserContext]) -> Visitor:
    return Visitor(context_of(color_scheme="dark").new_page(), server.url)


def players_page(visitor: Visitor) -> None:
    visitor.page.locator("header a", has=visitor.page.locator("svg")).nth(1).tap()
    expect(
        visitor.page.get_by_role("heading", name="Wer spielt?")
        .or_(visitor.page.get_by_label("Name").first)
        .first
    ).to_be_visible()


def switch(visitor: Visitor, name: str) -> None:
    field = visitor.page.locator(f"input[data-do={name}]")
    field.tap()
    expect(visitor.page.locator(f"input[data-do={name}]")).to_be_checked()


def test_giants_and_quests(visitor: Visitor, screenshots: Callable[[Page, str], Path]) -> None:
    game_by_hand(visitor, "Anna", "Ben")
    page = visitor.page
    set_square(page, (0, 0), "w2")
    wait_for_points(visitor, "Anna", 2)
    square(page, (0, 0)).locator("path.square").click(force=True)
    page.get_by_role("button", name="Ein Gigant mehr").tap()
    wait_for_points(visitor, "Anna", 1)
    page.locator(".board [data-do=close]").first.tap()
    players_page(visitor)
    switch(visitor, "giants")
    quest = page.locator("select[data-do=quest]")
    expect(quest).to_have_count(2)
    quest.first.select_option("local-business:w")
    expect(page.locator("input[data-do=harmony]")).to_be_disabled()
    screenshots(page, "quests-dark")
    assert axe_violations(page) == []
    visitor.tap("Zu den Königreichen")
    visitor.tap(visitor.seat("Anna"))
    set_square(page, (2, 2), "c")
    set_square(page, (2, 1), "w")
    # Local business: 5 points for each wheat field around the castle.
    wait_for_points(visitor, "Anna", 6)
    assert visitor.errors == []


def test_pieces_of_the_court_are_laid_by_hand(
    visitor: Visitor, screenshots: Callable[[Page, str], Path]
) -> None:
    game_by_hand(visitor, "Anna", "Ben")
    page = visitor.page
    set_square(page, (0, 0), "w")
    square(page, (0, 0)).locator("path.square").click(force=True)
    expect(page.locator(".palette")).to_be_visible()
    expect(page.get_by_role("group", name="Hofstaat")).to_have_count(0)
    page.locator(".board [data-do=close]").first.tap()
    players_page(visitor)
    switch(visitor, "court")
    visitor.tap("Zu den Königreichen")
    visitor.tap(visitor.seat("Anna"))

    def lay(place: tuple[int, int], terrain: str, name: str) -> None:
        set_square(page, place, terrain)
        square(page, place).locator("path.square").click(force=True)
        page.get_by_role("group", name="Hofstaat").get_by_role("button", name=name).tap()
        page.locator(".board [data-do=close]").first.tap()

    lay((0, 0), "w", "Gebäude mit 1 Krone")
    wait_for_points(visitor, "Anna", 1)
    lay((0, 1), "w", "Weizen")
    lay((1, 0), "f", "Bauer")
    # Two squares of wheat with the building's crown; the farmer has 3, and 3 for the wheat.
    wait_for_points(visitor, "Anna", 8)
    square(page, (1, 0)).locator("path.square").click(force=True)
    page.get_by_role("button", name="Ein Punkt mehr").tap()
    wait_for_points(visitor, "Anna", 9)
    screenshots(page, "court-dark")
    assert axe_violations(page) == []
    page.get_by_role("button", name="Zählen").tap()
    wait_for_points(visitor, "Anna", 8)
    assert visitor.errors == []


def test_the_mighty_duel_has_a_large_grid(visitor: Visitor) -> None:
    players_by_hand(visitor, "Anna", "Ben")
    switch(visitor, "mighty_duel")
    visitor.tap("Zu den Königreichen")
    visitor.tap("Von Hand eingeben")
    expect(square(visitor.page, (6, 6))).to_be_attached()
    assert visitor.errors == []


def test_a_dynasty_sums_three_games(visitor: Visitor) -> None:
    game_by_hand(visitor, "Anna")
    page = visitor.page
    players_page(visitor)
    switch(visitor, "dynasty")
    address = page.url.replace("&view=players", "")
    for number, crowns in ((1, "w1"), (2, "w2"), (3, "w3")):
        page.goto(f"{address}&number={number}")
        if number > 1:
            visitor.tap("Von Hand eingeben")
        expect(page.get_by_text(f"Partie {number}").first).to_be_visible()
        set_square(page, (0, 0), crowns)
        wait_for_points(visitor, "Anna", number)
    page.goto(f"{address}&view=result&number=3")
    expect(page.locator("tr.sum")).to_contain_text("6")
    assert visitor.errors == []


def test_painting_turning_and_undo_after_a_reload(visitor: Visitor) -> None:
    page = visitor.page
    slow_down(page, 4)
    game_by_hand(visitor, "Anna")
    page.get_by_role("button", name="Malen").tap()
    pick(page, "brush", "f1").tap()
    page.touchscreen.tap(*middle_of(page, (0, 0)))
    page.touchscreen.tap(*middle_of(page, (0, 1)))
    wait_for_points(visitor, "Anna", 4)
    page.get_by_role("button", name="Fertig").tap()
    page.get_by_role("button", name="Mehr").tap()
    page.get_by_role("button", name="Drehen").tap()
    expect(square(page, (0, 4))).to_have_attribute("aria-label", "Zeile 1, Spalte 5: Wald, 1 Krone")
    page.locator(".board [data-do=close]").first.tap()
    wait_for_points(visitor, "Anna", 4)
    page.reload()
    expect(square(page, (1, 4))).to_have_attribute("aria-label", "Zeile 2, Spalte 5: Wald, 1 Krone")
    for points in (4, 1, 0):
        visitor.tap("Rückgängig")
        expect(visitor.board_points()).to_have_text(str(points))
        wait_for_points(visitor, "Anna", points)
    expect(page.get_by_role("button", name="Rückgängig")).to_be_disabled()
    visitor.tap("Wiederholen")
    wait_for_points(visitor, "Anna", 1)
    page.reload()
    wait_for_points(visitor, "Anna", 1)
    visitor.tap("Rückgängig")
    wait_for_points(visitor, "Anna", 0)
    assert visitor.errors == []


def test_corners_are_dragged_and_read_again_on_the_page(
    visitor: Visitor, screenshots: Callable[[Page, str], Path]
) -> None:
    page = visitor.page
    visitor.open()
    visitor.photograph(sample_folder() / "complete-5x5.jpg")
    expect(visitor.board_points()).to_have_text("17")
    page.get_by_role("button", name="Mehr").tap()
    page.get_by_role("button", name="Ecken setzen").tap()
    expect(page.locator('[data-corner="0"]')).to_be_visible()
    screenshots(page, "corners-dark")
    less = page.get_by_role("button", name="Eine Spalte weniger").or_(
        page.locator('[data-do=grid][data-value="corners.columns -1"]')
    )
    less.first.tap()
    page.get_by_role("button", name="Neu lesen").tap()
    expect(square(page, (0, 4))).to_have_count(0)
    expect(square(page, (4, 3))).to_be_attached()
    assert visitor.errors == []


def test_the_past_is_searched_changed_deleted_and_carried_over(
    visitor: Visitor, context_of: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    page = visitor.page
    game_by_hand(visitor, "Xaver")
    set_square(page, (0, 0), "w1")
    wait_for_points(visitor, "Xaver", 1)
    game = page.url
    players_page(visitor)
    page.get_by_label("Ort").fill("Gartenhaus")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Ort")).to_have_attribute("value", "Gartenhaus")
    visitor.open("?view=history")
    search = page.get_by_role("searchbox")
    search.fill("nobody of this name")
    search.press("Enter")
    visitor.sees("Keine Partie gefunden.")
    for wanted in ("garten", "xaver"):
        search.fill(wanted)
        search.press("Enter")
        expect(page.locator("a.game")).to_have_count(1)
    page.locator("a.game").tap()
    set_square(page, (0, 1), "w1")
    wait_for_points(visitor, "Xaver", 4)
    saved = page.request.get(f"{visitor.url}/saved/companion.json").json()
    visitor.open("?view=history")
    page.locator("[data-do=delete]").first.tap()
    visitor.sees("Die Partie ist gelöscht.")
    page.locator(".notice [data-do=undo]").tap()
    expect(page.locator("a.game")).to_have_count(1)
    page.goto(game)
    wait_for_points(visitor, "Xaver", 4)
    file = tmp_path / "companion.json"
    file.write_text(json.dumps(saved), encoding="utf-8")
    other = Visitor(context_of().new_page(), visitor.url)
    other.open("?view=history")
    other.page.locator("input[data-file]").set_input_files(file)
    expect(other.page.locator("a.game")).to_have_count(1)
    assert visitor.errors == other.errors == []
