"""Three stories of each game in Firefox and in WebKit: half of the phones are iPhones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from companion.games.domino_duell.table import DuelTable, new_duel
from companion.games.pip_dominoes.table import new_table
from companion.store import Actor, Store, open_store
from scorer.domino_duell import STONES, Board, Stone, joker_hollows, legal_moves
from scorer.kingdomino import score
from tests.browser.companion_app import APP
from tests.browser.other_browsers import (
    Driver,
    firefox,
    missing_for_firefox,
    missing_for_webkit,
    webkit,
)
from tests.browser.tools import Server
from vision.kingdomino.refit import sample_folder, sample_labels

SAMPLE = "complete-5x5.jpg"
ENTER, UP = "\ue007", "\ue013"
START = {"f6": "rtl", "f7": "ycl", "g5": "gml", "g6": "bsw"}
ANNA = Actor("phone-of-anna", "Anna")
_PATIENCE_S = 45.0
_PHOTO = "input[data-photo]"
_Opened = Callable[[Path], AbstractContextManager[Driver]]
_BROWSERS: dict[str, tuple[_Opened, Callable[[], str]]] = {
    "firefox": (firefox, missing_for_firefox),
    "webkit": (webkit, missing_for_webkit),
}

FIND = """((selector) => {
  const look = (root) => root.querySelector(selector)
    ?? [...root.querySelectorAll("*")].map((each) => each.shadowRoot && look(each.shadowRoot))
      .find(Boolean) ?? null;
  return look(document);
})"""


@pytest.fixture(scope="module", params=_BROWSERS)
def driver(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A browser at phone size for the stories of this file, skipped where there is none."""
    opened, missing = _BROWSERS[request.param]
    if reason := missing():
        pytest.skip(reason)
    with opened(tmp_path_factory.mktemp(request.param)) as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(APP, tmp_path_factory.mktemp("companion"))
    started.start()
    yield started
    started.kill()


class Phone:
    """What somebody does and sees in one of the browsers."""

    def __init__(self, driver: Driver, server: Server) -> None:
        self.driver, self.server = driver, server

    @property
    def store(self) -> Store:
        path = self.server.data / "companion.sqlite"
        return open_store(f"sqlite:///{path.as_posix()}")

    def open(self, address: str = "") -> None:
        self.driver.open(f"{self.server.url}/{address}")

    def reload(self) -> None:
        self.driver.open(self.driver.evaluate("location.href"))

    def until(self, expression: str) -> Any:
        """What an expression gives as soon as it is true."""
        until = time.monotonic() + _PATIENCE_S
        while not (found := self.driver.evaluate(expression)):
            seen = "document.body.innerText.slice(0, 600)"
            assert time.monotonic() < until, f"{expression}\n{self.driver.evaluate(seen)}"
            time.sleep(0.1)
        return found

    def sees(self, selector: str, text: str | int | None = None) -> None:
        """Something is there, with this text where one is given."""
        found = f"{FIND}({selector!r})"
        said = "" if text is None else f"?.textContent.trim() === {str(text)!r}"
        self.until(f"{found}{said or ' !== null'}")

    def text(self, selector: str) -> str:
        self.sees(selector)
        return str(self.driver.evaluate(f"{FIND}({selector!r}).textContent.trim()"))

    def middle(self, selector: str) -> tuple[float, float]:
        """Where something is on the screen, once it is scrolled into sight."""
        self.sees(selector)
        x, y = self.driver.evaluate(
            f"(() => {{ const found = {FIND}({selector!r});"
            " found.scrollIntoView({ block: 'center' });"
            " const box = found.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        return x, y

    def tap(self, selector: str) -> None:
        self.driver.touch(*self.middle(selector))

    def press(self, what: str, value: str | int | None = None) -> None:
        """Tap the button that does something."""
        chosen = "" if value is None else f'[data-value="{value}"]'
        self.tap(f'[data-do="{what}"]{chosen}:not([disabled])')

    def stored(self, table: DuelTable, holds: Callable[[Board], bool]) -> Board:
        """What lies on the board of a game, on the server, as soon as something holds of it."""
        until = time.monotonic() + _PATIENCE_S
        while True:
            now = DuelTable(self.store, ANNA, self.store.game(table.game.id)).duel
            if now is not None and holds(now.position):
                return now.position
            assert time.monotonic() < until, now
            time.sleep(0.1)

    def focus(self, selector: str) -> None:
        self.sees(selector)
        self.driver.evaluate(f"{FIND}({selector!r}).focus() ?? true")


@pytest.fixture
def phone(driver: Driver, server: Server) -> Phone:
    return Phone(driver, server)


SQUARE = '[data-place="{},{}"] path.square'


def test_a_photo_is_read_and_a_square_set_otherwise(phone: Phone) -> None:
    kingdom = sample_labels()[SAMPLE]
    assert kingdom is not None
    phone.open()
    phone.until(f"document.querySelector({_PHOTO!r}) !== null")
    phone.driver.choose(_PHOTO, sample_folder() / SAMPLE)
    phone.sees(".board .number", score(kingdom).points)
    phone.until("document.querySelector('.waiting-layer') === null")
    phone.tap(SQUARE.format(0, 0))
    phone.press("set", "f2")
    # The box knows no such square and may doubt others now, so that the points are not foretold.
    label = f"{FIND}('[data-place=\"0,0\"]')?.ariaLabel"
    phone.until(f"/2 (crowns|Kronen)/.test({label})")
    shown = "document.querySelector('.seat .points')?.firstChild.textContent"
    points = f"{FIND}('.board .number')?.textContent"
    phone.until(f"{shown} !== '{score(kingdom).points}' && {shown} === {points}")
    phone.reload()
    phone.until(f"/2 (crowns|Kronen)/.test({label})")


def test_a_kingdom_is_painted_by_strokes(phone: Phone) -> None:
    phone.open("?new=kingdomino")
    phone.sees(".board[data-mode=paint]")
    phone.press("brush", "w1")
    phone.driver.stroke(*(phone.middle(SQUARE.format(0, column)) for column in range(4)))
    phone.sees(".board .number", 16)
    phone.press("brush", "f2")
    phone.tap(SQUARE.format(4, 0))
    phone.sees(".board .number", 18)
    phone.press("undo")
    phone.sees(".board .number", 16)
    phone.press("undo")
    phone.sees(".board .number", 0)
    phone.press("redo")
    phone.press("close")
    phone.sees(".board .number", 16)
    phone.until("document.querySelector('.seat .points')?.firstChild.textContent === '16'")
    phone.reload()
    phone.sees(".board .number", 16)


def test_a_kingdom_on_its_photo_is_turned_and_turned_back(phone: Phone) -> None:
    kingdom = sample_labels()[SAMPLE]
    assert kingdom is not None
    phone.open()
    phone.until(f"document.querySelector({_PHOTO!r}) !== null")
    phone.driver.choose(_PHOTO, sample_folder() / SAMPLE)
    phone.sees(".board .number", score(kingdom).points)
    phone.until("document.querySelector('.waiting-layer') === null")
    shown = (
        f"[...{FIND}('.squares').children].map((each) => [each.dataset.place, "
        "each.ariaLabel.split(': ').slice(1).join(': ').split(',')[0]])"
    )
    before = dict(phone.driver.evaluate(shown))
    lies = f"{FIND}('[data-place=\"0,0\"] path.square').getAttribute('d')"
    where = phone.driver.evaluate(lies)
    phone.press("size")
    phone.press("turn")
    side = kingdom.height
    phone.until(f"{FIND}('[data-do=undo]').disabled === false")
    after = dict(phone.driver.evaluate(shown))
    for row in range(side):
        for column in range(side):
            assert after[f"{column},{side - 1 - row}"] == before[f"{row},{column}"]
    phone.press("undo")
    phone.press("close")
    phone.until(f"{lies} === {where!r}")
    assert dict(phone.driver.evaluate(shown)) == before
    phone.sees(".board .number", score(kingdom).points)


def domino_page(phone: Phone, kind: str, names: list[str], rules: Any, view: str = "") -> None:
    table = new_table(phone.store, kind, names, rules, ANNA)
    phone.open(f"?game={table.game_id}{view}")


def test_tiles_that_are_left_are_tapped(phone: Phone) -> None:
    domino_page(phone, "mexican_train", ["Anna", "Ben"], {}, "&view=hand&round=1&seat=1")
    phone.press("number", 0)
    phone.press("toggle", "0|9")
    phone.press("number", 7)
    phone.press("toggle", "3|7")
    phone.press("toggle", "7|7")
    phone.sees(".hand-sum strong", 9 + 10 + 14)
    phone.tap('.dominoes:not(.pad-of-set) [data-value="1"]')
    phone.press("high", 8)
    phone.press("close")
    phone.sees(".hand-sum strong", 9 + 11 + 14)
    phone.press("undo")
    phone.sees(".hand-sum strong", 9 + 10 + 14)
    phone.sees(".piece[data-sync=calm]")
    phone.reload()
    phone.sees(".hand-sum strong", 9 + 10 + 14)


def test_pips_are_counted_aloud(phone: Phone) -> None:
    domino_page(phone, "castle_rock", ["Anna"], {"set": 6}, "&view=hand&round=1&seat=1")
    phone.press("view", "number")
    for digit in (1, 9):
        phone.press("digit", digit)
    phone.press("erase")
    phone.press("digit", 7)
    phone.sees(".typed", 17)
    phone.press("count", "plain")
    phone.sees(".hand-sum strong", 17)
    phone.sees(".piece[data-sync=calm]")
    phone.reload()
    phone.sees(".hand-sum strong", 17)


def test_points_of_muggins_are_tapped_as_fast_as_they_come(phone: Phone) -> None:
    domino_page(phone, "muggins", ["Anna", "Ben"], {"target": 100, "first": 0})
    for _ in range(3):
        phone.press("points", 10)
    phone.press("missed")
    phone.press("help")
    for value in (6, 4, 10):
        phone.press("end", value)
    phone.sees(".ends-sum", "6 + 4 + 10 = 20")
    phone.tap('.ends [data-do=points][data-value="20"]')
    phone.until("document.querySelectorAll('ul.plays li').length === 4")
    totals = "[...document.querySelectorAll('.seat.side .points')].map((each) => each.innerText)"
    phone.until(f"String({totals}) === '30,20'")


def duel(phone: Phone, turns: int = 0, *, jokers: bool = False) -> DuelTable:
    """A game of Anna and Ben after so many moves, opened."""
    table = new_duel(phone.store, ["Anna", "Ben"], ANNA)
    if jokers:
        table = table.set_rules(replace(table.set_up, jokers=True))
    for hollow, stone in START.items() if turns else ():
        table = table.set_start(hollow, Stone.parse(stone))
    for _ in range(turns):
        assert table.duel is not None
        best = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(best.stone, best.hollow)
    phone.open(f"?game={table.game.id}")
    phone.sees(".duel-board")
    return table


def hollow(name: str) -> str:
    return f'[data-hollow="{name}"]'


def test_the_start_is_laid_and_a_move(phone: Phone) -> None:
    table = duel(phone)
    phone.tap(hollow("f6") + " .hole")
    for stone in START.values():
        phone.tap(f'.keys [data-value="{stone}"]')
    phone.until("document.querySelector('.hint') !== null")
    position = phone.stored(table, lambda now: str(now["g6"]) == START["g6"])
    move = legal_moves(position, STONES)[0]
    phone.press("whole")
    phone.tap(hollow(move.hollow) + " .hole")
    phone.tap(f'.keys [data-value="{move.stone}"]')
    phone.sees(".brings", move.points)
    phone.press("lay")
    phone.sees(f"{hollow(move.hollow)}.last")
    phone.reload()
    phone.sees(f"{hollow(move.hollow)}.last")


def test_hollows_are_reached_by_keys(phone: Phone) -> None:
    table = duel(phone, turns=1)
    assert table.duel is not None
    move = legal_moves(table.duel.position, STONES)[0]
    phone.focus(hollow("f6"))
    phone.driver.type(UP)
    phone.until("document.activeElement?.dataset.hollow === 'e6'")
    phone.driver.type(ENTER)
    phone.sees(f"{hollow('e6')}.chosen")
    phone.press("close")
    phone.focus(hollow(move.hollow))
    phone.driver.type(ENTER)
    phone.sees(f"{hollow(move.hollow)}.chosen")
    phone.tap(f'.keys [data-value="{move.stone}"]')
    phone.sees(".brings", move.points)
    phone.press("lay")
    phone.sees(f"{hollow(move.hollow)}.last")


def test_a_stone_is_taken_for_a_joker_and_given_back(phone: Phone) -> None:
    table = duel(phone, turns=30, jokers=True)
    assert table.duel is not None
    taken = joker_hollows(table.duel.position)[0]
    stone = str(table.duel.position[taken])
    if phone.driver.evaluate(f"{FIND}('[data-do=whole]').ariaPressed") == "false":
        phone.press("whole")
    phone.tap(hollow(taken) + " .hole")
    phone.press("take")
    phone.press("no-joker")
    phone.tap(hollow(taken) + " .hole")
    phone.press("take")
    phone.press("lay-nothing")
    after = phone.stored(table, lambda now: str(now[taken]) != stone)
    assert str(after[taken]) == "*"
