"""What becomes of photos: how soon they are scored, and that they are kept only if wanted."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed")

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect

from scorer.kingdomino import Kingdom, score
from tests.browser.companion_app import APP, Visitor, wait_for_points
from tests.browser.tables import FOUR, photo_of
from tests.browser.tools import Server, is_busy
from vision.kingdomino.reader import default_reader

CAMERA = "Kamera von Oma Gerda"
TAKEN_PX = (4032, 3024)
SHRUNK_PX = (2600, 1950)
SOON_S = 1.5


def points_of(colour: str) -> str:
    return str(score(Kingdom.parse(FOUR[colour])).points)


def as_a_phone_takes_it(colour: str, path: Path) -> Path:
    """A photo of 12 megapixels with the noise and the notes of a camera."""
    with Image.open(photo_of(FOUR[colour], colour, path)) as drawn:
        picture = np.asarray(drawn.resize(TAKEN_PX, Image.Resampling.BICUBIC), np.int16)
    noise = np.random.default_rng(5).normal(0, 4, picture.shape[:2])[..., None]
    exif = Image.Exif()
    exif[0x010F] = CAMERA
    taken = Image.fromarray(np.clip(picture + noise, 0, 255).astype(np.uint8))
    taken.save(path, "JPEG", quality=90, exif=exif)
    return path


def seconds_of_reading(path: Path) -> float:
    """How long the reader alone takes for what the page sends of a photo."""
    file = BytesIO()
    with Image.open(path) as photo:
        photo.resize(SHRUNK_PX, Image.Resampling.BICUBIC).save(file, "JPEG", quality=92)
    times = []
    for _ in range(3):
        started = time.perf_counter()
        default_reader().read(file.getvalue())
        times.append(time.perf_counter() - started)
    return min(times)


def test_a_photo_is_scored_soon(
    server: Server,
    phone: Page,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(photo_of(FOUR["pink"], "pink", tmp_path / "first.jpg"))
    wait_for_points(visitor, "Rosa", points_of("pink"))
    waits = []
    for colour, name in (("green", "Grün"), ("yellow", "Gelb"), ("blue", "Blau")):
        photo = as_a_phone_takes_it(colour, tmp_path / f"{colour}.jpg")
        taken = visitor.seconds
        visitor.photograph(photo, "Nächstes")
        wait_for_points(visitor, name, points_of(colour))
        waits.append(visitor.seconds - taken)
    reading = seconds_of_reading(photo)
    figures = {
        "seconds": round(min(waits), 2),
        "of_it_reading": round(reading, 2),
        "beside_it": round(min(waits) - reading, 2),
        "megabytes_of_the_photo": round(photo.stat().st_size / 1e6, 1),
    }
    record_property("photo_to_points", figures)
    print("a photo of 12 megapixels to its points:", figures)
    assert min(waits) - reading < SOON_S or is_busy()
    assert visitor.errors == []


def kept_photos(server: Server) -> list[bytes]:
    with closing(sqlite3.connect(server.data / "companion.sqlite")) as database:
        return [row[0] for row in database.execute("SELECT jpeg FROM photos")]


def test_photos_are_kept_only_for_who_wants_it_and_without_notes(
    serve: Callable[..., Server], phone: Page, tmp_path: Path
) -> None:
    server = serve(APP)
    photo = as_a_phone_takes_it("pink", tmp_path / "pink.jpg")
    assert CAMERA.encode() in photo.read_bytes()
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(photo)
    wait_for_points(visitor, "Rosa", points_of("pink"))
    expect(phone.locator(".board image").first).to_be_attached()
    assert kept_photos(server) == []
    server.kill()
    server.start()
    # The kingdom stays; the photo was in memory alone.
    phone.reload()
    wait_for_points(visitor, "Rosa", points_of("pink"))
    expect(phone.locator(".board")).to_be_visible()
    address = phone.url
    visitor.open(f"?{address.partition('?')[2].partition('&')[0]}&view=players")
    phone.evaluate("() => { navigator.share = async ({url}) => { globalThis.shared = url; }; }")
    link = phone.locator("[data-do=share-link]")
    link.tap()
    expect(link).to_have_attribute("data-done", "")
    assert phone.evaluate("() => shared").startswith(f"{visitor.url}/?game=")
    phone.locator("input[data-do=photos]").tap()
    expect(phone.locator("input[data-do=photos]")).to_be_checked()
    phone.goto(address)
    visitor.photograph(photo, "Foto ersetzen")
    visitor.sees("neues Königreich")
    expect(phone.locator(".board image").first).to_be_attached()
    (kept,) = kept_photos(server)
    assert CAMERA.encode() not in kept
    server.kill()
    server.start()
    phone.reload()
    expect(phone.locator(".board image").first).to_be_attached()
    shown = phone.locator(".board image").first.get_attribute("href") or ""
    answer = phone.request.get(f"{server.url}/{shown.removeprefix('/')}")
    assert answer.status == 200
    with Image.open(BytesIO(answer.body())) as picture:
        assert len(picture.getexif()) == 0
    assert visitor.errors == []


def test_a_photo_that_the_server_does_not_take_is_told_so(
    server: Server, phone: Page, tmp_path: Path
) -> None:
    """Nor can the browser show this one."""
    no_photo = tmp_path / "shopping.jpg"
    no_photo.write_text("milk, bread, a board game")
    phone.route("**/photo", lambda route: route.fulfill(status=413))
    visitor = Visitor(phone, server.url)
    visitor.open()
    visitor.photograph(no_photo)
    told = phone.locator(".waiting-layer [role=alert]")
    expect(told).to_be_visible()
    expect(phone.locator(".waiting-layer img")).to_have_count(0)
    expect(told).to_have_count(0)
    visitor.sees("Noch keine Partien")
