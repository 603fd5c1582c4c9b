"""One story each in Firefox and in WebKit: half of the phones are iPhones."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

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
from vision.kingdomino.samples import sample_folder, sample_labels

SAMPLE = "complete-5x5.jpg"
_PATIENCE_S = 90.0
_PHOTO = "input[data-photo]"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that needs no Chromium."""
    started = Server(APP, tmp_path_factory.mktemp("companion"))
    started.start()
    yield started
    started.kill()


def wait_for(browser: Driver, expression: str) -> Any:
    """What an expression gives as soon as it is true."""
    until = time.monotonic() + _PATIENCE_S
    while not (found := browser.evaluate(expression)):
        assert time.monotonic() < until, f"{expression}\n{browser.evaluate(SEEN)}"
        time.sleep(0.2)
    return found


FIND = """((selector) => {
  const look = (root) => root.querySelector(selector)
    ?? [...root.querySelectorAll("*")].map((each) => each.shadowRoot && look(each.shadowRoot))
      .find(Boolean) ?? null;
  return look(document);
})"""
SEEN = "document.body.innerText.slice(0, 600)"


def tap(browser: Driver, selector: str) -> None:
    wait_for(browser, f"{FIND}({selector!r}) !== null")
    middle = (
        f"(() => {{ const found = {FIND}({selector!r});"
        " found.scrollIntoView({ block: 'center' });"
        " const box = found.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    browser.touch(*browser.evaluate(middle))


def tell_story(browser: Driver, server: Server) -> None:
    """A photo of a kingdom, a square set otherwise, its points, and a reload."""
    kingdom = sample_labels()[SAMPLE]
    assert kingdom is not None
    browser.open(server.url)
    wait_for(browser, f"document.querySelector({_PHOTO!r}) !== null")
    browser.choose(_PHOTO, sample_folder() / SAMPLE)
    points = f"{FIND}('.board .number')?.textContent"
    wait_for(browser, f"{points} === '{score(kingdom).points}'")
    wait_for(browser, "document.querySelector('.waiting-layer') === null")
    tap(browser, '[data-place="0,0"] path.square')
    tap(browser, '[data-do="set"][data-value="f2"]')
    # The box knows no such square and may doubt others now, so that the points are not foretold.
    label = f"{FIND}('[data-place=\"0,0\"]')?.ariaLabel"
    wait_for(browser, f"/2 (crowns|Kronen)/.test({label})")
    strip = "document.querySelector('.seat .points')?.firstChild.textContent"
    wait_for(browser, f"{strip} !== '{score(kingdom).points}' && {strip} === {points}")
    browser.open(browser.evaluate("location.href"))
    wait_for(browser, f"/2 (crowns|Kronen)/.test({label})")


@pytest.mark.skipif(bool(missing_for_firefox()), reason=missing_for_firefox() or "Firefox")
def test_firefox(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        tell_story(browser, server)


@pytest.mark.skipif(bool(missing_for_webkit()), reason=missing_for_webkit() or "WebKit")
def test_webkit(server: Server, tmp_path_factory: pytest.TempPathFactory) -> None:
    with webkit(tmp_path_factory.mktemp("webkit")) as browser:
        tell_story(browser, server)
