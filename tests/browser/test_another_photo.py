"""Another photo of a kingdom of which the first left squares open, on a phone that is slow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.table import Table
from companion.store import Actor, open_store
from scorer.kingdomino import Kingdom, Square, score
from tests.browser.companion_app import Visitor, set_square, wait_for_points
from tests.browser.tables import FOUR, photo_of
from tests.browser.tools import Server, axe_violations
from vision import read_kingdoms

WHOLE = Kingdom.parse(FOUR["pink"])
HIDDEN = ((0, 4), (1, 4))
SKIN = (214, 160, 130)
ANOTHER = "Noch ein Foto davon"


def with_a_hand(path: Path) -> Path:
    """The photo with something like a hand over ``HIDDEN``, from the upper edge of it."""
    (kingdom,) = read_kingdoms(path).kingdoms
    middles = [kingdom.square_corners(place).mean(0) for place in HIDDEN]
    with Image.open(path) as opened:
        photo = opened.convert("RGB")
    pen = ImageDraw.Draw(photo)
    for x, y in middles:
        pen.ellipse([x - 95, y - 95, x + 95, y + 95], fill=SKIN)
    x, y = middles[0]
    pen.polygon([(x - 90, y), (x + 90, y), (x + 420, 0), (x + 220, 0)], fill=SKIN)
    covered = path.with_name("hand.jpg")
    photo.save(covered, quality=90)
    return covered


def turned(path: Path) -> Path:
    """The photo from another side of the table."""
    with Image.open(path) as photo:
        photo.transpose(Image.Transpose.ROTATE_90).save(path, quality=90)
    return path


def test_another_photo_shows_what_a_hand_hides(
    server: Server,
    phone: Page,
    tmp_path: Path,
    screenshots: Callable[[Page, str], Path],
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(with_a_hand(photo_of(FOUR["pink"], "pink", tmp_path / "pink.jpg")))
    expect(phone.locator(".board [data-do=doubts]")).to_be_visible()
    visitor.photograph(photo_of(FOUR["green"], "green", tmp_path / "green.jpg"), "Nächstes")
    wait_for_points(visitor, "Grün", score(Kingdom.parse(FOUR["green"])).points)
    store = open_store(f"sqlite:///{(server.data / 'companion.sqlite').as_posix()}")
    game = phone.url.partition("game=")[2].partition("&")[0]

    def boards() -> list[KeptBoard]:
        table = Table(store, Actor(), store.game(game))
        return [seat.board for seat in table.seats if seat.board is not None]

    visitor.tap(visitor.seat("Rosa"))
    offer = phone.locator(".notice", has_text=ANOTHER)
    expect(offer).to_be_visible()
    offer.scroll_into_view_if_needed()
    screenshots(phone, "another-offered")
    assert axe_violations(phone) == []
    set_square(phone, (0, 0), "s1")
    visitor.until(lambda: bool(boards()[0].corrected))
    before = boards()
    assert str(before[0].kingdom[0, 4]) == "."

    visitor.photograph(photo_of(FOUR["yellow"], "yellow", tmp_path / "yellow.jpg"), ANOTHER)
    visitor.sees("zeigt ein anderes Königreich")
    screenshots(phone, "another-is-another")
    Image.new("RGB", (1200, 900), (150, 120, 90)).save(tmp_path / "table.jpg")
    visitor.photograph(tmp_path / "table.jpg", ANOTHER)
    visitor.sees("kein Königreich zu erkennen")
    assert boards() == before

    visitor.photograph(turned(photo_of(FOUR["pink"], "pink", tmp_path / "two.jpg", 3)), ANOTHER)
    visitor.sees("Beide Fotos zusammen gelesen")
    screenshots(phone, "another-read")
    # What was set stays, all else is there, and the kingdom beside it is as it was.
    whole = WHOLE.replace({(0, 0): Square.parse("s1")})
    assert boards()[0].kingdom == whole
    assert boards()[1] == before[1]
    wait_for_points(visitor, "Rosa", score(whole).points)
    assert len(boards()[0].doubtful) < len(before[0].doubtful)
    visitor.tap(phone.locator(".toast").get_by_role("button", name="Rückgängig"))
    visitor.until(lambda: boards() == before)
    assert visitor.errors == []
