"""The live view of the rear camera, over HTTPS with the companion's own certificate."""

from __future__ import annotations

import re
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from scorer.kingdomino import score
from tests.browser.companion_app import APP, Visitor
from tests.browser.tools import (
    CHROMIUM_FLAGS,
    REPOSITORY,
    Server,
    axe_violations,
    chromium_path,
    free_port,
    slow_down,
)
from vision.kingdomino.refit import sample_folder, sample_labels

SAMPLE = "complete-5x5.jpg"
FRAME = [[0.22, 0.11], [0.8, 0.14], [0.79, 0.9], [0.19, 0.88]]
WATCH = """
() => {
  outlined = taken = false;
  new MutationObserver(() => {
    outlined ||= Boolean(document.querySelector("dialog.camera polygon"));
    taken ||= outlined && !document.querySelector("dialog.camera");
  }).observe(document.body, { childList: true, subtree: true });
}
"""
_FIELD = "label.button:has(input[data-photo])"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium whose camera sees a drawn kingdom on a table."""
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium on the path; CHROMIUM names one")
    film = tmp_path_factory.mktemp("camera") / "kingdom.mjpeg"
    film.write_bytes(film_of(sample_folder() / SAMPLE))
    flags = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=[*CHROMIUM_FLAGS, *flags])
        yield chromium
        chromium.close()


def film_of(path: Path) -> bytes:
    """A film in which nothing moves: the picture some times, one after the other."""
    picture = Image.open(path).convert("RGB").resize((1280, 960), Image.Resampling.LANCZOS)
    file = BytesIO()
    picture.save(file, "JPEG", quality=92, subsampling="4:2:0")
    return file.getvalue() * 4


def points_of_sample() -> str:
    kingdom = sample_labels()[SAMPLE]
    assert kingdom is not None
    return str(score(kingdom).points)


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[str]:
    """The address of `companion app --https`."""
    port = free_port()
    command = [sys.executable, "-m", "companion.cli.companion_command", "app", "--https"]
    command += ["--no-browser", "--port", str(port)]
    environment = Server(APP, tmp_path).surroundings
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=log, stderr=log)
    address = f"https://127.0.0.1:{port}"
    try:
        wait_for(address, tmp_path / "server.log")
        yield address
    finally:
        server.kill()
        server.wait()


def wait_for(address: str, log: Path, within_s: float = 60) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    until = time.monotonic() + within_s
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", context=trusting, timeout=3):
                return
        except OSError:
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.2)


def test_the_photo_is_taken_when_it_is_still_and_sharp(
    context_of: Callable[..., BrowserContext],
    secure: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    said = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert re.search(r"https://\S+:\d+/", said)
    assert re.search(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", said)
    page = context_of(ignore_https_errors=True, permissions=["camera"]).new_page()
    slow_down(page, 4)
    visitor = Visitor(page, secure)
    visitor.open()
    expect(page.locator(_FIELD)).to_be_visible()
    page.evaluate(WATCH)
    started = time.monotonic()
    visitor.tap(page.locator(_FIELD))
    page.wait_for_function("() => taken")
    seconds = round(time.monotonic() - started, 1)
    expect(visitor.board_points()).to_have_text(points_of_sample())
    expect(page.locator(".waiting-layer")).to_have_count(0)
    figures = {"taps": visitor.taps, "seconds_of_aiming": seconds}
    record_property("live_camera", figures)
    print(figures)
    assert page.evaluate("outlined")
    assert visitor.taps == 1
    assert visitor.errors == []


def test_the_shutter_and_the_way_back(
    context_of: Callable[..., BrowserContext],
    server: Server,
    screenshots: Callable[[Page, str], Path],
) -> None:
    page = context_of(permissions=["camera"]).new_page()
    # What is found never stays where it is, so nothing is taken by itself.
    frames = cycle([[FRAME], [[[x + 0.1, y] for x, y in FRAME]]])
    open_square = [[0.3, 0.3], [0.4, 0.3], [0.4, 0.4], [0.3, 0.4]]

    def seen(route: Route) -> None:
        found = [{"outline": each, "open": [open_square], "points": 43} for each in next(frames)]
        route.fulfill(json={"found": found})

    page.route("**/aim/*", seen)
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.tap(page.locator(_FIELD))
    camera = page.get_by_role("dialog", name="Kamera")
    expect(camera).to_have_attribute("data-live", "")
    expect(camera.get_by_role("status")).to_have_text("Ruhig halten …")
    expect(camera.locator("polygon:not(.open)")).to_have_count(1)
    expect(camera.locator("polygon.open")).to_have_count(1)
    expect(camera.locator(".points")).to_have_text("43 ?")
    assert axe_violations(page) == []
    camera.get_by_role("button", name="Kamera schließen").tap()
    expect(camera).to_have_count(0)
    visitor.tap(page.locator(_FIELD))
    expect(camera).to_have_attribute("data-live", "")
    with page.expect_file_chooser():
        camera.get_by_role("button", name="Foto auswählen").tap()
    expect(camera).to_have_count(0)
    visitor.tap(page.locator(_FIELD))
    expect(camera).to_have_attribute("data-live", "")
    page.wait_for_timeout(400)
    screenshots(page, "camera-manual")
    camera.get_by_role("button", name="Foto aufnehmen").tap()
    expect(visitor.board_points()).to_have_text(points_of_sample())
    # What lies under the finger after a tap on the board is not tapped as well.
    expect(page.locator(".waiting-layer")).to_have_count(0)
    page.get_by_role("button", name="Mehr").tap()
    page.get_by_role("button", name="Ecken setzen").tap()
    expect(page.locator('[data-corner="0"]')).to_be_visible()
    page.wait_for_timeout(300)
    expect(camera).to_have_count(0)
    assert visitor.errors == []


def test_who_refuses_the_camera_chooses_a_photo(
    context_of: Callable[..., BrowserContext],
    server: Server,
    screenshots: Callable[[Page, str], Path],
) -> None:
    page = context_of(permissions=[]).new_page()
    visitor = Visitor(page, server.url)
    visitor.open()
    visitor.tap(page.locator(_FIELD))
    camera = page.get_by_role("dialog", name="Kamera")
    expect(camera.get_by_role("status")).to_contain_text("Erlaube sie im Browser")
    screenshots(page, "camera-refused")
    with page.expect_file_chooser():
        camera.get_by_role("button", name="Foto auswählen").tap()
    with page.expect_file_chooser():
        visitor.tap(page.locator(_FIELD))
    expect(camera).to_have_count(0)


def test_a_mouse_gets_the_file_chooser(
    context_of: Callable[..., BrowserContext], server: Server
) -> None:
    page = context_of(touch=False, permissions=["camera"]).new_page()
    visitor = Visitor(page, server.url)
    visitor.open()
    with page.expect_file_chooser():
        visitor.tap(page.locator(_FIELD))
    expect(page.locator("dialog.camera")).to_have_count(0)
