"""What people set in one kingdom of photographs changes no other: brush and undo, giants, empty
squares. The photographs are those of ``KINGDOMINO_DATA``.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from playwright.sync_api import Page, expect

from companion.games.kingdomino.table import Table
from companion.store import Actor, open_store
from scorer.kingdomino import Kingdom, Position
from tests.browser.boards import pick, square
from tests.browser.companion_app import Visitor, set_square
from tests.browser.tools import Server

FOLDER = os.environ.get("KINGDOMINO_DATA")
PHOTOS = ("photos/scene3-14.jpg", "boards/02.jpg", "boards/18.jpg")
"""Read rightly, of 52, 43 and 60 points."""

pytestmark = pytest.mark.skipif(
    FOLDER is None or not all((Path(FOLDER) / "data" / each).exists() for each in PHOTOS),
    reason="KINGDOMINO_DATA is not set, or lacks the photographs",
)


class Game:
    """A game of three photographs on a phone, and what the store has of it."""

    def __init__(self, server: Server, phone: Page) -> None:
        assert FOLDER is not None
        self.visitor = Visitor(phone, server.url)
        self.visitor.open()
        self.visitor.photograph_all([Path(FOLDER) / "data" / each for each in PHOTOS])
        expect(phone.locator(".seat .points")).to_have_count(3)
        self.store = open_store(f"sqlite:///{(server.data / 'companion.sqlite').as_posix()}")
        self.id = phone.url.partition("game=")[2].partition("&")[0]
        self.points = phone.locator(".seat .points").all_inner_texts()
        self.before = self.kingdoms()
        assert self.points == ["52", "43", "60"]

    def kingdoms(self) -> list[Kingdom]:
        table = Table(self.store, Actor(), self.store.game(self.id))
        return [seat.board.kingdom for seat in table.seats if seat.board is not None]

    def open_first(self) -> None:
        """Go from the board of the last kingdom, which stays a moment longer, to the first."""
        page = self.visitor.page
        self.visitor.tap(page.locator(".seat").first)
        key = f"board-{self.id.replace('_', '-')}-1-0"  # as Streamlit makes it a class
        board = page.locator(f'[class*="st-key-{key}"] .board [data-place]')
        expect(board.first).to_be_attached()
        expect(page.locator(".board")).to_have_count(1)

    def first_with(self, holds: Callable[[str], bool]) -> list[Position]:
        return [place for place, each in self.before[0].items() if holds(str(each))]

    def others_are_as_they_were(self) -> None:
        self.visitor.page.wait_for_timeout(1000)
        assert self.kingdoms()[1:] == self.before[1:]
        assert self.visitor.page.locator(".seat .points").all_inner_texts()[1:] == self.points[1:]


def test_a_slip_of_the_brush_and_its_undo(server: Server, phone: Page) -> None:
    game = Game(server, phone)
    game.open_first()
    phone.locator(".board [data-do=paint]").click()
    pick(phone, "brush", "l").click()
    for place in game.first_with(lambda each: each.startswith(("w", "f")))[:3]:
        square(phone, place).locator("path.square").click(force=True)
    game.visitor.until(lambda: game.kingdoms()[0] != game.before[0])
    game.others_are_as_they_were()
    for _ in range(3):
        phone.locator(".board header [data-do=undo]").click()
    game.visitor.until(lambda: game.kingdoms() == game.before)
    game.others_are_as_they_were()
    assert game.visitor.errors == []


def test_two_giants(server: Server, phone: Page) -> None:
    game = Game(server, phone)
    game.open_first()
    crowned = game.first_with(lambda each: each[-1] in "123")
    for place in crowned[:2]:
        square(phone, place).locator("path.square").click(force=True)
        phone.locator('.board [data-do=giants][data-value="1"]').click()
        phone.locator(".board [data-do=close]").first.click()
    game.visitor.until(lambda: str(game.kingdoms()[0]).count("!") == 2)
    game.others_are_as_they_were()


def test_two_confirmed_empty_squares(server: Server, phone: Page) -> None:
    game = Game(server, phone)
    game.open_first()
    for place in game.first_with(lambda each: each == ".")[:2]:
        set_square(phone, place, ".")
    phone.wait_for_timeout(1000)
    assert game.kingdoms() == game.before
    game.others_are_as_they_were()
