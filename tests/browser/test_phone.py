"""What a phone keeps in its own database, in a real browser: drawers, and copies of its games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, Route, expect

from companion.web.shell.assets import FILES
from tests.browser.companion_app import APP, Visitor, game_by_hand, set_square, wait_for_points
from tests.browser.tools import Server, axe_violations

_PAGE = """<!doctype html><title>Phone</title><script type="module">
import {{ drawer }} from "{base}shell/static/phone.mjs";
globalThis.drawer = drawer;
</script>"""


@pytest.fixture
def bare(phone: Page) -> Page:
    """A page that has the module alone, below a path and at the root of its host."""

    def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        name = path.removeprefix("/club").removeprefix("/")
        if name in FILES:
            route.fulfill(body=FILES[name], content_type="text/javascript")
        else:
            base = "/club/" if path.startswith("/club/") else "/"
            route.fulfill(body=_PAGE.format(base=base), content_type="text/html")

    phone.route("http://phone.test/**", answer)
    _open(phone, "/")
    return phone


def _open(page: Page, path: str) -> None:
    page.goto(f"http://phone.test{path}")
    page.wait_for_function("globalThis.drawer")


_DELETED = """() => new Promise((come, fail) => {
  const request = indexedDB.deleteDatabase("companion /");
  request.onsuccess = () => come(true);
  request.onblocked = fail;
})"""
_FULL = """() => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...given) {
    const request = put.apply(this, given);
    this.transaction.abort();
    return request;
  };
}"""
_NEWER = """() => new Promise((come) => {
  const request = indexedDB.open("companion /club/", 9);
  request.onsuccess = () => { request.result.close(); come(); };
})"""


def test_storage_may_go_and_come_while_a_page_is_open(bare: Page) -> None:
    """Another window clears it, the browser clears it, there is no room, a later version had it."""
    put = "drawer('games').put('a', 7)"
    assert bare.evaluate(put) is True
    assert bare.evaluate(_DELETED) is True
    assert bare.evaluate("drawer('games').all()") == []
    assert bare.evaluate(put) is True
    session = bare.context.new_cdp_session(bare)
    origin = {"origin": "http://phone.test"}
    session.send("Storage.clearDataForOrigin", {**origin, "storageTypes": "indexeddb"})
    bare.wait_for_function(f"async () => (await drawer('games').all()).length === 0 && {put}")
    bare.evaluate(_FULL)
    assert bare.evaluate(put) is False
    bare.reload()
    bare.wait_for_function("globalThis.drawer")
    assert bare.evaluate(put) is True
    bare.evaluate(_NEWER)
    _open(bare, "/club/")
    assert bare.evaluate(put) is False
    assert bare.evaluate("drawer('games').all()") == []


def test_what_is_kept_is_there_after_a_reload_in_its_drawer_alone(bare: Page) -> None:
    assert bare.evaluate("drawer('games').put('b', {points: 41})") is True
    assert bare.evaluate("drawer('games').put('a', 7)") is True
    bare.reload()
    bare.wait_for_function("globalThis.drawer")
    assert bare.evaluate("drawer('games').get('b')") == {"points": 41}
    assert bare.evaluate("drawer('games').all()") == [7, {"points": 41}]
    assert bare.evaluate("drawer('changes').all()") == []
    bare.evaluate("drawer('games').remove('a')")
    assert bare.evaluate("drawer('games').all()") == [{"points": 41}]
    bare.evaluate("drawer('games').clear()")
    assert bare.evaluate("drawer('games').all()") == []


def test_two_companions_of_one_host_keep_apart(bare: Page) -> None:
    bare.evaluate("drawer('games').put('a', 'root')")
    _open(bare, "/club/")
    assert bare.evaluate("drawer('games').all()") == []
    _open(bare, "/?game=g1")
    assert bare.evaluate("drawer('games').all()") == ["root"]


@pytest.mark.parametrize(
    "without",
    [
        "delete IDBFactory.prototype.open",
        "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError') }",
        "IDBDatabase.prototype.transaction = () => { throw new DOMException('full') }",
    ],
)
def test_where_nothing_can_be_kept_drawers_are_empty(bare: Page, without: str) -> None:
    bare.add_init_script(without)
    bare.reload()
    bare.wait_for_function("globalThis.drawer")
    assert bare.evaluate("drawer('games').put('a', 1)") is False
    assert bare.evaluate("drawer('games').get('a')") is None
    assert bare.evaluate("drawer('games').all()") == []


class GamesServer:
    """A stand-in for the server: what it answers to a phone, and what it was sent."""

    def __init__(self, page: Page) -> None:
        self.compared: dict[str, list[str]] = {"newer": [], "gone": [], "lacking": []}
        self.copies: dict[str, dict[str, Any]] = {}
        self.import_status = 200
        self.sent: list[tuple[str, Any]] = []
        page.route("http://phone.test/**", self._answer)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path.removeprefix("/")
        if path in FILES:
            route.fulfill(body=FILES[path], content_type="text/javascript")
        elif path in ("copies", "saved"):
            self.sent.append((path, json.loads(route.request.post_data or "null")))
            status = 200 if path == "copies" else self.import_status
            route.fulfill(status=status, body=json.dumps(self.compared))
        elif path.startswith("copies/"):
            copy = self.copies.get(path.split("/")[1])
            route.fulfill(status=200 if copy else 404, body=json.dumps(copy))
        elif path.startswith("card/"):
            route.fulfill(body=b"png", content_type="image/png")
        else:
            route.fulfill(body=_COPIES_PAGE, content_type="text/html")


_COPIES_PAGE = """<!doctype html><html lang="de"><meta charset="utf-8"><title>Phone</title>
<meta name="copies-words" content='{"title": "Spiele", "none": "Keine.", "close": "Zu",
"given.one": "Eins zurück.", "given.several": "{count} zurück."}'><body><div id="place"></div>
<script type="module">
import * as copies from "/shell/static/copies.mjs";
import { drawer } from "/shell/static/phone.mjs";
Object.assign(globalThis, { copies, drawer });
</script>"""


def a_copy(game: str, sequence: int = 1, changed: str = "2026-01-01", **more: Any) -> Any:
    return {
        "id": game, "sequence": sequence, "changed": changed, "said": f"<b>{game}</b> 5",
        "when": "gestern", "players": [["Anna & Co", 5], ["Ben", None]], "card": None,
        "saved": {"games": [game]}, **more,
    }  # fmt: skip


@pytest.fixture
def games(phone: Page) -> GamesServer:
    server = GamesServer(phone)
    phone.goto("http://phone.test/")
    phone.wait_for_function("globalThis.copies")
    return server


def kept(page: Page) -> dict[str, int]:
    found = page.evaluate("drawer('games').all()")
    return {each["id"]: each["sequence"] for each in found}


def test_newer_games_are_fetched_and_those_that_are_gone_dropped(
    games: GamesServer, phone: Page
) -> None:
    games.copies = {"a": a_copy("a"), "b": a_copy("b", card="card/b/de")}
    games.compared["newer"] = ["a", "b", "unknown"]
    phone.evaluate("copies.keepCopies()")
    assert kept(phone) == {"a": 1, "b": 1}
    assert phone.evaluate("drawer('games').get('b').then((copy) => copy.picture.size)") == 3
    games.compared = {"newer": ["a"], "gone": ["b"], "lacking": []}
    games.copies["a"] = a_copy("a", 4)
    phone.evaluate("copies.keepCopies()")
    assert kept(phone) == {"a": 4}
    assert games.sent == [("copies", {}), ("copies", {"a": 1, "b": 1})]


def test_what_a_server_lacks_is_given_back_and_said_once(games: GamesServer, phone: Page) -> None:
    games.copies = {"a": a_copy("a", 3), "b": a_copy("b", 3)}
    games.compared["newer"] = ["a", "b"]
    phone.evaluate("copies.keepCopies()")
    games.compared = {"newer": [], "gone": [], "lacking": ["a", "b"]}
    games.copies = {"a": a_copy("a", 2)}  # It went on there from an older state.
    phone.evaluate("copies.keepCopies()")
    assert [body for path, body in games.sent if path == "saved"] == [
        {"games": ["a"]},
        {"games": ["b"]},
    ]
    expect(phone.locator(".told")).to_have_text("2 zurück.")
    assert kept(phone) == {"a": 2, "b": 3}


def test_what_a_server_refuses_is_not_offered_again(games: GamesServer, phone: Page) -> None:
    phone.evaluate("(copy) => drawer('games').put('a', copy)", a_copy("a"))
    games.compared["lacking"] = ["a"]
    for games.import_status in (503, 400, 200):
        phone.evaluate("copies.keepCopies()")
    assert [path for path, _ in games.sent].count("saved") == 2
    expect(phone.locator(".told")).to_have_count(0)
    assert kept(phone) == {"a": 1}


def test_the_oldest_of_too_many_are_dropped(games: GamesServer, phone: Page) -> None:
    phone.evaluate(
        "(copy) => Promise.all([...Array(205).keys()].map((n) => drawer('games')"
        ".put(`g${n}`, { ...copy, id: `g${n}`, changed: String(1000 + n) })))",
        a_copy("g"),
    )
    phone.evaluate("copies.keepCopies()")
    assert len(kept(phone)) == 200
    assert "g4" not in kept(phone)
    assert "g5" in kept(phone)


def test_whoever_wants_none_kept_has_none(games: GamesServer, phone: Page) -> None:
    phone.evaluate("(copy) => drawer('games').put('a', copy)", a_copy("a"))
    phone.evaluate("document.cookie = 'companion-keep-games=false'")
    phone.evaluate("copies.keepCopies()")
    assert kept(phone) == {}
    assert games.sent == []


def test_copies_are_shown_without_a_server_the_newest_first_and_as_text(
    games: GamesServer, phone: Page
) -> None:
    for game, changed in (("a", "2026-01-01"), ("b", "2026-02-01")):
        phone.evaluate("([g, c]) => drawer('games').put(g, c)", [game, a_copy(game, 1, changed)])
    phone.context.set_offline(True)
    phone.evaluate("copies.keepCopies()")
    assert kept(phone) == {"a": 1, "b": 1}
    phone.evaluate("copies.openCopies()")
    dialog = phone.locator("dialog.copies")
    expect(dialog.locator("summary")).to_contain_text(["<b>b</b> 5", "<b>a</b> 5"])
    dialog.locator("summary").first.click()
    expect(dialog.locator("tr").first).to_have_text("Anna & Co5")
    dialog.get_by_role("button", name="Zu").click()
    expect(dialog).to_have_count(0)


def test_a_server_that_has_forgotten_everything_gets_a_game_back(
    context_of: Callable[..., BrowserContext],
    serve: Callable[..., Server],
    screenshots: Callable[[Page, str], Path],
) -> None:
    page = context_of().new_page()
    server = serve(APP)
    visitor = Visitor(page, server.url)
    game_by_hand(visitor, "Anna", "Ben")
    set_square(page, (0, 0), "w2")
    expect(visitor.board_points()).to_have_text("2")
    address = page.url
    # Opened here first, the database would be one without drawers.
    has_copy = """async () => {
        const there = (await indexedDB.databases()).some(({ name }) => name === "companion /");
        if (!there) return false;
        const open = indexedDB.open("companion /");
        await new Promise((come) => { open.onsuccess = come; });
        const all = open.result.transaction("games").objectStore("games").getAll();
        await new Promise((come) => { all.onsuccess = come; });
        open.result.close();
        return all.result.some((game) => JSON.stringify(game.saved).includes("w2"));
    }"""
    # A page that is looked at again keeps what has changed.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    visitor.until(lambda: bool(page.evaluate(has_copy)), 30)
    server.kill()
    button = page.locator(".no-connection button")
    expect(button).to_have_text("Partien auf diesem Handy")
    button.tap()
    shown = page.locator("dialog.copies")
    expect(shown).to_contain_text("Anna und Ben")
    screenshots(page, "copies")
    assert axe_violations(page) == []
    shown.get_by_role("button", name="Schließen").tap()
    for file in server.data.glob("companion.sqlite*"):
        file.unlink()
    server.start()
    expect(page.locator(".told")).to_have_text(
        "Dem Server fehlte eine Partie, die dieses Handy noch hatte; er hat sie wieder."
    )
    page.goto(address)
    expect(visitor.board_points()).to_have_text("2")
    # A second phone that has the link sees the same.
    other = Visitor(context_of().new_page(), server.url)
    other.page.goto(address)
    wait_for_points(other, "Anna", 2)
    # Switched off, the phone keeps nothing more.
    visitor.open("?view=history")
    page.get_by_text("Meine Partien auch auf diesem Handy behalten").tap()
    count = has_copy.replace('(game) => JSON.stringify(game.saved).includes("w2")', "() => true")
    visitor.until(lambda: not page.evaluate(count), 30)
    assert visitor.errors == []
