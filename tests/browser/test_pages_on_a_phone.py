"""Stories of what only a browser can tell of a page: what is in sight, who goes on typing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Actor, Game, new_id, open_store
from tests.browser.companion_app import Visitor
from tests.browser.tables import FOUR, photo_of_table
from tests.browser.tools import CHROMIUM_FLAGS, PHONE, Server, chromium_path

NAMES = ["Anna", "Ben", "Cem"]
_SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
_SHARING = """
globalThis.shared = [];
navigator.canShare = ({ files }) => files.length > 0;
navigator.share = async ({ files }) => {
  globalThis.shared.push([files[0].name, files[0].type, files[0].size]);
};
"""


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One photo of a table of four."""
    kingdoms = [(kingdom, colour) for colour, kingdom in FOUR.items()]
    return photo_of_table(kingdoms, tmp_path_factory.mktemp("photos") / "table.jpg")


def at_the_players(server: Server, page: Page) -> Visitor:
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.tap("Domino-Duell")
    expect(page.get_by_label("Spieler dazu")).to_be_visible()
    return visitor


def at_the_result(server: Server, page: Page, photo: Path) -> Visitor:
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.photograph_all(photo)
    expect(page.locator(".winner h1")).to_be_visible()
    return visitor


def test_names_are_typed_one_after_the_other(server: Server, phone: Page) -> None:
    visitor = at_the_players(server, phone)
    phone.get_by_label("Spieler dazu").click()
    phone.keyboard.type("".join(f"{name}\n" for name in NAMES))
    expect(phone.get_by_label("Name")).to_have_count(3)
    shown = phone.locator("input[data-do=name]")
    assert [each.input_value() for each in shown.all()] == NAMES
    assert visitor.errors == []


def test_who_types_goes_on_typing_while_the_page_changes(server: Server, phone: Page) -> None:
    at_the_players(server, phone)
    phone.get_by_label("Spieler dazu").click()
    phone.keyboard.type("Anna\n")
    expect(phone.get_by_label("Name")).to_have_count(1)
    phone.keyboard.type("Ben\n")
    expect(phone.get_by_label("Name")).to_have_count(2)


def test_the_result_begins_at_its_top(server: Server, phone: Page, photo: Path) -> None:
    visitor = at_the_result(server, phone, photo)
    visitor.tap(phone.locator("a.seat"))
    expect(phone.locator(".board .number")).to_be_visible()
    phone.mouse.wheel(0, 600)
    visitor.until(lambda: phone.evaluate(_SCROLLED) > 0)
    visitor.tap(phone.get_by_role("link", name="Ergebnis"))
    expect(phone.locator(".winner h1")).to_be_in_viewport()
    assert phone.evaluate(_SCROLLED) == 0


def test_the_picture_goes_to_the_share_sheet(
    server: Server, context_of: Callable[..., BrowserContext], photo: Path
) -> None:
    context = context_of()
    context.add_init_script(_SHARING)
    page = context.new_page()
    visitor = at_the_result(server, page, photo)
    visitor.tap("Bild zum Teilen")
    visitor.until(lambda: page.evaluate("shared.length") == 1)
    name, kind, size = page.evaluate("shared[0]")
    assert (name, kind) == ("Ergebnis.png", "image/png")
    assert size > 10_000
    assert len(context.pages) == 1


def test_without_a_share_sheet_the_picture_opens_in_a_tab(
    server: Server, phone: Page, photo: Path
) -> None:
    phone.add_init_script("delete Navigator.prototype.canShare")
    visitor = at_the_result(server, phone, photo)
    with phone.context.expect_page() as opened:
        visitor.tap("Bild zum Teilen")
    assert "/card/" in opened.value.url


@pytest.mark.parametrize("width", [320, 390])
def test_five_seats_with_marks_are_in_sight(
    server: Server, context_of: Callable[..., BrowserContext], width: int
) -> None:
    page = context_of(viewport={"width": width, "height": 700}).new_page()
    page.goto(server.url)
    expect(page.locator("h1")).to_be_visible()
    mark = '<span class="mark"><svg class="icon"></svg><span>12</span></span>'
    seat = (
        '<a class="seat"><span class="shown"><span class="name">Opa Jürgen</span>'
        f'<span class="flag blue"></span><span class="points">104</span>{mark}</span></a>'
    )
    page.evaluate(
        "seats => { document.querySelector('.surface').innerHTML = seats; }",
        f'<nav class="seats">{seat * 5}</nav>',
    )
    strip = page.locator(".seats")
    assert strip.evaluate("strip => strip.scrollWidth - strip.clientWidth") <= 0
    for each in page.locator(".seat").all():
        assert each.evaluate("seat => seat.scrollWidth - seat.clientWidth") <= 1


def test_a_page_is_whole_on_a_phone_held_across_and_on_paper(server: Server, phone: Page) -> None:
    phone.goto(server.url)
    expect(phone.locator("h1")).to_be_visible()
    phone.evaluate(
        "page => { document.querySelector('.surface').innerHTML = page; }",
        '<div style="height: 1500px"></div><div class="thumb"><a class="button">Ergebnis</a></div>',
    )
    bar = phone.locator(".thumb")
    expect(bar).to_be_in_viewport()
    phone.set_viewport_size({"width": 844, "height": 390})
    expect(bar).not_to_be_in_viewport()
    assert b"/Count 2" in phone.pdf(format="A4")


def test_a_notice_with_a_button_has_whole_lines(server: Server, phone: Page) -> None:
    phone.goto(server.url)
    expect(phone.locator("h1")).to_be_visible()
    words = "Kein Königreich gefunden. Das ist wohl kein Kingdomino, oder es ist zu unscharf."
    phone.evaluate(
        "markup => { document.querySelector('.surface').innerHTML = markup; }",
        f'<div class="notice toast"><span class="grow">{words}</span><button data-do="undo">'
        'Trotzdem lesen, auch wenn nichts zu erkennen ist</button><button data-do="close" '
        'class="bare">x</button></div>',
    )
    said, toast = (
        phone.locator(".toast .grow").bounding_box(),
        phone.locator(".toast").bounding_box(),
    )
    assert said is not None
    assert toast is not None
    assert said["width"] > 200
    assert toast["height"] < 300


def test_letters_grow_with_those_of_the_browser(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    settings = tmp_path / "Default" / "Preferences"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"webkit": {"webprefs": {"default_font_size": 32}}}))
    opened = browser.browser_type.launch_persistent_context(
        tmp_path,
        executable_path=chromium_path(),
        args=list(CHROMIUM_FLAGS),
        locale="de-DE",
        **PHONE,
    )
    page = opened.new_page()
    page.goto(server.url)
    expect(page.locator("h1")).to_be_visible()
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert page.locator("h1").evaluate(size) >= 52
    assert page.locator(".surface p").last.evaluate(size) >= 30
    button = page.locator(".button.big")
    assert button.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    assert (
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollWidth - main.clientWidth")
        <= 0
    )
    opened.close()


LONG = ["Donaudampfschifffahrtsgesellschaftskapit", "W" * 40]
PEOPLE = [*LONG, "Anna", "Ben", "Charlotte", "Maximilian", "Oma Gertrud", "Opa Jürgen"]
_RIGHTMOST = """
(within) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(within));
  return Math.max(...Array.from(range.getClientRects(), (each) => each.right));
}
"""


def played(server: Server, device: str) -> list[Game]:
    """Games of two with equal points, in which all of ``PEOPLE`` played."""
    store = open_store(f"sqlite:///{(server.data / 'companion.sqlite').as_posix()}")
    games = []
    for names in zip(PEOPLE[::2], PEOPLE[1::2], strict=True):
        players = [{"id": number, "name": name} for number, name in enumerate(names)]
        boards = {board_key(number): {"kingdom": "c w1 w w ."} for number in range(2)}
        parts = {"players": players, **boards}
        games.append(store.create_game(KINGDOMINO.key, parts, Actor(device)))
    return games


def test_long_names_and_many_people_are_in_sight(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    device, context = new_id(), context_of()
    context.add_cookies([{"name": "companion-device", "value": device, "url": server.url}])
    visitor = Visitor(context.new_page(), server.url)
    page = visitor.page
    first, second, *_ = played(server, device)
    visitor.open(f"?game={first.id}&view=result")
    visitor.sees("teilen sich den Platz")
    assert page.evaluate(_RIGHTMOST, ".winner .why") <= 390
    visitor.open(f"?game={second.id}&view=players")
    chip = page.locator(".chips button", has_text="W" * 40)
    assert chip.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    visitor.open("?view=statistics")
    legend = page.locator("svg.marks").first.locator(".role-legend-label text")
    expect(legend).to_have_count(len(PEOPLE))
    assert page.evaluate(_RIGHTMOST, "table.pad tbody tr td:nth-of-type(3)") <= 390
    for each in legend.all():
        box = each.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    assert visitor.errors == []


def test_nothing_on_the_page_is_in_another_language(server: Server, phone: Page) -> None:
    phone.goto(server.url)
    expect(phone.locator("h1")).to_be_visible()
    phone.keyboard.press("Tab")
    assert "Skip" not in phone.locator("body").inner_text()
    expect(phone.get_by_text("Skip to main content")).to_be_hidden()
