"""The served app sends nothing outside, and what it prints names no game: its link is its key."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from benchmarks.serving import wait_until_healthy
from benchmarks.visitor import Refused, Visitor
from tests.deploy.proxy import free_port
from vision.kingdomino.refit import sample_folder

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TRACED = "connect,sendto,sendmsg,sendmmsg,openat"
ASKED = re.compile(r"nscd/socket|/etc/resolv\.conf|sin6?_(?:addr|port)=")
# The system is asked which of its addresses it would send from; a documentation address,
# to which nothing is sent (RFC 5737). Who asks the loopback stays inside.
INSIDE = re.compile(r'connect\(.*inet_addr\("(?:192\.0\.2\.1|127\.0\.0\.1)"\)|"::1"')


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of an app whose system calls are traced."""
    port = free_port()
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-m", "companion.cli.companion_command", "app", "--no-browser"]
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("to see what the app asks needs strace")
    traced = [strace, "-f", "-qq", "--seccomp-bpf", "-e", f"trace={TRACED}"]
    traced += ["-o", str(tmp_path / "trace")]
    settings = {
        "HOME": str(home),
        "KINGDOMINO_DATABASE_URL": f"sqlite:///{tmp_path / 'games.sqlite'}",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "default",
    }
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(
            [*traced, *command, "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, **settings},
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        try:
            wait_until_healthy(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            # The tracer leaves it to the app to end.
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


async def play(url: str) -> str:
    """A game from a photo, its link opened by another, and what strangers try; its id."""
    first, second = Visitor(url), Visitor(url)
    await first.open("")
    sent = await first.upload((sample_folder() / "complete-5x5.jpg").read_bytes())
    await first.act(first.component("^home$"), "photo", f"|{sent}")
    game = first.parameter("game")
    await second.open(f"game={game}")
    assert second.component("^board-")
    for path in (f"/card/{game}/en", f"/card/{game}/xx", f"/no/such/{game}", f"/photo/{game}"):
        await second._fetch("GET", path)
    await second._fetch("POST", f"/saved?game={game}", b'{"games": [{"id": "' + game.encode())
    with pytest.raises((InvalidStatus, OSError)):
        await connect(
            f"{url.replace('http', 'ws')}/_stcore/stream?game={game}",
            origin="https://evil.example",  # type: ignore[arg-type]
            proxy=None,
        )
    board = second.component("^board-")
    with suppress(Refused, TimeoutError):
        await asyncio.wait_for(second.send(board, {"client": game, "seq": "x", "done": 1}), 20)
    for visitor in (first, second):
        await visitor.leave()
    return game


def test_nothing_is_sent_or_looked_up_and_no_link_is_printed(served: str, tmp_path: Path) -> None:
    game = asyncio.run(play(served))
    assert re.fullmatch(r"[\w-]{22}", game)
    assert list((tmp_path / "home").rglob("*")) == []
    assert game not in (tmp_path / "said").read_text(encoding="utf-8")
    calls = (tmp_path / "trace").read_text(encoding="utf-8", errors="replace").splitlines()
    assert len(calls) > 1000
    assert [call for call in calls if ASKED.search(call) and not INSIDE.search(call)] == []
