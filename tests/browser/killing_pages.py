"""A server that is killed while somebody paints a kingdom on its pages."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from random import Random

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from scorer.kingdomino import Kingdom, Square, score
from tests.browser.boards import pick, square
from tests.browser.companion_app import Visitor
from tests.browser.tools import Server

_MOST_TAPS = 5
_LATEST_S = 2.5
_TRIES = 10
_PATIENCE_MS = 90_000
_LOOK_MS = 3000
_SNAKE = [(row, column if row % 2 == 0 else 4 - column) for row in range(5) for column in range(5)]


_WATCH = """
() => {
  saidError = false;
  const look = () => {
    saidError ||= Boolean(document.querySelector("[data-testid=stException]"));
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}
"""

Step = tuple[tuple[int, int], str]


@dataclass(frozen=True)
class KilledPage:
    """One kill: how many ``taps`` there were since the last, and how many the page had confirmed.

    ``lost`` are confirmed ones that the database lacked right after the kill, ``missing`` those
    that were not there in the end, after the server had come back and nobody had done anything.
    """

    taps: int
    confirmed: int
    lost: int
    missing: int


def kill_while_painting(
    visitor: Visitor, server: Server, kills: int, rng: Random
) -> Iterator[KilledPage]:
    """Paint squares of the board that is open, and kill the server at a random moment, each time.

    No two states between two kills have the same points, so that the points in the strip of seats,
    which the server draws once a change is in the database, tell which changes are confirmed.
    """
    visitor.page.evaluate(_WATCH)
    steps = _Steps()
    done = _stored(server)
    for _ in range(kills):
        taps, states = steps.some(done, rng.randint(1, _MOST_TAPS))
        killer = threading.Timer(rng.uniform(0, _LATEST_S), server.kill)
        killer.start()
        for (place, value), state in zip(taps, states[1:], strict=True):
            _paint(visitor.page, place, value, score(state).points)
        killer.join()
        confirmed = _index_of(states, int(_points(visitor).inner_text().strip() or 0))
        stored = _stored(server)
        there = states.index(stored) if stored in states else 0
        server.start()
        done = states[-1]
        expect(_points(visitor)).to_have_text(str(score(done).points), timeout=_PATIENCE_MS)
        missing = 0 if _stored(server) == done else len(taps)
        assert not visitor.page.evaluate("saidError"), "an error was shown"
        yield KilledPage(len(taps), confirmed, max(0, confirmed - there), missing)


def _paint(page: Page, place: tuple[int, int], value: str, points: int) -> None:
    """Paint a square and see its points on the board, as somebody would who looks at it.

    A page that has just found its server again may have put the brush away.
    """
    shown = page.locator(".board .number")
    for _ in range(_TRIES):
        try:
            brush = pick(page, "brush", value)
            if not brush.is_visible():
                page.get_by_role("button", name="Malen").tap(timeout=_LOOK_MS)
            if brush.get_attribute("aria-pressed", timeout=_LOOK_MS) != "true":
                brush.tap(timeout=_LOOK_MS)
            square(page, place).locator("path.square").tap(force=True, timeout=_LOOK_MS)
            expect(shown).to_have_text(str(points), timeout=_LOOK_MS)
        except (AssertionError, PlaywrightTimeout):
            continue
        return
    raise AssertionError(f"{place} {value}: not painted")


def _points(visitor: Visitor) -> Locator:
    return visitor.page.locator(".seat .points").first


class _Steps:
    """Squares in a snake, with a crown and then without, for ever."""

    def __init__(self) -> None:
        self._all = cycle([(place, value) for value in ("w1", "w") for place in _SNAKE])
        self._next = next(self._all)

    def some(self, done: Kingdom, most: int) -> tuple[list[Step], list[Kingdom]]:
        """At least one step and the states before, between and after, all of other points."""
        taps: list[Step] = []
        states = [done]
        while len(taps) < most:
            place, value = self._next
            state = states[-1].replace({place: Square.parse(value)})
            if score(state).points in {score(each).points for each in states}:
                break
            taps.append(self._next)
            states.append(state)
            self._next = next(self._all)
        assert taps
        return taps, states


def _index_of(states: list[Kingdom], points: int) -> int:
    """The state that has so many points; the first where none has."""
    found = [number for number, state in enumerate(states) if score(state).points == points]
    return found[0] if found else 0


def _stored(server: Server) -> Kingdom:
    """The kingdom as the database has it now."""
    path = server.data / "companion.sqlite"
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT value FROM parts WHERE key = 'board:1:0'").fetchall()
    return Kingdom.parse(json.loads(rows[0][0])["kingdom"])
