"""Kills of the server in the middle of changes; `python -m benchmarks.kills_pages` does more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page

from tests.browser.companion_app import APP, Visitor, game_by_hand
from tests.browser.killing_pages import kill_while_painting
from tests.browser.tools import Server


def test_nothing_confirmed_is_lost(serve: Callable[..., Server], phone: Page) -> None:
    server = serve(APP)
    visitor = Visitor(phone, server.url)
    game_by_hand(visitor, "Anna")
    for killed in kill_while_painting(visitor, server, 2, Random(11)):
        print(killed)
        assert killed.lost == 0
        assert killed.missing == 0
