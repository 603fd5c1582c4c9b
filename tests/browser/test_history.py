"""The history in a browser: more games come while one scrolls, and the place in it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import BrowserContext, expect

from companion.games.kingdomino.kind import KINGDOMINO
from companion.store import open_store
from companion.store.exchange import export_text
from tests.browser.companion_app import Visitor
from tests.browser.tools import Server

GAMES = 130


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with many games, one a day, between Anna and one of two others."""
    store = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    for number in range(GAMES):
        at = datetime(2025, 1, 1, 18, tzinfo=UTC) + timedelta(days=number)
        players = [{"id": 0, "name": "Anna"}, {"id": 1, "name": ("Ben", "Cleo")[number % 2]}]
        about = {"played_at": at.isoformat(), "title": f"Abend {number}"}
        store.create_game(KINGDOMINO.key, {"players": players, "about": about})
    saved = tmp_path / "companion.json"
    saved.write_text("".join(export_text(store)), encoding="utf-8")
    store.close()
    assert len(json.loads(saved.read_text(encoding="utf-8"))["games"]) == GAMES
    return saved


def test_all_games_are_reached_by_scrolling_and_one_comes_back_to_the_place(
    server: Server, context_of: Callable[..., BrowserContext], file: Path
) -> None:
    visitor = Visitor(context_of().new_page(), server.url)
    page = visitor.page
    visitor.open("?view=history")
    page.locator("input[data-file]").set_input_files(file)
    visitor.sees(f"{GAMES} Partien")
    games = page.locator("a.game")
    expect(games).to_have_count(50)
    for count in (100, GAMES):
        games.last.scroll_into_view_if_needed()
        expect(games).to_have_count(count)
    visitor.sees("Januar 2025")
    old = page.locator("a.game", has_text="Abend 12").last
    old.scroll_into_view_if_needed()
    place = old.evaluate("each => each.getBoundingClientRect().top")
    old.click()
    visitor.sees("Anna")
    expect(games).to_have_count(0)
    page.go_back()
    expect(games).to_have_count(GAMES)
    expect(old).to_be_in_viewport()
    assert abs(old.evaluate("each => each.getBoundingClientRect().top") - place) < 60
    page.get_by_label("Partien einer Person").select_option("Cleo")
    visitor.sees("65 Partien")
    expect(games.first).to_contain_text("Abend 129")
    page.go_back()
    visitor.sees(f"{GAMES} Partien")
    expect(page.get_by_label("Partien einer Person")).to_have_value("")
    assert visitor.errors == []
