"""The server around the pages: guard, compression, warming up and memory given back."""

from __future__ import annotations

import asyncio
import gc
import gzip
import runpy
import subprocess
import sys
import threading
import time
import tomllib
import weakref
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import streamlit
from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from starlette.types import Receive, Scope, Send

from companion.store import Store
from companion.store.history import delete_game, find_games
from companion.store.tables import GameRow
from companion.web.middleware import CompressedAssets, Guard, is_foreign, security_headers
from companion.web.network import HOST_NAMES, is_own_name, own_names
from companion.web.shared_state import SharedState
from companion.web.startup import collect_periodically, erase_periodically
from tests.companion.store.table_talk import ANNA, new_game
from tests.companion.web.asgi import ask

ASSET = next((Path(streamlit.__file__).parent / "static" / "static" / "js").glob("index.*.js"))
PATH = f"/static/js/{ASSET.name}"


def asked(path: str, encoding: str = "gzip, br") -> tuple[dict[str, str], bytes] | None:
    """Headers and body; None where the question was passed on."""
    passed: list[str] = []
    sent: list[Any] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append(scope["path"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {}

    headers = [(b"accept-encoding", encoding.encode())]
    scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
    asyncio.run(CompressedAssets(app)(scope, receive, send))
    if passed:
        return None
    return {k.decode(): v.decode() for k, v in sent[0]["headers"]}, sent[1]["body"]


def test_a_script_comes_compressed_and_stays_for_good() -> None:
    answer = asked(PATH)
    assert answer is not None
    assert gzip.decompress(answer[1]) == ASSET.read_bytes()
    assert "immutable" in answer[0]["cache-control"]
    assert answer[0]["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    "path", ["/", "/static/js/nothing.js", "/static/js/../../index.html", "/static/media/a.woff2"]
)
def test_everything_else_is_left_to_streamlit(path: str) -> None:
    assert asked(path) is None


def test_who_takes_no_gzip_gets_none() -> None:
    assert asked(PATH, "identity") is None


class _Cycle:
    def __init__(self) -> None:
        self.own = self


def test_cycles_are_gone_after_the_time_though_nobody_asks() -> None:
    gc.disable()
    try:
        ended = collect_periodically(0.01)
        gone = weakref.ref(_Cycle())
        until = time.monotonic() + 20
        while gone() is not None and time.monotonic() < until:
            time.sleep(0.01)
        assert gone() is None
        ended.set()
    finally:
        gc.enable()


def test_what_was_deleted_long_ago_goes_while_the_server_runs(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the database did not answer when it was asked first."""
    game = new_game(store)
    asked: list[None] = []
    delete_game(store, game.id, ANNA)
    with store.writing() as session:
        long_ago = datetime.now(UTC) - timedelta(days=31)
        session.execute(update(GameRow).values(deleted_at=long_ago))

    def shared_state() -> SharedState:
        asked.append(None)
        if len(asked) == 1:
            raise OperationalError("SELECT", {}, Exception())
        return SharedState(store)

    monkeypatch.setattr("companion.web.startup.shared_state", shared_state)
    ended = erase_periodically(0.01)
    until = time.monotonic() + 20
    while find_games(store, deleted=True) and time.monotonic() < until:
        time.sleep(0.01)
    ended.set()
    for thread in threading.enumerate():
        if thread.name == "deleted games":
            thread.join()
    assert find_games(store, deleted=True) == []


@pytest.mark.parametrize("path", ["/", "/photo/nothing", "/no/such/page", "/assets/x"])
def test_every_answer_has_the_policy(path: str) -> None:
    policy = ask(path, headers={"host": "table.local:8501"}).headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert rules["object-src"] == rules["frame-ancestors"] == "'none'"
    sockets = {"ws://table.local:8501", "wss://table.local:8501"}
    own = {"'self'", "'none'", "data:", "blob:", "'unsafe-inline'"}
    for name, sources in rules.items():
        assert set(sources.split()) - own - sockets == set(), name
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize("host", ["x; script-src *", "a b", "*", "'unsafe-inline'", "a:999999", ""])
def test_a_host_that_is_none_adds_nothing(host: str) -> None:
    policy = security_headers(host)["Content-Security-Policy"]
    assert "connect-src 'self' data: blob:;" in policy
    assert policy == security_headers("")["Content-Security-Policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/upload_file/a/b",
        "/spiel/_stcore/metrics",
        "//_stcore//upload_file/a",
        "/_stcore/agent/interact",
    ],
)
@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_what_streamlit_offers_and_no_page_uses_is_refused(path: str, method: str) -> None:
    answer = ask(path, method, body=b"x" * 1000)
    assert (answer.status, answer.body) == (404, b"")


HOST = "table.local:8501"
FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "http://table.local"},
    {"origin": "http://table.local:8501.evil.example"},
    {"origin": "null"},
    {"origin": "http://["},
    {"origin": ""},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_foreign_origin_is_refused_before_anything_else_happens(headers: dict[str, str]) -> None:
    """Streamlit, asked about it, would ask a server outside for the address of this one."""
    asked: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])

    def answers(kind: str, method: str) -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": f"{kind}.connect"}

        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        pairs.append((b"host", HOST.encode()))
        scope = {"type": kind, "method": method, "path": "/_stcore/stream", "headers": pairs}
        asyncio.run(Guard(app)(scope, receive, send))
        return sent

    assert [each["type"] for each in answers("websocket", "")] == ["websocket.close"]
    assert [each.get("status") for each in answers("http", "POST")] == [403, None]
    assert asked == []


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": f"http://{HOST}"},
        {"origin": f"https://{HOST}"},
        {"origin": "https://Table.Local:8501", "sec-fetch-site": "same-origin"},
        {},
        {"sec-fetch-site": "none"},
    ],
)
def test_own_pages_and_programs_pass(kind: str, headers: dict[str, str]) -> None:
    pairs = [(name.encode(), value.encode()) for name, value in {**headers, "host": HOST}.items()]
    assert not is_foreign({"type": kind, "method": "POST", "headers": pairs})


def test_links_on_other_sites_lead_here_but_send_nothing() -> None:
    pairs = [(b"host", HOST.encode()), (b"sec-fetch-site", b"cross-site")]
    assert not is_foreign({"type": "http", "method": "GET", "headers": pairs})
    assert is_foreign({"type": "http", "method": "POST", "headers": pairs})
    assert is_foreign({"type": "websocket", "headers": pairs})


OWN = {"localhost", "laptop", "laptop.local", "games.example.org"}


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("192.168.1.7:8501", True),
        ("[fe80::1]:8501", True),
        ("[fe80::1%25eth0]:8501", True),
        ("localhost:8501", True),
        ("Laptop.local:8501", True),
        ("laptop.local.:8501", True),
        ("games.example.org", True),
        ("evil.example:8501", False),
        ("laptop.evil.example", False),
        ("192.168.1.7.evil.example", False),
        ("[", False),
        ("", False),
    ],
)
def test_a_name_that_is_not_its_own_gets_no_answer(host: str, own: bool) -> None:
    """A page at a name that leads here, by its own DNS, would else be one of this server."""
    assert is_own_name(host, OWN) == own
    assert is_own_name(host, None)
    passed: list[str] = []
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    for kind in ("http", "websocket"):
        headers = [(b"host", host.encode()), (b"origin", f"http://{host}".encode())]
        scope = {"type": kind, "method": "GET", "path": "/", "headers": headers}
        asyncio.run(Guard(app, OWN)(scope, receive, send))
    if own:
        assert (passed, sent) == (["http", "websocket"], [])
        return
    assert passed == []
    assert sent[0]["status"] == 421
    assert sent[-1] == {"type": "websocket.close", "code": 1008}


def test_a_computer_has_its_name_those_given_and_no_list_behind_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Laptop.example.net")
    monkeypatch.delenv(HOST_NAMES, raising=False)
    names = own_names()
    assert names is not None
    assert {"localhost", "laptop", "laptop.local", "laptop.fritz.box"} <= names
    assert "" not in names
    monkeypatch.setenv(HOST_NAMES, "Games.example.org, club.example")
    assert {"games.example.org", "club.example", "laptop"} <= (own_names() or set())
    monkeypatch.setenv(HOST_NAMES, "*")
    assert own_names() is None
    entry = (ROOT / "streamlit_app.py").read_text(encoding="utf-8")
    assert "Middleware(Guard, names=own_names())" in entry


@pytest.mark.parametrize("path", ["/_stcore/metrics", "//_stcore//metrics", "/_stcore/metrics/x"])
def test_how_busy_the_server_is_concerns_nobody_outside(path: str) -> None:
    answer = ask(path)
    assert (answer.status, answer.body) == (404, b"")


ROOT = Path(__file__).parents[3]

PROGRAM = """
import gc
from companion.web.startup import warm_up
warm_up()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert len(gc.get_objects()) < 20_000, len(gc.get_objects())
import sys, threading
assert {"garbage", "deleted games"} <= {thread.name for thread in threading.enumerate()}
for name in (
    "pandas", "altair", "highspy", "scipy.optimize",
    "companion.web.domino_duell.pages", "companion.web.page",
):
    assert name in sys.modules, name
from pathlib import Path
def held():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)
def hold_and_free():
    for _ in range(3):
        block = b"a" * 25_000_000
        del block
if sys.platform == "linux":
    before = held()
    hold_and_free()
    assert held() < before + 5_000, (before, held())
"""


def test_the_entry_warms_up_guards_and_serves_below_a_path(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warmed: list[str] = []
    monkeypatch.setattr("companion.web.startup.warm_up", lambda: warmed.append("up"))
    monkeypatch.setattr(streamlit, "get_option", {"server.baseUrlPath": "games"}.__getitem__)
    monkeypatch.setenv(HOST_NAMES, "table")
    entry = runpy.run_path(str(ROOT / "streamlit_app.py"))
    assert warmed == ["up"]
    guard = entry["guard"]
    assert guard.cls is Guard
    assert guard.kwargs == {"names": own_names()}
    assert "table" in guard.kwargs["names"]
    assert {"/health", "/games/health"} <= {route.path for route in entry["routes"]}


def test_what_browsers_send_to_streamlit_is_bounded() -> None:
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    bounds = ("maxUploadSize", "maxMessageSize", "maxWidgetStateSize")
    assert [settings["server"][name] for name in bounds] == [1, 10, 2]


@pytest.mark.slow
def test_what_stays_for_good_is_not_looked_through_after_each_tap() -> None:
    """In a process of its own, as nothing is to be kept for good in that of the tests."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    entry = (ROOT / "streamlit_app.py").read_text(encoding="utf-8")
    assert "warm_up()" in entry
    settings = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert 'fileWatcherType = "none"' in settings
    assert "postScriptGC = false" in settings
