"""Stories of a game of Kingdomino in a real browser: from photos to the winner, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect

from scorer.kingdomino import Kingdom, score
from tests.browser.boards import FULL, paint
from tests.browser.companion_app import (
    APP,
    Visitor,
    game_by_hand,
    players_by_hand,
    set_square,
    wait_for_points,
)
from tests.browser.tables import FOUR, photo_of, photo_of_table
from tests.browser.tools import Server, Traffic, axe_violations

NAMES = {"pink": "Anna", "yellow": "Opa Jürgen", "green": "Cem", "blue": "Dana"}
MAX_PAGE_BYTES = 1_500_000


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Photos of the four kingdoms, and under "table" one of them all."""
    folder = tmp_path_factory.mktemp("photos")
    found = {
        colour: photo_of(kingdom, colour, folder / f"{colour}.jpg")
        for colour, kingdom in FOUR.items()
    }
    kingdoms = [(kingdom, colour) for colour, kingdom in FOUR.items()]
    return {**found, "table": photo_of_table(kingdoms, folder / "table.jpg")}


SHIFTS = """
globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const { startTime, value } of list.getEntries()) shifts.push({ startTime, value });
}).observe({ type: "layout-shift", buffered: true });
"""


def points_of(colour: str) -> str:
    return str(score(Kingdom.parse(FOUR[colour])).points)


def test_four_photos_to_a_tie_and_its_winner(
    server: Server,
    phone: Page,
    photos: dict[str, Path],
    record_property: Callable[[str, object], None],
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    expect(phone.locator("[data-photo]").first).to_be_attached()
    visitor.photograph_all([photos[colour] for colour in NAMES])
    visitor.sees("Gelb gewinnt mit 21 Punkten")
    visitor.sees("gewinnt den Gleichstand mit Grün")
    figures = {"taps": visitor.taps, "seconds": round(visitor.seconds, 1)}
    record_property("four_photos", figures)
    print("four photos at once:", figures)
    assert visitor.taps <= 3
    assert visitor.seconds < 120
    assert visitor.errors == []


def test_four_photos_and_names_of_earlier_games(
    server: Server,
    phone: Page,
    photos: dict[str, Path],
    record_property: Callable[[str, object], None],
) -> None:
    earlier = Visitor(phone, server.url)
    players_by_hand(earlier, *NAMES.values())
    visitor = Visitor(phone, server.url)
    visitor.open()
    expect(phone.locator("[data-photo]").first).to_be_attached()
    visitor.photograph([photos[colour] for colour in NAMES])
    visitor.sees("Wer ist wer?")
    expect(phone.locator(".who-row svg.crop")).to_have_count(4)
    for number, name in enumerate(NAMES.values()):
        visitor.tap(phone.locator(".who-row").nth(number).locator("button", has_text=name))
        expect(phone.locator(".who-row h2", has_text=name)).to_be_visible()
    visitor.tap("Weiter")
    visitor.sees("Opa Jürgen gewinnt mit 21 Punkten")
    visitor.sees("gewinnt den Gleichstand mit Cem")
    figures = {"taps": visitor.taps, "seconds": round(visitor.seconds, 1)}
    record_property("four_photos_named", figures)
    print("four photos, names remembered:", figures)
    assert visitor.taps <= 12
    assert visitor.errors == []


def test_a_dynasty_of_three_games(
    server: Server,
    phone: Page,
    photos: dict[str, Path],
    record_property: Callable[[str, object], None],
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    expect(phone.locator("[data-photo]").first).to_be_attached()
    visitor.photograph_all(photos["table"])
    visitor.sees("Gelb gewinnt")
    visitor.tap(phone.get_by_role("link", name="Spieler & Regeln"))
    visitor.tap(phone.locator("label", has=phone.locator("input[data-do=dynasty]")))
    expect(phone.get_by_role("link", name="Partie 3")).to_be_visible()
    visitor.tap(phone.get_by_role("link", name="Ergebnis"))
    taps_of_photos = 1
    for number in (2, 3):
        visitor.tap(f"Partie {number} beginnen")
        visitor.photograph(photos["table"])
        taps_of_photos += 1
        visitor.sees("Ergebnis")
        expect(phone.locator("svg.kingdom")).to_have_count(4)
    visitor.sees("teilen sich den Sieg mit 63 Punkten")
    figures = {"taps": visitor.taps, "of_them_photos": taps_of_photos}
    record_property("dynasty", figures)
    print("a Dynasty of three games:", figures)
    assert visitor.taps - taps_of_photos <= 12
    assert visitor.errors == []


def test_a_kingdom_by_hand_from_the_first_page(
    server: Server, phone: Page, record_property: Callable[[str, object], None]
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.tap("Von Hand")
    expect(phone.locator(".board[data-mode=paint]")).to_be_visible()
    expect(phone.locator(".problems")).to_have_count(0)
    visitor.taps += paint(phone, FULL, castle_is_set=True)
    visitor.tap("Fertig")
    expect(visitor.board_points()).to_have_text(str(score(FULL).points))
    figures = {"taps": visitor.taps}
    record_property("by_hand", figures)
    print("a full 5×5 by hand from the first page:", figures)
    assert visitor.taps <= 28
    assert visitor.errors == []


def test_one_photo_of_the_table_to_the_winner(
    server: Server,
    phone: Page,
    photos: dict[str, Path],
    record_property: Callable[[str, object], None],
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    expect(phone.locator("[data-photo]").first).to_be_attached()
    traffic = Traffic(phone)
    visitor.photograph(photos["table"])
    expect(phone.locator(".waiting img")).to_be_visible()
    visitor.tap("Weiter ohne Namen")
    visitor.sees("Gelb gewinnt mit 21 Punkten")
    figures = {
        "taps": visitor.taps,
        "seconds": round(visitor.seconds, 1),
        "bytes_sent": traffic.sent,
        "bytes_received": traffic.received,
    }
    record_property("one_photo", figures)
    print("one photo of the table:", figures)
    assert visitor.taps <= 3
    expect(phone.locator(".waiting-layer")).to_have_count(0)
    expect(phone.locator("svg.kingdom")).to_have_count(4)
    assert visitor.errors == []


def test_the_first_page_is_light(
    server: Server,
    context_of: Callable[..., BrowserContext],
    record_property: Callable[[str, object], None],
) -> None:
    page = context_of().new_page()
    visitor = Visitor(page, server.url)
    traffic = Traffic(page)
    page.add_init_script(SHIFTS)
    visitor.open()
    visitor.sees("Wer hat gewonnen?")
    seconds = visitor.seconds
    first_second = page.evaluate("performance.now()") + 1000
    page.wait_for_timeout(2000)
    shifts = page.evaluate(f"shifts.filter(({{ startTime }}) => startTime > {first_second})")
    figures = {
        "bytes": traffic.total,
        "seconds": round(seconds, 1),
        "layout_shifts_after_a_second": len(shifts),
    }
    record_property("first_page", figures)
    print("first page:", figures)
    assert traffic.total < MAX_PAGE_BYTES
    assert shifts == []


def test_points_light_their_squares(server: Server, phone: Page, photos: dict[str, Path]) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph_all(photos["table"])
    visitor.sees("Wertungsblock")
    assert phone.locator("svg.kingdom .dim").count() == 0
    visitor.tap(phone.locator("button.figure"))
    expect(phone.locator("svg.kingdom .dim").first).to_be_attached()
    expect(phone.locator("button.figure[aria-pressed=true]")).to_have_count(1)


def test_nothing_is_replaced_unasked(server: Server, phone: Page, photos: dict[str, Path]) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(photos["pink"])
    wait_for_points(visitor, "Rosa", points_of("pink"))
    visitor.photograph(photos["pink"], "Nächstes")
    visitor.sees("Wessen Königreich ist das?")
    phone.reload()
    visitor.sees("Wessen Königreich ist das?")
    visitor.tap("Rosa, stattdessen")
    visitor.sees("neues Königreich")
    visitor.tap(phone.locator(".notice [data-do=undo]"))
    wait_for_points(visitor, "Rosa", points_of("pink"))
    expect(phone.locator(".seat:not(.add)")).to_have_count(1)


def test_a_change_is_scored_everywhere_and_survives_a_killed_server(
    serve: Callable[..., Server], phone: Page
) -> None:
    own = serve(APP)
    visitor = Visitor(phone, own.url)
    game_by_hand(visitor, "Anna", "Ben")
    set_square(phone, (0, 0), "w2")
    wait_for_points(visitor, "Anna", 2)
    set_square(phone, (0, 1), "w1")
    wait_for_points(visitor, "Anna", 6)
    address = phone.url
    own.kill()
    set_square(phone, (0, 2), "w")
    own.start()
    wait_for_points(visitor, "Anna", 9)
    phone.reload()
    wait_for_points(visitor, "Anna", 9)
    own.kill()
    own.start()
    phone.goto(address)
    wait_for_points(visitor, "Anna", 9)
    expect(visitor.board_points()).to_have_text("9")


def test_back_forward_history_and_files(
    server: Server, context_of: Callable[..., BrowserContext], photos: dict[str, Path]
) -> None:
    visitor = Visitor(context_of().new_page(), server.url)
    page = visitor.page
    visitor.open()
    visitor.photograph_all(photos["table"])
    visitor.sees("Gelb gewinnt")
    visitor.tap(visitor.seat("Rosa"))
    expect(visitor.board_points()).to_have_text(points_of("pink"))
    page.go_back()
    visitor.sees("Wertungsblock")
    page.go_forward()
    expect(visitor.board_points()).to_have_text(points_of("pink"))
    visitor.tap("Startseite")
    visitor.tap("Alle Partien")
    visitor.sees("Gelb gewinnt, 21 Punkte")
    saved = page.request.get(f"{server.url}/saved/companion.json").json()
    assert [game["kind"] for game in saved["games"]] == ["kingdomino"]
    assert "Gelb" in page.request.get(f"{server.url}/saved/companion.csv").text()
    card = page.request.get(f"{server.url}/card/{saved['games'][0]['id']}/de")
    assert card.headers["content-type"] == "image/png"
    visitor.tap(page.locator("[data-do=delete]"))
    visitor.sees("Die Partie ist gelöscht.")
    expect(page.locator("a.game")).to_have_count(0)
    visitor.tap(page.locator(".notice [data-do=undo]"))
    expect(page.locator("a.game")).to_have_count(1)
    other = Visitor(context_of().new_page(), server.url)
    other.open("?view=history")
    other.sees("Keine Partie gefunden.")
    file = photos["table"].with_name("companion.json")
    file.write_text(json.dumps(saved), encoding="utf-8")
    other.page.locator("input[data-file]").set_input_files(file)
    other.sees("Gelb gewinnt, 21 Punkte")
    assert visitor.errors == other.errors == []


def test_visitors_see_no_games_of_others(
    server: Server, context_of: Callable[..., BrowserContext], photos: dict[str, Path]
) -> None:
    owner, stranger = (Visitor(context_of().new_page(), server.url) for _ in range(2))
    owner.open()
    owner.photograph(photos["pink"])
    wait_for_points(owner, "Rosa", points_of("pink"))
    photo = owner.page.locator(".board image").first.get_attribute("href") or ""
    address = f"{server.url}/{photo.removeprefix('/')}"
    stranger.open()
    stranger.sees("Noch keine Partien")
    assert owner.page.request.get(address).status == 200
    assert stranger.page.request.get(address).status == 404
    saved = stranger.page.request.get(f"{server.url}/saved/companion.json").json()
    assert saved["games"] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(
    server: Server,
    context_of: Callable[..., BrowserContext],
    photos: dict[str, Path],
    scheme: str,
    screenshots: Callable[[Page, str], Path],
) -> None:
    language = "de-DE" if scheme == "light" else "en-GB"
    page = context_of(color_scheme=scheme, locale=language).new_page()
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.photograph_all(photos["table"])
    expect(page.locator(".winner")).to_be_visible()
    game = page.url.partition("game=")[2].partition("&")[0]
    found = {}
    for address in (
        "",
        f"?game={game}&seat=1",
        f"?game={game}&view=result",
        f"?game={game}&view=players",
        "?view=history",
        "?view=statistics",
        "?view=help",
    ):
        visitor.open(address)
        expect(page.locator(".surface :is(h1, h2)").first).to_be_visible()
        page.wait_for_timeout(500)
        screenshots(page, f"{scheme}-{address.rpartition('=')[2] or 'home'}")
        found[address] = axe_violations(page)
    assert {address: each for address, each in found.items() if each} == {}
    assert visitor.errors == []
