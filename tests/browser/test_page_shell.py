"""Stories of what stands around the pages: language, icons, security, names of people."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.companion_app import Visitor, game_by_hand, players_by_hand
from tests.browser.tools import Server

HOSTILE = (
    "![x](http://127.0.0.1:9/p.png)",
    "<img src=x onerror=fail()>",
    ":red[**x**] $a$ `b`",
    '"><svg onload=fail()>',
)
ENGLISH = re.compile(
    r"\b(upload|browse|drag|drop|file|loading|please|close|settings|rerun|running|connecting|"
    r"player|points|game|photo|the|and|undo)\b",
    re.IGNORECASE,
)


def test_the_page_speaks_the_browsers_language_and_keeps_the_chosen_one(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    page = context_of(locale="en-GB").new_page()
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.sees("Who won?")
    assert page.evaluate("document.documentElement.lang") == "en"
    visitor.tap("Deutsch")
    visitor.sees("Wer hat gewonnen?")
    page.reload()
    visitor.sees("Wer hat gewonnen?")
    assert page.evaluate("document.documentElement.lang") == "de"


def test_no_english_is_left_in_german(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    visitor = Visitor(context_of().new_page(), server.url)
    game_by_hand(visitor, "Ötti")
    game = visitor.page.url.partition("game=")[2].partition("&")[0]
    views = ("", f"?game={game}", f"?game={game}&view=result", f"?game={game}&view=players")
    for address in (*views, "?view=history", "?view=statistics", "?view=help"):
        visitor.open(address)
        expect(visitor.page.locator(".surface").first).to_be_visible()
        visitor.page.wait_for_timeout(400)
        text = visitor.page.locator("body").inner_text().replace("English", "")
        assert ENGLISH.findall(text) == [], address
        names = visitor.page.evaluate(
            "[...document.querySelectorAll('.surface [aria-label], .surface [placeholder]')]"
            ".map(e => e.getAttribute('aria-label') + ' ' + (e.placeholder ?? '')).join(' ')"
        )
        assert ENGLISH.findall(names) == [], address


def test_names_are_never_read_as_markup(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    page = context_of().new_page()
    visitor = Visitor(page, server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    players_by_hand(visitor, *HOSTILE)
    game = page.url.partition("game=")[2].partition("&")[0]
    for seat in range(2, 5):
        visitor.open(f"?game={game}&seat={seat}")
        visitor.tap("Von Hand eingeben")
        expect(page.locator(".board")).to_be_visible()
    for address in (
        "",
        f"?game={game}",
        f"?game={game}&view=result",
        f"?game={game}&view=players",
        "?view=history",
        "?view=statistics",
    ):
        visitor.open(address)
        expect(page.locator(".surface :is(h1, h2)").first).to_be_visible()
        page.wait_for_timeout(400)
        seen = page.locator("body").inner_text() + page.evaluate(
            "[...document.querySelectorAll('input')].map(e => e.value).join(' ')"
        )
        if address not in ("?view=statistics",):
            assert HOSTILE[0] in seen, address
            assert HOSTILE[1] in seen, address
        assert page.locator(".surface img, .surface script").count() == 0
    assert [url for url in asked if not url.startswith((server.url, "blob:", "data:"))] == []
    assert visitor.errors == []


def test_nothing_foreign_loads_and_the_phone_finds_icon_and_manifest(
    server: Server, context_of: Callable[..., BrowserContext]
) -> None:
    page = context_of().new_page()
    answer = page.goto(server.url)
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-eval" not in policy
    manifest = page.request.get(f"{server.url}/companion.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(f"{server.url}/{icon['src']}").status == 200
    blocked = page.evaluate("fetch('http://127.0.0.1:9/x').then(() => 'loaded', () => 'blocked')")
    assert blocked == "blocked"


def test_a_page_of_an_older_version_is_loaded_anew_once(server: Server, phone: Page) -> None:
    phone.goto(server.url)
    another = "() => companion({data: {of: 'x'}}, '000000000000', 'shell/static/surface.mjs')"
    for stays in (False, True):
        phone.wait_for_function("() => globalThis.companion")
        phone.evaluate("() => { globalThis.stays = true; }")
        phone.evaluate(another)
        if stays:
            phone.wait_for_timeout(500)
            assert phone.evaluate("() => globalThis.stays")
        else:
            phone.wait_for_function("() => !globalThis.stays")
