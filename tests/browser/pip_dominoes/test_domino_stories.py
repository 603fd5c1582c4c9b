"""Stories of pip dominoes on a phone: Mexican Train from photos, Muggins, a patience."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, expect

from tests.browser.companion_app import Visitor, wait_until_prepared
from tests.browser.pip_dominoes.domino_photos import photo_of_hand
from tests.browser.tools import Server, axe_violations

APP = Path(__file__).with_name("domino_app.py")
FOUR = ("Anna", "Ben", "Cem", "Dora")

Screenshots = Callable[[Page, str], Path]


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(APP, tmp_path_factory.mktemp("dominoes"))
    started.start()
    yield started
    started.kill()


def taken(photo: bytes) -> FilePayload:
    return {"name": "hand.png", "mimeType": "image/png", "buffer": photo}


class Player(Visitor):
    """Somebody who plays dominoes."""

    def begin(self, title: str, names: tuple[str, ...]) -> None:
        """From the first page to the people of a new game."""
        self.open()
        self.tap(title)
        for name in names:
            field = self.page.locator("[data-do=add-typed]")
            field.fill(name)
            self.page.keyboard.press("Enter")
            expect(self.page.locator(".seating").get_by_text(name, exact=True)).to_be_visible()

    def press(self, what: str, value: str | int | None = None) -> None:
        """Tap the button that does something."""
        chosen = "" if value is None else f'[data-value="{value}"]'
        self.tap(self.page.locator(f"[data-do={what}]{chosen}"))

    def line(self, seat: int) -> str:
        return f'li[data-player="{seat}"]'

    def shoot(self, seat: int, tiles: str, doubtful: str = "") -> None:
        """Photograph what somebody has left; the phone's own camera is not counted."""
        self.taps += 1
        self.page.locator(f"{self.line(seat)} input[type=file]").set_input_files(
            [taken(photo_of_hand(tiles, doubtful))]
        )

    def points(self, seat: int) -> None:
        expect(self.page.locator(f"{self.line(seat)} a.known")).to_be_visible()

    def done(self) -> None:
        """Back to the game, once the server has kept everything."""
        expect(self.page.locator(".piece[data-sync=calm]")).to_be_visible()
        self.tap("Fertig")

    def totals(self) -> list[str]:
        return self.page.locator("table.sheet-of-rounds tr.sum td").all_inner_texts()

    def sound(self) -> None:
        """Nothing is wrong for a screen reader, nothing is cut off, no notation is shown."""
        assert axe_violations(self.page) == []
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        assert "|" not in self.page.locator("body").inner_text()


def play_round(player: Player, number: int, hands: tuple[str, str, str, str]) -> int:
    """One round from photos, "" for who is out; how many taps it took."""
    before = player.taps
    player.page.get_by_text(f"Runde {number} von 3").wait_for()
    for seat, tiles in enumerate(hands):
        if tiles:
            player.shoot(seat, tiles)
        else:
            player.tap(player.page.locator(f"{player.line(seat)} [data-do=out]"))
        if seat < 3:
            player.points(seat)
    return player.taps - before


def test_three_rounds_of_mexican_train_for_four(
    server: Server, phone: Page, screenshots: Screenshots
) -> None:
    anna = Player(phone, server.url)
    anna.begin("Mexican Train", FOUR)
    anna.press("rounds", 3)
    expect(phone.locator('[data-do=rounds][data-value="3"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    anna.sound()
    screenshots(phone, "dominoes-new")
    anna.press("start")

    assert play_round(anna, 1, ("5|9 3|4", "1|2 0|3", "", "10|11")) <= 6
    expect(phone.get_by_text("Runde 2 von 3")).to_be_visible()
    assert anna.totals() == ["21", "6", "0", "21"]
    anna.sound()

    # The double blank asks, a doubtful tile offers what else it may be.
    anna.shoot(0, "5|9 3|4 0|0", "3|4>3|5")
    anna.points(0)
    screenshots(phone, "dominoes-round")
    anna.tap(phone.locator(f"{anna.line(0)} a.known"))
    expect(phone.locator(".hand-sum strong")).to_have_text("71")
    expect(phone.get_by_text("Stimmt das?")).to_be_visible()
    screenshots(phone, "dominoes-doubt")
    anna.sound()
    anna.press("runner")
    expect(phone.get_by_text("Ist das der leere Stein?")).to_be_visible()
    anna.press("confirm")
    expect(phone.locator(".sheet")).to_have_count(0)
    expect(phone.locator(".hand-sum strong")).to_have_text("72")

    # A tap on the photo beside the number picks a tile; both of its halves can be set.
    box = phone.locator(".hand-photo").bounding_box()
    assert box is not None
    phone.touchscreen.tap(box["x"] + box["width"] * 30 / 320, box["y"] + box["height"] * 95 / 200)
    expect(phone.locator(".sheet")).to_be_visible()
    anna.press("high", 12)
    anna.press("low", 6)
    expect(phone.locator(".hand-sum strong")).to_have_text("76")
    anna.press("close")
    anna.done()
    expect(phone.locator(f"{anna.line(0)} .points strong")).to_have_text("76")
    expect(phone.locator(".hand-sum")).to_have_count(0)

    # A number typed asks for the double blank; tiles are tapped on a pad.
    anna.tap("Von Hand: Ben")
    anna.press("view", "number")
    anna.press("digit", 1)
    anna.press("digit", 2)
    expect(phone.get_by_text("Ist der leere Stein dabei?")).to_be_visible()
    screenshots(phone, "dominoes-number")
    anna.sound()
    anna.press("count", "plain")
    expect(phone.locator(".hand-sum strong")).to_have_text("12")
    anna.done()
    anna.points(1)
    anna.tap("Von Hand: Cem")
    anna.press("number", 7)
    anna.press("toggle", "3|7")
    anna.press("toggle", "7|7")
    expect(phone.locator(".hand-sum strong")).to_have_text("24")
    expect(phone.locator('[data-do=toggle][data-value="6|7"]')).to_be_enabled()
    screenshots(phone, "dominoes-pad")
    anna.sound()
    anna.done()
    anna.points(2)
    anna.tap(phone.locator(f"{anna.line(3)} [data-do=out]"))
    expect(phone.get_by_text("Runde 3 von 3")).to_be_visible()
    assert anna.totals() == ["97", "18", "24", "21"]

    # Undo takes back the last thing, also after a reload.
    phone.reload()
    anna.tap("Rückgängig")
    expect(phone.get_by_text("Runde 2 von 3")).to_be_visible()
    anna.tap(phone.locator(f"{anna.line(3)} [data-do=out]"))

    play_round(anna, 3, ("5|9 3|4", "1|2 0|3", "9|11", ""))
    expect(phone.get_by_text("Dora gewinnt mit 21 Punkten")).to_be_visible()
    anna.sound()
    screenshots(phone, "dominoes-winner")
    shared = phone.get_by_role("link", name="Bild zum Teilen").get_attribute("href")
    card = phone.request.get(f"{server.url}/{shared}")
    assert card.ok
    assert card.body().startswith(b"\x89PNG")
    anna.open()
    expect(phone.get_by_text("Dora gewinnt, 21 Punkte")).to_be_visible()
    assert anna.errors == []


def test_a_game_of_muggins(
    server: Server, context_of: Callable[..., BrowserContext], screenshots: Screenshots
) -> None:
    page = context_of(locale="en-GB", color_scheme="dark").new_page()
    ben = Player(page, server.url)
    ben.begin("Muggins", ("Ben", "Eva"))
    ben.press("target", 100)
    expect(page.locator('[data-do=target][data-value="100"]')).to_have_attribute(
        "aria-pressed", "true"
    )
    ben.press("start")
    expect(page.locator(".digits")).to_be_visible()

    # Taps as fast as they come, and all of them count.
    for _ in range(3):
        ben.press("points", 10)
    ben.press("player", 1)
    ben.press("points", 15)
    expect(page.locator("ul.plays li")).to_have_count(4)
    assert page.locator(".seat.side .points").all_inner_texts() == ["30", "15"]

    # Eva overlooks 20, Ben calls it; the open ends are added up for him.
    ben.press("player", 1)
    ben.press("missed")
    ben.press("help")
    for value in (6, 4, 10):
        ben.press("end", value)
    expect(page.get_by_text("6 + 4 + 10 = 20")).to_be_visible()
    screenshots(page, "muggins-ends")
    ben.sound()
    ben.tap("Take 20")
    ben.sees("Ben: 20 points, missed by Eva")

    # The end of the round: Ben is out, Eva has 37 left, that is 35.
    ben.tap("The round is over")
    ben.tap(page.locator(f"{ben.line(0)} [data-do=out]"))
    ben.points(0)
    ben.shoot(1, "6|6 5|5 4|4 3|4")
    ben.sees("Ben gets 35 points for the round.")
    assert page.locator(".seat.side .points").all_inner_texts() == ["85", "15"]
    ben.sound()
    screenshots(page, "muggins-round")

    ben.press("points", 15)
    ben.sees("Ben wins with 100 points")
    ben.sound()
    screenshots(page, "muggins-winner")
    ben.tap("Undo")
    expect(page.locator(".digits")).to_be_visible()
    assert ben.errors == []


def test_a_patience_against_the_clock(
    server: Server, phone: Page, screenshots: Screenshots
) -> None:
    anna = Player(phone, server.url)
    anna.begin("Castle Rock", ("Anna",))
    anna.press("challenge", "clock")
    anna.press("start")
    anna.tap("Uhr starten")
    expect(phone.locator(".time")).to_have_text("0:01")
    phone.reload()
    expect(phone.locator(".time")).not_to_have_text("0:00")
    phone.locator("input[type=file]").set_input_files([taken(photo_of_hand("1|2 3|4"))])
    anna.sees("2 Dominosteine übrig mit 10 Augen")
    expect(phone.locator("tr.this td").first).to_have_text("2")
    expect(phone.locator(".clock")).to_have_count(0)
    anna.sound()
    screenshots(phone, "castle-rock")
    assert anna.errors == []


def test_a_patience_counted_aloud(server: Server, phone: Page, screenshots: Screenshots) -> None:
    anna = Player(phone, server.url)
    anna.begin("Castle Rock", ("Anna",))
    anna.press("start")
    anna.tap("Von Hand")
    anna.press("view", "number")
    anna.press("digit", 1)
    anna.press("digit", 7)
    # What is typed is not taken yet, and would be lost.
    expect(anna.named("Fertig")).to_be_hidden()
    anna.press("count", "plain")
    expect(phone.locator(".hand-sum strong")).to_have_text("17")
    screenshots(phone, "castle-rock-number")
    anna.sound()
    anna.done()
    anna.sees("17 Augen übrig")
    expect(phone.locator("tr.this td").first).to_have_text("17")
    anna.sound()
    assert anna.errors == []


def test_a_gone_connection_moves_no_key(
    serve: Callable[..., Server], phone: Page, screenshots: Screenshots
) -> None:
    own = serve(APP)
    anna = Player(phone, own.url)
    anna.begin("Castle Rock", ("Anna",))
    anna.press("start")
    anna.tap("Von Hand")
    anna.press("number", 3)
    key = phone.locator('[data-do=toggle][data-value="3|5"]')
    before = key.bounding_box()
    own.kill()
    anna.press("toggle", "3|4")
    expect(phone.locator(".piece .late")).to_contain_text("Keine Verbindung")
    screenshots(phone, "dominoes-no-connection")
    assert key.bounding_box() == before
    own.start()
    expect(phone.locator(".piece .late")).to_have_text("")
    expect(phone.locator(".piece[data-sync=calm]")).to_be_visible()
    phone.reload()
    expect(phone.locator(".hand-sum strong")).to_have_text("7")
    assert anna.errors == []


def test_a_hand_goes_on_through_a_reload_without_a_connection(
    serve: Callable[..., Server], phone: Page
) -> None:
    server = serve(APP)
    anna = Player(phone, server.url)
    anna.begin("Mexican Train", ("Anna", "Ben"))
    anna.press("start")
    anna.tap("Von Hand: Anna")
    anna.press("number", 7)
    for tile in ("3|7", "5|7"):
        anna.press("toggle", tile)
    points = phone.locator(".hand-sum strong")
    expect(points).to_have_text("22")
    anna.press("pick", 1)
    anna.press("remove")
    expect(points).to_have_text("10")
    expect(phone.locator(".piece[data-sync=calm]")).to_be_visible()
    wait_until_prepared(phone)
    server.kill()
    anna.press("toggle", "7|7")
    expect(points).to_have_text("24")
    phone.reload()
    expect(points).to_have_text("24")
    server.start()
    expect(phone.locator(".piece[data-sync=calm]")).to_be_visible()
    phone.reload()
    expect(points).to_have_text("24")


def test_a_clock_goes_on_through_a_reload_without_a_connection(
    serve: Callable[..., Server], phone: Page
) -> None:
    server = serve(APP)
    anna = Player(phone, server.url)
    anna.begin("Castle Rock", ("Anna",))
    anna.press("challenge", "clock")
    anna.press("start")
    time = phone.locator(".time")
    expect(time).to_have_text("0:00")
    wait_until_prepared(phone)
    server.kill()
    anna.tap("Uhr starten")
    expect(time).to_have_text("0:02")
    phone.reload()
    expect(time).to_have_text(re.compile("0:0[2-9]"))
    server.start()
    expect(phone.locator(".piece[data-sync=calm]")).to_be_visible()
    phone.reload()
    expect(time).not_to_have_text("0:00")
