"""A game of two with a joker and the edge by taps on a phone, and a move by keys in the dark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

import numpy as np
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect

from companion.games.domino_duell import kind as _kind  # noqa: F401  (the store must know the game)
from companion.games.domino_duell.table import DuelTable
from companion.games.domino_duell.texts import feature_name
from companion.languages import Language
from companion.store import Actor, open_store
from companion.store.labelled_squares import count_squares
from scorer.domino_duell import STONES, Stone, UseJoker, joker_hollows, legal_moves
from tests.browser.tools import Server, axe_violations
from training.domino_duell.scenes import SceneSettings, draw_scene

START = {"f6": "rtl", "f7": "ycl", "g5": "gml", "g6": "bsw"}
CALM = SceneSettings(light=0.3, glare_share=0.0, shadow_share=0.0, max_blur_px=0.8)


def name_of(stone: Stone, language: Language = Language.GERMAN) -> str:
    return ", ".join(feature_name(each, language) for each in stone.features)


def tap_hollow(page: Page, name: str) -> None:
    """Tap a hollow where it is seen; the whole board is shown first where it isn't."""
    if not seen(page, name):
        page.locator("[data-do=whole]").tap()
        expect(page.locator("[data-do=whole]")).to_have_attribute("aria-pressed", "true")
    box = page.locator(f'[data-hollow="{name}"] .hole').bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(f'[data-hollow="{name}"]')).to_have_attribute("aria-pressed", "true")


def seen(page: Page, name: str) -> bool:
    hollow = page.locator(f'[data-hollow="{name}"] .hole').bounding_box()
    stage = page.locator(".duel-stage").bounding_box()
    assert hollow is not None
    assert stage is not None
    inside_x = stage["x"] <= hollow["x"] <= stage["x"] + stage["width"] - hollow["width"]
    return inside_x and stage["y"] <= hollow["y"] <= stage["y"] + stage["height"] - hollow["height"]


def pick(page: Page, stone: Stone) -> None:
    page.locator(f'.keys [data-value="{stone}"]').tap()


def lay(page: Page, stone: Stone, hollow: str) -> None:
    tap_hollow(page, hollow)
    pick(page, stone)
    page.locator("[data-do=lay]").tap()


def new_game(page: Page, server: Server) -> str:
    """Anna and Ben, with jokers; gives the id of the game."""
    page.goto(f"{server.url}/?new=domino_duell")
    for name in ("Anna", "Ben"):
        field = page.locator('input[data-do="add"]')
        field.fill(name)
        field.press("Enter")
        expect(page.locator(f'input[value="{name}"]')).to_be_visible()
    page.get_by_text("Mit Jokern").tap()
    game = page.url.partition("game=")[2].partition("&")[0]
    wait_until(page, lambda: table_of(server, game).set_up.jokers)
    return game


def wait_until(page: Page, done: Callable[[], bool]) -> None:
    """Wait until something is in the store."""
    for _ in range(100):
        if done():
            return
        page.wait_for_timeout(100)
    raise AssertionError("not in the store after 10 s")


def table_of(server: Server, game: str) -> DuelTable:
    """The game as it is on the disk, seen by a second phone."""
    store = open_store(f"sqlite:///{(server.data / 'companion.sqlite').as_posix()}")
    return DuelTable(store, Actor("bens-phone", "Ben"), store.game(game))


def test_a_game_of_two_with_a_joker_and_the_edge(
    server: Server, phone: Page, screenshots: Callable[[Page, str], Path]
) -> None:
    game = new_game(phone, server)
    screenshots(phone, "duell-spieler")
    assert axe_violations(phone) == [], "\n".join(axe_violations(phone))
    phone.get_by_role("link", name="Zum Spielbrett").last.tap()
    expect(phone.get_by_text("Tippe die vier Vertiefungen")).to_be_visible()
    tap_hollow(phone, "f6")
    for stone in START.values():
        pick(phone, Stone.parse(stone))
    expect(phone.get_by_text("Anna: Tippe eine Vertiefung an.")).to_be_visible()
    whole = phone.locator("[data-do=whole]")
    shown = whole.get_attribute("aria-pressed")
    for pressed in ("false" if shown == "true" else "true", shown or ""):
        whole.tap()
        expect(whole).to_have_attribute("aria-pressed", pressed)

    table = table_of(server, game)
    assert table.duel is not None
    move = legal_moves(table.duel.position, STONES)[0]
    tap_hollow(phone, move.hollow)
    expect(phone.locator('.keys [data-value="rtl"]')).to_be_disabled()
    size = phone.locator('.keys [data-value="ytw"]').bounding_box()
    assert size is not None
    assert min(size["width"], size["height"]) >= 43.9
    pick(phone, move.stone)
    expect(phone.locator(".brings")).to_have_text(str(move.points))
    screenshots(phone, "duell-zug")
    assert axe_violations(phone) == [], "\n".join(axe_violations(phone))
    phone.locator("[data-do=lay]").tap()
    expect(phone.get_by_text(f"1. Anna: {name_of(move.stone)}")).to_be_visible()
    table = table_of(server, game)
    assert table.turns == (f"0: {move.hollow}={move.stone}",)

    # The other phone goes on; this one sees it by itself.
    for _ in range(29):
        assert table.duel is not None
        best = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(best.stone, best.hollow)
    expect(phone.get_by_text("30. Ben:")).to_be_visible(timeout=15_000)
    assert table.duel is not None

    # Anna takes a stone for a joker and lays it again, at the edge as the four see it.
    hollow = joker_hollows(table.duel.position)[0]
    taken = table.duel.position[hollow]
    assert isinstance(taken, Stone)
    tap_hollow(phone, hollow)
    phone.get_by_role("button", name="Gegen einen Joker nehmen").tap()
    expect(phone.get_by_text(f"Der Joker liegt auf {hollow}")).to_be_visible()
    later = table.duel.after(UseJoker(hollow))
    moves = legal_moves(later.position, [taken])
    move = next(each for each in moves if not each.at_edge)
    before = table.duel.totals
    tap_hollow(phone, move.hollow)
    pick(phone, move.stone)
    expect(phone.locator(".brings")).to_have_text(str(move.points))
    phone.locator("[data-do=edge]").tap()
    expect(phone.locator(".brings")).to_have_text(str(2 * move.points))
    screenshots(phone, "duell-joker-rand")
    phone.locator("[data-do=lay]").tap()
    expect(phone.get_by_text("31. Anna: Joker auf")).to_be_visible()
    table = table_of(server, game)
    assert table.duel is not None
    assert table.turns[30] == f"0: joker {hollow} {move.hollow}={move.stone} edge"
    assert table.duel.totals[0] == before[0] + 2 * move.points

    # Back to before turn 31 and on again.
    phone.get_by_role("button", name="Zurück vor Zug 31").tap()
    expect(phone.get_by_text("31. Anna")).to_have_count(0)
    assert len(table_of(server, game).turns) == 30
    phone.locator(".notice [data-do=undo]").tap()
    expect(phone.get_by_text("31. Anna")).to_be_visible()

    # Ben exchanges two, then both sit out: over, with a winner and a chart.
    phone.get_by_text("Statt anzulegen").tap()
    phone.locator('[data-do=swap][data-value="2"]').tap()
    expect(phone.get_by_text("32. Ben: tauscht 2")).to_be_visible()
    for number, name in ((33, "Anna"), (34, "Ben")):
        phone.get_by_text("Statt anzulegen").tap()
        phone.get_by_role("button", name="Aussetzen").tap()
        expect(phone.get_by_text(f"{number}. {name}: setzt aus")).to_be_visible()
    totals = table_of(server, game).duel.totals  # type: ignore[union-attr]
    winner = "Anna" if totals[0] > totals[1] else "Ben"
    expect(phone.locator(".winner")).to_contain_text(f"{winner} gewinnt")
    screenshots(phone, "duell-sieg")
    phone.locator(".winner a[href*='view=result']").tap()
    expect(phone.locator("[data-testid=stVegaLiteChart]")).to_be_visible()
    phone.wait_for_timeout(800)
    screenshots(phone, "duell-verlauf")
    assert axe_violations(phone) == []
    picture = phone.locator(".winner a[href*='card/']").get_attribute("href")
    card = phone.request.get(f"{server.url}/{picture}")
    assert card.ok
    assert card.body().startswith(b"\x89PNG")
    phone.emulate_media(color_scheme="dark")
    phone.get_by_role("link", name="Zum Spielbrett").tap()
    expect(phone.locator(".winner")).to_contain_text(f"{winner} gewinnt")
    assert axe_violations(phone) == []
    screenshots(phone, "duell-sieg-dunkel")


def test_by_keys_and_in_the_dark(
    server: Server,
    context_of: Callable[..., BrowserContext],
    screenshots: Callable[[Page, str], Path],
) -> None:
    """An English desktop in the dark: the start and a move by keys alone, then moves shown."""
    page = context_of(locale="en-GB", color_scheme="dark").new_page()
    page.goto(f"{server.url}/?new=domino_duell")
    for name in ("Anna", "Ben"):
        field = page.locator('input[data-do="add"]')
        field.fill(name)
        field.press("Enter")
        expect(page.locator(f'input[value="{name}"]')).to_be_visible()
    page.get_by_text("Show what each move would bring").tap()
    game = page.url.partition("game=")[2].partition("&")[0]
    wait_until(page, lambda: table_of(server, game).set_up.helper)
    page.get_by_role("link", name="To the board").last.tap()
    page.locator('[data-hollow="f6"]').focus()
    page.keyboard.press("Enter")
    for stone in START.values():
        page.locator(f'.keys [data-value="{stone}"]').focus()
        page.keyboard.press("Enter")
    expect(page.get_by_text("Anna: tap a hollow.")).to_be_visible()
    page.locator('[data-hollow="f6"]').focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator('[data-hollow="e6"]')).to_be_focused()

    duel = table_of(server, game).duel
    assert duel is not None
    move = legal_moves(duel.position, STONES)[0]
    page.get_by_text("Hands").tap()
    page.get_by_role("button", name="Enter the hand of Anna").tap()
    page.locator(f'.keys [data-value="{move.stone}"]').tap()
    expect(page.get_by_role("heading", name="Anna: 1 of 7")).to_be_visible()
    screenshots(page, "duell-dark-hand")
    page.get_by_role("button", name="Done").tap()
    best = page.locator("[data-do=try]").first
    expect(best).to_contain_text(str(move.points))
    screenshots(page, "duell-dark-moves")
    assert axe_violations(page) == []
    best.tap()
    expect(page.locator(".brings")).to_have_text(str(move.points))
    screenshots(page, "duell-dark-move")
    page.emulate_media(color_scheme="light")
    assert axe_violations(page) == []
    screenshots(page, "duell-light-move")
    page.keyboard.press("Escape")
    expect(page.locator(".keys")).to_have_count(0)


def test_a_photo_offers_the_stone_that_is_new(server: Server, phone: Page, tmp_path: Path) -> None:
    """A drawn board, as no photograph of this game is known; nothing is taken over by itself."""
    game = new_game(phone, server)
    table = table_of(server, game)
    for hollow, stone in START.items():
        table = table.set_start(hollow, Stone.parse(stone))
    assert table.duel is not None
    move = legal_moves(table.duel.position, STONES)[0]
    # The photo shows another stone on g6 than the players say: they are right.
    other = next(each for each in STONES if each not in {move.stone, *table.set_up.start.values()})
    position = table.duel.position.with_piece("g6", other).with_piece(move.hollow, move.stone)
    scene = draw_scene(np.random.default_rng(4_000_004), CALM, position)
    photo = tmp_path / "board.png"
    Image.fromarray(scene.rgb).save(photo)

    phone.goto(f"{server.url}/?game={game}")
    phone.get_by_text("Vom Foto lesen").first.tap()
    phone.get_by_text("Bilder von Verbessertem behalten").tap()
    phone.locator("input[type=file][data-photo]").set_input_files(photo)
    offer = phone.locator(f'[data-do=try][data-value="{move.hollow} {move.stone}"]')
    expect(offer).to_be_visible(timeout=40_000)
    assert not table_of(server, game).turns
    offer.tap()
    phone.locator("[data-do=lay]").tap()
    expect(phone.get_by_text(f"1. Anna: {name_of(move.stone)}")).to_be_visible()
    expect(phone.get_by_text("Das Foto zeigt nichts Neues.")).to_be_visible()
    store = table_of(server, game).store
    wait_until(phone, lambda: START["g6"] in count_squares(store, "domino_duell"))


def test_the_rules_in_short(
    server: Server, phone: Page, screenshots: Callable[[Page, str], Path]
) -> None:
    phone.goto(f"{server.url}/?view=help&kind=domino_duell")
    expect(phone.get_by_role("heading", name="Domino-Duell  ·  Aufbau und Regeln")).to_be_visible()
    phone.get_by_role("heading", name="Tripel und Quadrupel").tap()
    expect(phone.get_by_text("genau einen vierten Stein")).to_be_visible()
    phone.get_by_role("button", name="6", exact=True).tap()
    expect(phone.get_by_text("18 bleiben im Säckchen")).to_be_visible()
    # What was opened stays open when the page is drawn again.
    expect(phone.get_by_text("genau einen vierten Stein")).to_be_visible()
    screenshots(phone, "duell-regeln")
    assert axe_violations(phone) == []
