from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageDraw

from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import new_table
from companion.store import Actor, new_id
from companion.web import routes
from companion.web.request import DEVICE_COOKIE
from companion.web.shared_state import shared_state
from scorer.kingdomino import Rules, score
from tests.companion.web.asgi import ask
from vision import read_kingdoms
from vision.kingdomino.refit import sample_folder, sample_labels

DEVICE = new_id()
OWN = {"cookie": f"{DEVICE_COOKIE}={DEVICE}"}


class Page:
    """Somebody with a page open."""

    device = DEVICE


@pytest.fixture(autouse=True)
def at_home(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", empty_url)
    shared = shared_state()
    page = Page()
    shared.add_page(page)
    yield
    del page
    shared.store.close()


def frame(name: str) -> bytes:
    picture = Image.open(sample_folder() / name).convert("RGB")
    picture.thumbnail((512, 512))
    file = BytesIO()
    picture.save(file, "JPEG", quality=70)
    return file.getvalue()


def test_the_kingdom_is_found_where_it_lies() -> None:
    answer = ask("/aim/kingdomino", "POST", body=frame("complete-5x5.jpg"), headers=OWN)
    (found,) = json.loads(answer.body)["found"]
    outline = found["outline"]
    # The corners of the drawing, as shares of its sides.
    expected = np.array([(362, 133), (1274, 165), (1255, 1082), (312, 1049)]) / (1600, 1200)
    turned = [np.roll(outline, turns, axis=0) for turns in range(4)]
    assert min(np.abs(each - expected).max() for each in turned) < 0.02


def test_points_are_counted_by_the_rules_of_a_game_that_this_device_may_see() -> None:
    shared = shared_state()
    rules = KeptRules(Rules(harmony=True))
    own = new_table(shared.store, Actor(DEVICE), rules).game.id
    strangers = new_table(shared.store, Actor(new_id()), rules).game.id

    def points(query: str) -> object:
        body = frame("complete-5x5.jpg")
        answer = ask("/aim/kingdomino", "POST", query=query, body=body, headers=OWN)
        (found,) = json.loads(answer.body)["found"]
        return found["points"]

    kingdom = sample_labels()["complete-5x5.jpg"]
    assert kingdom is not None
    usual = score(kingdom).points
    assert points(f"game={own}") == usual + 5
    assert points("") == points(f"game={strangers}") == points("game=x") == usual


def test_what_is_in_doubt_is_open_where_it_lies() -> None:
    with Image.open(sample_folder() / "complete-5x5.jpg") as sample:
        picture = sample.convert("RGB")
    (whole,) = read_kingdoms(np.asarray(picture)).kingdoms
    x, y = whole.square_corners((1, 1)).mean(0)
    ImageDraw.Draw(picture).ellipse([x - 80, y - 80, x + 80, y + 80], fill=(214, 160, 130))
    picture.thumbnail((640, 640))
    file = BytesIO()
    picture.save(file, "JPEG", quality=70)
    answer = ask("/aim/kingdomino", "POST", body=file.getvalue(), headers=OWN)
    (found,) = json.loads(answer.body)["found"]
    middles = np.array(found["open"]).mean(1) * (1600, 1200)
    assert np.linalg.norm(middles - (x, y), axis=1).min() < 20
    assert len(middles) < 8


def test_a_bare_table_has_no_outline() -> None:
    answer = ask("/aim/kingdomino", "POST", body=frame("no-kingdom.jpg"), headers=OWN)
    assert json.loads(answer.body) == {"found": []}


def test_only_pages_of_the_companion_may_ask_and_only_for_small_pictures() -> None:
    assert ask("/aim/kingdomino", "POST", body=b"x").status == 403
    assert ask("/aim/nothing", "POST", body=b"x", headers=OWN).status == 404
    assert ask("/aim/kingdomino", "POST", body=b"x", headers=OWN).status == 400
    stranger = {"cookie": f"{DEVICE_COOKIE}={new_id()}"}
    assert ask("/aim/kingdomino", "POST", body=b"x", headers=stranger).status == 403
    large = bytes(routes.MAX_FRAME_BYTES + 1)
    assert ask("/aim/kingdomino", "POST", body=large, headers=OWN).status == 413


def test_who_comes_while_another_picture_is_looked_at_asks_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert routes._LOOKING.acquire(blocking=False)
    try:
        answer = ask("/aim/kingdomino", "POST", body=frame("no-kingdom.jpg"), headers=OWN)
    finally:
        routes._LOOKING.release()
    assert answer.status == 429


def test_no_more_is_decoded_in_the_server_than_a_small_jpeg() -> None:
    def sent(side: int, kind: str) -> int:
        file = BytesIO()
        Image.new("L", (side, side)).save(file, kind, quality=20)
        return ask("/aim/kingdomino", "POST", body=file.getvalue(), headers=OWN).status

    assert sent(640, "JPEG") == 200
    assert sent(640, "PNG") == 400
    assert sent(3000, "JPEG") == 400
    assert sent(640, "JPEG") == 200
