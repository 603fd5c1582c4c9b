from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.kingdomino.kind import KINGDOMINO
from companion.store import Actor, new_id
from companion.web import shared_state
from companion.web.request import DEVICE_COOKIE, LANGUAGE_COOKIE
from companion.web.shared_state import Inbox, InboxSettings
from tests.companion.web.asgi import Answer, ask
from tests.companion.web.test_shared_state import jpeg

DEVICE, STRANGER = new_id(), new_id()


class Page:
    """Somebody with a page open."""

    device = DEVICE


@pytest.fixture(autouse=True)
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[shared_state.SharedState]:
    address = f"sqlite:///{(tmp_path / 'games.sqlite').as_posix()}"
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", address)
    opened = shared_state.shared_state()
    page = Page()
    opened.add_page(page)
    yield opened
    del page
    opened.store.close()


def of(device: str, **cookies: str) -> dict[str, str]:
    found = {DEVICE_COOKIE: device, **cookies}
    return {"cookie": "; ".join(f"{name}={value}" for name, value in found.items())}


def sent_photo(device: str = DEVICE) -> str:
    answer = ask("/photo", "POST", body=jpeg(), headers=of(device))
    return str(json.loads(answer.body)["id"])


def test_the_page_has_its_language_and_gives_the_device_an_id() -> None:
    answer = ask("/", headers={"accept-language": "de-AT,de;q=0.9,en;q=0.8"})
    assert b'<html lang="de">' in answer.body
    assert b"Kingdomino-Begleiter</title>" in answer.body
    assert b"Streamlit</title>" not in answer.body
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_a_known_device_keeps_its_id_and_its_language() -> None:
    answer = ask("/", headers={**of(DEVICE, **{LANGUAGE_COOKIE: "de"}), "accept-language": "en"})
    assert DEVICE in answer.headers["set-cookie"]
    assert b'<html lang="de">' in answer.body


def test_no_script_stands_in_the_page_itself() -> None:
    page = ask("/").body.decode()
    assert "<script>" not in page
    assert page.count("<script ") == page.count(" src=") > 0 or "page.mjs" in page


@pytest.mark.parametrize(
    ("back", "where"),
    [
        ("./", "../"),
        ("?game=x&seat=1", "../?game=x&seat=1"),
        ("https://example.org/?a=1", "../?a=1"),
        ("//example.org/", "../"),
    ],
)
def test_choosing_a_language_leads_back_and_nowhere_else(back: str, where: str) -> None:
    from urllib.parse import urlencode

    answer = ask("/language/en", query=urlencode({"back": back}))
    assert answer.status == 303
    assert answer.headers["location"] == where
    assert f"{LANGUAGE_COOKIE}=en" in answer.headers["set-cookie"]


def test_a_language_that_is_none_is_not_kept() -> None:
    assert "set-cookie" not in ask("/language/xx").headers


def test_a_photo_is_for_its_device_and_for_those_in_its_game(
    shared: shared_state.SharedState,
) -> None:
    photo = sent_photo()
    assert ask(f"/photo/{photo}", headers=of(DEVICE)).headers["content-type"] == "image/jpeg"
    assert ask(f"/photo/{photo}", headers=of(STRANGER)).status == 404
    assert ask(f"/photo/{photo}").status == 404
    game = shared.store.create_game(KINGDOMINO.key, {}, Actor(DEVICE))
    cached = shared.photos.get(photo)
    assert cached is not None
    cached.game = game.id
    assert ask(f"/photo/{photo}", headers=of(STRANGER)).status == 404
    shared.store.join(game.id, Actor(STRANGER))
    answer = ask(f"/photo/{photo}", headers=of(STRANGER))
    assert answer.status == 200
    assert "immutable" in answer.headers["cache-control"]


def refused_photo(**headers: str) -> Answer:
    return ask("/photo", "POST", body=jpeg(), headers=headers)


def test_photos_come_from_pages_of_the_companion_only() -> None:
    assert refused_photo().status == 403
    assert refused_photo(**of(DEVICE), **{"sec-fetch-site": "cross-site"}).status == 403


def test_photos_and_games_that_nobody_asked_for_are_refused(
    shared: shared_state.SharedState,
) -> None:
    """A cookie can be made up; a page that is open can't."""
    assert shared.is_here(DEVICE)
    assert not shared.is_here(STRANGER)
    assert refused_photo(**of(STRANGER)).status == 403
    assert ask("/saved", "POST", body=b"{}", headers=of(STRANGER)).status == 403
    assert len(shared.photos) == 0


def test_no_more_comes_in_than_there_is_room_for(shared: shared_state.SharedState) -> None:
    shared.inbox = Inbox(InboxSettings(max_bytes=1000))
    assert refused_photo(**of(DEVICE)).status == 503
    shared.inbox = Inbox(InboxSettings(max_at_once=1))
    with shared.inbox.receiving(DEVICE):
        answer = refused_photo(**of(DEVICE))
    assert (answer.status, answer.headers["retry-after"]) == (503, "2")
    assert refused_photo(**of(DEVICE)).status == 200


def test_somebody_who_waits_is_told_their_place(shared: shared_state.SharedState) -> None:
    with shared.reading_queue.waiting_place(DEVICE) as on_waiting:
        assert json.loads(ask("/turn", headers=of(DEVICE)).body) == {"before": 0}
        on_waiting(3)
        assert json.loads(ask("/turn", headers=of(DEVICE)).body) == {"before": 3}
        assert json.loads(ask("/turn", headers=of(STRANGER)).body) == {"before": 0}
        assert json.loads(ask("/turn").body) == {"before": 0}
    assert json.loads(ask("/turn", headers=of(DEVICE)).body) == {"before": 0}


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 1_000_000,
        b'{"a":' * 1_000_000,
        b"[" + b"[]," * 3_000_000 + b"[]]",
        b"9" * 10_000,
        b'{"format": "companion-games", "version": 1, "exported_at": NaN, "games": []}',
        b"\xff\xfe\0",
        b"null",
    ],
    ids=["deep list", "deep object", "many values", "long number", "no number", "no text", "null"],
)
def test_games_that_are_none_are_refused(content: bytes) -> None:
    assert ask("/saved", "POST", body=content, headers=of(DEVICE)).status == 400


def test_what_is_too_large_or_no_picture_is_refused(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = ask("/photo", "POST", body=b"no picture", headers=of(DEVICE))
    assert json.loads(answer.body) == {"id": "refused:not_a_picture"}
    monkeypatch.setattr(type(shared.photos.settings), "max_bytes_each", 10)
    object.__setattr__(shared.photos.settings, "max_bytes_each", 10)
    assert refused_photo(**of(DEVICE)).status == 413


def test_games_are_saved_and_brought_back_for_one_device(
    shared: shared_state.SharedState,
) -> None:
    players = [{"id": 0, "name": "Anna"}]
    shared.store.create_game(KINGDOMINO.key, {"players": players}, Actor(DEVICE))
    saved = ask("/saved/companion.json", headers=of(DEVICE))
    assert "attachment" in saved.headers["content-disposition"]
    assert len(json.loads(saved.body)["games"]) == 1
    assert json.loads(ask("/saved/companion.json", headers=of(STRANGER)).body)["games"] == []
    assert b"Anna" in ask("/saved/companion.csv", headers=of(DEVICE)).body
    again = ask("/saved", "POST", body=saved.body, headers=of(DEVICE))
    assert again.body == b"0 1"
    assert ask("/saved", "POST", body=b"[", headers=of(DEVICE)).status == 400
    assert ask("/saved", "POST", body=saved.body).status == 403
    assert ask("/saved/other.txt", headers=of(DEVICE)).status == 404


def test_the_card_is_for_those_who_may_see_a_complete_game(
    shared: shared_state.SharedState,
) -> None:
    board = {"kingdom": "c w1 w"}
    parts = {"players": [{"id": 0, "name": "A"}, {"id": 1, "name": "B"}], "board:1:0": board}
    game = shared.store.create_game(KINGDOMINO.key, parts, Actor(DEVICE))
    assert ask(f"/card/{game.id}/de", headers=of(DEVICE)).status == 404
    parts["board:1:1"] = board
    game = shared.store.create_game(KINGDOMINO.key, parts, Actor(DEVICE))
    assert ask(f"/card/{game.id}/de", headers=of(DEVICE)).body.startswith(b"\x89PNG")
    assert ask(f"/card/{game.id}/de", headers=of(STRANGER)).status == 404
    assert ask(f"/card/{game.id}/xx", headers=of(DEVICE)).status == 404


def test_manifest_script_style_and_icons() -> None:
    manifest = json.loads(ask("/companion.webmanifest", headers={"accept-language": "de"}).body)
    assert manifest["lang"] == "de"
    for each in manifest["icons"]:
        assert ask(f"/{each['src']}").headers["content-type"] == each["type"]
