"""Fixtures of the browser tests: a real Chromium, servers of their own, phones and desktops.

Run them apart with ``pytest -m browser``. They are skipped, with the reason, where Playwright or
a Chromium is missing; the environment variable ``CHROMIUM`` names one that isn't on the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from tests.browser.tools import Server

HERE = Path(__file__).parent
PATIENCE_MS = 45_000
NO_CHROMIUM = "no Chromium on the path; CHROMIUM names one"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # Browser, server and phone share whatever the machine has left: a story that failed is
            # told again, and the run names it.
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once for the stories of a file.

    No longer than that: while it is open an event loop runs in this thread, and tests of other
    files run loops of their own.
    """
    pytest.importorskip("playwright", reason="Playwright is not installed")
    from playwright.sync_api import expect, sync_playwright

    from tests.browser.tools import CHROMIUM_FLAGS, chromium_path

    path = chromium_path()
    if path is None:
        pytest.skip(NO_CHROMIUM)
    # A busy machine is slow, not wrong; the tests that measure say so themselves.
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server of the companion for all stories that don't kill it; all come as others."""
    pytest.importorskip("playwright", reason="Playwright is not installed")
    from tests.browser.companion_app import APP
    from tests.browser.tools import Server, chromium_path

    if chromium_path() is None:
        pytest.skip(NO_CHROMIUM)
    started = Server(APP, tmp_path_factory.mktemp("companion"))
    started.start()
    yield started
    started.kill()


@pytest.fixture
def context_of(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Opens phones (``touch=True``, 390×844) and desktops; all are closed after the test.

    Further options go to ``Browser.new_context``: ``locale="en-GB"``, ``color_scheme="dark"``,
    ``reduced_motion="reduce"`` …
    """
    from tests.browser.functions_run import FunctionsRun
    from tests.browser.tools import open_desktop, open_phone

    opened: list[tuple[BrowserContext, FunctionsRun]] = []

    def open_context(touch: bool = True, **options: Any) -> BrowserContext:
        context = (open_phone if touch else open_desktop)(browser, **options)
        context.set_default_timeout(PATIENCE_MS)
        opened.append((context, FunctionsRun(context)))
        return context

    yield open_context
    for context, functions in opened:
        functions.keep()
        context.close()


@pytest.fixture
def phone(context_of: Callable[..., BrowserContext]) -> Page:
    """A page on a phone of 390×844 with touch, in German."""
    return context_of().new_page()


@pytest.fixture
def desktop(context_of: Callable[..., BrowserContext]) -> Page:
    """A page of 1280×900 with a mouse, in German."""
    return context_of(touch=False).new_page()


@pytest.fixture
def serve(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Server]]:
    """Starts the Streamlit server of a script on a free port with an empty data folder.

    ``serve(script)`` or ``serve(script, NAME="value")`` for environment variables. It is asked
    for after the browser, so that no server starts where there is none.
    """
    from tests.browser.tools import Server

    started: list[Server] = []

    def start(script: Path, **environment: str) -> Server:
        server = Server(script, tmp_path_factory.mktemp("server"), environment)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture
def screenshots(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Page, str], Path]:
    """``screenshots(page, name)`` keeps a PNG in ``BROWSER_SCREENSHOTS`` or the test's folder."""
    from tests.browser.tools import save_screenshot

    return lambda page, name: save_screenshot(page, name, tmp_path)
