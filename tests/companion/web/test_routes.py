from __future__ import annotations

import asyncio
import gc
import io
import json
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import anyio
import anyio.to_thread
import pytest
from PIL import Image
from sqlalchemy.exc import OperationalError

from companion.games.kingdomino.kind import KINGDOMINO
from companion.languages import Language, say
from companion.store import Actor, Change, new_id
from companion.store.exchange import Imported
from companion.store.history import delete_game, erase_game, restore_game
from companion.store.photos import keep_photo
from companion.web import history, routes, shared_state
from companion.web.photo_cache import SpoolSettings
from companion.web.reading_queue import Sender
from companion.web.request import DEVICE_COOKIE, LANGUAGE_COOKIE
from companion.web.shared_state import Inbox
from companion.web.shell import Act
from companion.web.shell.assets import FILES, VERSION, asset_address
from companion.web.visit import Visit
from tests.companion.web.asgi import Answer, ask, asked
from tests.companion.web.test_shared_state import jpeg

DEVICE, STRANGER = new_id(), new_id()


class Page:
    """Somebody with a page open."""

    device = DEVICE


@pytest.fixture(autouse=True)
def shared(empty_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[shared_state.SharedState]:
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", empty_url)
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
    # None for the photo, and none for what is shown of it.
    for max_bytes in (1000, len(jpeg()) + 10):
        shared.photos.spool.settings = SpoolSettings(max_bytes=max_bytes)
        answer = refused_photo(**of(DEVICE))
        assert (answer.status, answer.headers["retry-after"]) == (503, "2")
        until = time.monotonic() + 10
        while shared.photos.spool.used() and time.monotonic() < until:
            time.sleep(0.02)
            gc.collect()  # The server does it on a clock.
        assert shared.photos.spool.used() == 0
    shared.photos.spool.settings = SpoolSettings()
    shared.inbox = Inbox(max_at_once=0, patience_s=0)
    answer = refused_photo(**of(DEVICE))
    shared.inbox = Inbox()
    assert (answer.status, answer.headers["retry-after"]) == (503, "2")
    assert refused_photo(**of(DEVICE)).status == 200


def test_what_is_announced_is_refused_before_it_comes(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def announced(size: int) -> int:
        headers = {**of(DEVICE), "content-length": str(size)}
        return ask("/photo", "POST", body=b"x", headers=headers).status

    most = shared.photos.settings.max_bytes_each
    assert [announced(size) for size in (most, most + 1)] == [200, 413]
    monkeypatch.setattr(shared.photos.spool, "settings", SpoolSettings(max_bytes=1000))
    assert announced(1001) == 503


def test_who_takes_too_long_is_not_asked_to_send_it_once_more(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never_ends(*_: object) -> None:
        await anyio.sleep(60)

    monkeypatch.setattr("companion.web.request._spooled", never_ends)
    monkeypatch.setattr("companion.web.request._MAX_RECEIVE_S", 0.01)
    answer = refused_photo(**of(DEVICE))
    assert (answer.status, "retry-after" in answer.headers) == (408, False)


def test_somebody_who_waits_is_told_their_place(shared: shared_state.SharedState) -> None:
    def before(headers: dict[str, str]) -> int:
        return int(json.loads(ask("/turn", headers=headers).body)["before"])

    queue, other = shared.reading_queue, Sender("other")
    assert before(of(DEVICE)) == 0
    running = [queue._enter(other, lambda: None) for _ in range(queue.settings.slots)]
    waiting = [queue._enter(Sender(device), lambda: None) for device in ("another", DEVICE)]
    assert before(of(DEVICE)) == 2
    assert before(of(STRANGER)) == before({}) == 0
    for ticket in running + waiting:
        queue._leave(ticket)
    assert before(of(DEVICE)) == 0


def test_who_leaves_while_waiting_is_forgotten(shared: shared_state.SharedState) -> None:
    """And the photo is neither decoded nor kept."""
    queue = shared.reading_queue
    running = [queue._enter(Sender("other"), lambda: None) for _ in range(queue.settings.slots)]
    answer = ask("/photo", "POST", body=jpeg(), headers=of(DEVICE), leaves_after_s=0.5)
    assert answer.body == b""
    assert not queue._waiting
    for ticket in running:
        queue._leave(ticket)
    assert len(shared.photos) == 0
    assert shared.photos.spool.used() == 0


def test_a_picture_that_may_take_long_is_charged_before_it_is_decoded(
    shared: shared_state.SharedState,
) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48)).save(buffer, "WEBP")
    assert ask("/photo", "POST", body=jpeg(), headers=of(DEVICE)).status == 200
    assert not shared.reading_queue._has_used_much(Sender(DEVICE))
    answer = ask("/photo", "POST", body=buffer.getvalue(), headers=of(DEVICE))
    assert json.loads(answer.body)["id"] in shared.photos._photos
    assert shared.reading_queue._has_used_much(Sender(DEVICE))


def test_files_and_games_do_not_wait_for_photos(shared: shared_state.SharedState) -> None:
    """Nor for many uploads that wait: none of them holds a thread of the server."""

    async def all_at_once() -> list[int]:
        body, own = jpeg(), of(DEVICE)
        style = f"/{asset_address(next(name for name in FILES if name.endswith('.css')))}"
        shared.inbox = Inbox(max_at_once=60)
        sent = [
            asyncio.create_task(asked("/photo", "POST", body=body, headers=own)) for _ in range(25)
        ]
        await asyncio.sleep(0.5)
        with anyio.fail_after(5):
            quick = [
                (await asked(path, headers=own)).status
                for path in ("/health", "/saved/companion.json", "/turn", style)
            ]
        for each in sent:
            each.cancel()
        await asyncio.gather(*sent, return_exceptions=True)
        return quick

    queue = shared.reading_queue
    running = [queue._enter(Sender("other"), lambda: None) for _ in range(queue.settings.slots)]
    assert asyncio.run(all_at_once()) == [200] * 4
    for ticket in running:
        queue._leave(ticket)


def test_the_health_check_says_what_pages_lack(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("/health").status == 200
    monkeypatch.setattr(routes, "HEALTH_WITHIN_S", 0.2)

    async def with_no_thread() -> int:
        limiter = anyio.to_thread.current_default_thread_limiter()
        for each in range(int(limiter.total_tokens)):
            limiter.acquire_on_behalf_of_nowait(each)
        return (await asked("/health")).status

    assert asyncio.run(with_no_thread()) == 503

    def locked() -> None:
        raise OperationalError("select", {}, Exception("database is locked"))

    monkeypatch.setattr(type(shared.store), "reading", lambda _: locked())
    assert ask("/health").status == 503


@pytest.mark.parametrize(
    "url", ["sqlite:////nowhere/games.sqlite", "no address", "mysql://nowhere/games"]
)
def test_a_server_whose_database_cannot_be_opened_is_not_well(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("KINGDOMINO_DATABASE_URL", url)
    assert ask("/health").status == 503


def test_who_asks_for_health_holds_nobody_up_while_the_database_is_opened(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_by: list[threading.Thread] = []

    def opened() -> shared_state.SharedState:
        opened_by.append(threading.current_thread())
        return shared

    monkeypatch.setattr(routes, "shared_state", opened)
    assert ask("/health").status == 200
    (thread,) = opened_by
    assert thread is not threading.current_thread()


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


def imported(shared: shared_state.SharedState, language: Language, text: str) -> str:
    """What the page says when the browser hands it the answer of the address."""
    visit = Visit(shared, DEVICE, language)
    history.act_on_history(visit, Act("import", text))
    return visit.notice


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"version": 99}, ("$.version", "other_version")),
        ({"exported_at": []}, ("$.exported_at",)),
    ],
)
def test_the_page_says_what_is_wrong_with_a_file_and_where(
    shared: shared_state.SharedState, change: dict[str, Any], wrong: tuple[str, ...]
) -> None:
    shared.store.create_game(KINGDOMINO.key, {}, Actor(DEVICE))
    export = json.loads(ask("/saved/companion.json", headers=of(DEVICE)).body) | change
    answer = ask("/saved", "POST", body=json.dumps(export).encode(), headers=of(DEVICE))
    assert answer.status == 400
    german = imported(shared, Language.GERMAN, answer.body.decode())
    english = imported(shared, Language.ENGLISH, answer.body.decode())
    assert german.startswith("Diese Spiele lassen sich nicht übernehmen")
    assert english.startswith("These games can't be taken in")
    assert all(words in said for words in wrong for said in (german, english))


def test_the_page_names_a_kind_of_game_that_it_does_not_know(
    shared: shared_state.SharedState,
) -> None:
    shared.store.create_game(KINGDOMINO.key, {}, Actor(DEVICE))
    saved = ask("/saved/companion.json", headers=of(DEVICE)).body
    body = saved.replace(f'"kind": "{KINGDOMINO.key}"'.encode(), b'"kind": "chess"')
    answer = ask("/saved", "POST", body=body, headers=of(DEVICE))
    assert answer.status == 400
    assert "„chess“" in imported(shared, Language.GERMAN, answer.body.decode())


@pytest.mark.parametrize(
    "text",
    ["[]", "null", "[" * 1900, '{"code": [], "details": 1}', '{"code": "bad_import"}']
    + ['{"code": "bad_import", "details": {"place": "$", "reason": "not_json"}}']
    + ['{"code": "bad_import", "details": {"place": "$.format", "reason": "not_an_export"}}']
    + ['{"code": "bad_import", "details": {"place": "%s", "reason": ""}}' % ("x" * 3000)],
)
def test_whatever_else_a_browser_hands_on_is_a_file_without_games(
    shared: shared_state.SharedState, text: str
) -> None:
    assert imported(shared, Language.ENGLISH, text) == (
        "This file holds no games. Choose one that was saved by “Save all games”."
    )


def test_a_file_that_did_not_arrive_is_not_said_to_hold_no_games(
    shared: shared_state.SharedState,
) -> None:
    said = [imported(shared, language, "") for language in (Language.GERMAN, Language.ENGLISH)]
    assert said == [
        "Die Datei kam nicht an, oder sie ist zu groß. Bitte noch einmal versuchen.",
        "The file did not arrive, or it is too large. Please try again.",
    ]


def test_a_file_of_another_program_is_said_to_hold_no_games(
    shared: shared_state.SharedState,
) -> None:
    answer = ask("/saved", "POST", body=b'{"format": "another"}', headers=of(DEVICE))
    assert answer.status == 400
    assert imported(shared, Language.GERMAN, answer.body.decode()) == (
        "In dieser Datei sind keine Partien. Bitte eine wählen, die mit „Alle Partien sichern“ "
        "gespeichert wurde."
    )


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
    assert saved.body.startswith(b"{")
    assert len(json.loads(saved.body)["games"]) == 1
    assert json.loads(ask("/saved/companion.json", headers=of(STRANGER)).body)["games"] == []
    # Without a mark of UTF-8 spreadsheets take umlauts for something else.
    table = ask("/saved/companion.csv", headers=of(DEVICE)).body
    assert table.startswith(b"\xef\xbb\xbfgame,kind,")
    assert b"Anna" in table
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


def test_what_belongs_to_a_deleted_game_is_out_of_reach_until_it_is_restored(
    shared: shared_state.SharedState,
) -> None:
    """For who deleted it and for all who joined: the photo in memory, the kept one, the card."""
    players = {"players": [{"id": 0, "name": "A"}, {"id": 1, "name": "B"}]}
    boards = {f"board:1:{number}": {"kingdom": "c w1 w"} for number in range(2)}
    game = shared.store.create_game(KINGDOMINO.key, {**players, **boards}, Actor(DEVICE))
    shared.store.join(game.id, Actor(STRANGER))
    fresh = sent_photo()
    cached = shared.photos.get(fresh)
    assert cached is not None
    cached.game = game.id
    kept = keep_photo(shared.store, game.id, jpeg(), consent=True)
    paths = [f"/photo/{fresh}", f"/photo/{kept.id}", f"/card/{game.id}/de"]

    def answers(device: str) -> list[int]:
        return [ask(path, headers=of(device)).status for path in paths]

    assert answers(DEVICE) == answers(STRANGER) == [200] * 3
    delete_game(shared.store, game.id, Actor(DEVICE))
    assert answers(DEVICE) == answers(STRANGER) == [404] * 3
    restore_game(shared.store, game.id, Actor(DEVICE))
    assert answers(DEVICE) == answers(STRANGER) == [200] * 3


def test_cookies_are_for_https_only_where_it_is_https() -> None:
    for path in ("/", "/language/de"):
        assert "Secure" in ask(path, scheme="https").headers["set-cookie"]
        assert "Secure" not in ask(path).headers["set-cookie"]


def test_manifest_script_style_and_icons() -> None:
    manifest = json.loads(ask("/companion.webmanifest", headers={"accept-language": "de"}).body)
    assert manifest["lang"] == "de"
    for each in manifest["icons"]:
        assert ask(f"/{each['src']}").headers["content-type"] == each["type"]


@pytest.mark.parametrize("language", list(Language))
def test_a_phone_keeps_all_that_a_page_without_a_connection_needs(language: Language) -> None:
    cookies = of(DEVICE, **{LANGUAGE_COOKIE: language.value})
    page = ask("/without-connection", headers=cookies).body.decode()
    assert f'lang="{language.value}"' in page
    assert say("page.no_connection", language) in page
    assert "streamlit" not in page
    worker = ask("/sw.js").body.decode()
    first, files, _ = worker.split("\n", 2)
    assert first == f'const VERSION = "{VERSION}";'
    kept = json.loads(files.removeprefix("const FILES = ").rstrip(";"))
    assert kept[0] == "./without-connection"
    assert set(re.findall(r'(?:src|href)="(\./assets/[^"]+)"', page)) <= set(kept)
    assert all(ask(each.removeprefix(".")).status == 200 for each in kept)


def compared(held: object, device: str = DEVICE) -> Answer:
    return ask("/copies", "POST", body=json.dumps(held).encode(), headers=of(device))


def test_a_phone_is_told_what_to_fetch_to_drop_and_to_give_back(
    shared: shared_state.SharedState,
) -> None:
    game = shared.store.create_game(KINGDOMINO.key, {}, Actor(DEVICE))
    found = compared({"b" * 32: 7})
    assert json.loads(found.body) == {"newer": [game.id], "gone": [], "lacking": ["b" * 32]}
    assert found.headers["cache-control"] == "no-store"
    delete_game(shared.store, game.id, Actor(DEVICE))
    assert json.loads(compared({game.id: 7}).body)["gone"] == [game.id]
    assert compared({}, STRANGER).status == 403


@pytest.mark.parametrize(
    "held", [[], {"../x": 1}, {"a" * 32: "1"}, {"a" * 32: -1}, {f"{n:032}": 1 for n in range(401)}]
)
def test_a_phone_that_says_nonsense_of_its_copies_is_refused(held: object) -> None:
    assert compared(held).status == 400


def test_a_copy_is_for_whoever_may_see_the_game_and_imports_again(
    shared: shared_state.SharedState,
) -> None:
    parts = {
        "players": [{"id": 0, "name": "Anna", "colour": "pink"}],
        "about": {"title": "Ostern", "played_at": "2026-03-01T20:00:00+01:00"},
    }
    game = shared.store.create_game(KINGDOMINO.key, parts, Actor(DEVICE))
    answer = ask(f"/copies/{game.id}/de", headers=of(DEVICE))
    assert answer.headers["cache-control"] == "private, no-store"
    copy = json.loads(answer.body)
    assert copy["id"] == game.id
    assert copy["sequence"] == shared.store.game(game.id).sequence
    assert copy["said"] == "Anna, noch offen"
    assert copy["players"] == [["Anna", None]]
    assert copy["card"] is None
    assert copy["when"] == "01.03.2026  ·  Kingdomino  ·  Ostern"
    assert DEVICE not in json.dumps(copy)
    back = ask("/saved", "POST", body=json.dumps(copy["saved"]).encode(), headers=of(DEVICE))
    assert back.body == b"0 1"
    assert ask(f"/copies/{game.id}/de", headers=of(STRANGER)).status == 404
    assert ask(f"/copies/{game.id}/de").status == 404
    assert ask(f"/copies/{game.id}/xx", headers=of(DEVICE)).status == 404
    delete_game(shared.store, game.id, Actor(DEVICE))
    assert ask(f"/copies/{game.id}/de", headers=of(DEVICE)).status == 404


def test_games_that_went_on_elsewhere_are_told_as_new(shared: shared_state.SharedState) -> None:
    game = shared.store.create_game(KINGDOMINO.key, {}, Actor(DEVICE))
    early = shared.store.game(game.id)
    shared.store.change(game.id, Change("about", {"title": "Ostern"}, 0, "a"), Actor(DEVICE))
    late = ask("/saved/companion.json", headers=of(DEVICE)).body
    erase_game(shared.store, game.id)
    export = json.loads(late)
    export["games"][0]["changes"] = export["games"][0]["changes"][: early.sequence]
    for content, told in ((json.dumps(export).encode(), b"1 0"), (late, b"1 0"), (late, b"0 1")):
        assert ask("/saved", "POST", body=content, headers=of(DEVICE)).body == told


def test_files_of_games_are_taken_in_one_by_one(
    shared: shared_state.SharedState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each takes many times its bytes of memory."""
    now, most = [0], [0]

    def taken_in(*_: object) -> Imported:
        now[0] += 1
        most[0] = max(most[0], now[0])
        time.sleep(0.05)
        now[0] -= 1
        return Imported(new=1)

    async def at_once() -> list[bytes]:
        sent = [asked("/saved", "POST", body=b"{}", headers=of(DEVICE)) for _ in range(3)]
        return [each.body for each in await asyncio.gather(*sent)]

    monkeypatch.setattr(routes, "import_games", taken_in)
    assert asyncio.run(at_once()) == [b"1 0"] * 3
    assert most == [1]


def test_games_that_become_copies_are_told_as_new(shared: shared_state.SharedState) -> None:
    players = [{"id": 0, "name": "Anna"}]
    shared.store.create_game(KINGDOMINO.key, {"players": players}, Actor(DEVICE))
    other = ask("/saved/companion.json", headers=of(DEVICE)).body.replace(b"Anna", b"Berta")
    assert ask("/saved", "POST", body=other, headers=of(DEVICE)).body == b"1 0"
    assert ask("/saved", "POST", body=other, headers=of(DEVICE)).body == b"0 1"
