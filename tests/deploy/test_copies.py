"""Two copies of the app with PostgreSQL behind the proxy, visited without a browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.serving import Served, served
from benchmarks.visitor import Visitor
from companion.web.games import GAMES
from tests.companion.store.servers import postgres_binaries
from tests.deploy.proxy import nginx
from vision.kingdomino.refit import sample_folder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(nginx() is None, reason="nginx is not installed"),
    pytest.mark.skipif(postgres_binaries() is None, reason="PostgreSQL is not installed"),
]


@pytest.fixture(scope="module")
def place() -> Iterator[Served]:
    with served(2) as running:
        yield running


def markup(visitor: Visitor) -> str:
    told = (json.loads(data or "{}") for data, _ in visitor._components.values())
    return "".join(str(each.get("markup", "")) for each in told)


async def photographed(visitor: Visitor) -> None:
    await visitor.open("")
    sent = await visitor.upload((sample_folder() / "complete-5x5.jpg").read_bytes())
    await visitor.act(visitor.component("^home$"), "photo", f"|{sent}")


def painted(told: dict[str, Any], value: str) -> dict[str, object]:
    rows = [row.split() for row in str(told["kingdom"]).split("/")]
    rows[0][0] = value
    return {
        "client": "abcdefgh01",
        "seq": 1,
        "base": told["revision"],
        "has": None,
        "kingdom": "/".join(map(" ".join, rows)),
        "settled": "1" + str(told["settled"])[1:],
        "frame": told["frame"],
        "done": [{"seq": 1, "kind": "set", "squares": [[0, 0]], "value": value}],
        "corners": None,
        "grid": None,
    }


def test_a_game_is_photographed_at_one_copy_and_seen_at_the_other(place: Served) -> None:
    async def story() -> None:
        guests = [Visitor(place.url, place.trusted) for _ in range(6)]
        for guest in guests:
            await guest.open("")
        # The cookie of the proxy leads each to a copy; six visitors are hardly all at the same.
        assert len({guest.cookies["companion_copy"] for guest in guests}) == 6
        anna = Visitor(place.url, place.trusted)
        await photographed(anna)
        game = anna.parameter("game")
        board = anna.component("^board-")
        value = "g" if not str(anna.data(board)["kingdom"]).startswith("g ") else "l"
        await anna.send(board, painted(anna.data(board), value))
        for guest in guests:
            await guest.leave()
            await guest.open(f"game={game}&seat=1")
            seen = guest.data(guest.component("^board-"))
            assert str(seen["kingdom"]).startswith(f"{value} ")
            assert guest.games == {game}
            status, _ = await guest._fetch("GET", f"/card/{game}/de")
            assert status == 404  # The game is not complete.
            await guest.leave()
        await anna.leave()

    asyncio.run(story())


def test_a_copy_that_ends_between_photograph_and_correction_costs_nobody_a_photograph() -> None:
    async def story(place: Served) -> None:
        anna = Visitor(place.url, place.trusted)
        await photographed(anna)
        board = anna.component("^board-")
        (name,) = set(re.findall(r"photo/([\w-]{22})", json.dumps(anna.data(board))))
        # A photo of no game is at Anna's own copy alone.
        sent = await anna.upload((sample_folder() / "begun.jpg").read_bytes())
        own = [number for number, port in enumerate(place.ports) if await has(port, anna, sent)]
        assert len(own) == 1
        assert all([await has(port, anna, name) for port in place.ports])
        os.kill(place.processes[own[0]], signal.SIGKILL)
        with contextlib.suppress(OSError, ConnectionError):
            await anna.leave()
        await anna.open(f"game={anna.parameter('game')}&seat=0")
        board = anna.component("^board-")
        before = anna.data(board)
        assert f"photo/{name}" in json.dumps(before)
        status, jpeg = await anna._fetch("GET", f"/photo/{name}")
        assert (status, jpeg[:2]) == (200, b"\xff\xd8")
        value = "g" if not str(before["kingdom"]).startswith("g ") else "l"
        await anna.send(board, painted(before, value))
        assert str(anna.data(board)["kingdom"]).startswith(f"{value} ")
        await anna.leave()

    with served(2) as place:
        asyncio.run(story(place))


async def has(port: int, visitor: Visitor, photo: str) -> bool:
    """Whether a copy, asked without the proxy, has a photo for a visitor."""
    asked = Visitor(f"http://127.0.0.1:{port}", cookies=visitor.cookies)
    return (await asked._fetch("GET", f"/photo/{photo}"))[0] == 200


def test_the_pages_of_all_games_come_through_the_proxy(place: Served) -> None:
    async def story() -> None:
        for pages in GAMES:
            for query in (f"new={pages.kind}", f"view=help&kind={pages.kind}"):
                visitor = Visitor(place.url, place.trusted)
                await visitor.open(query)
                assert "<h1" in markup(visitor), query
                await visitor.leave()
        visitor = Visitor(place.url, place.trusted)
        for query in ("view=history", "view=statistics", "game=nothing"):
            await visitor.open(query)
            assert "surface" not in markup(visitor)
            assert markup(visitor), query
            await visitor.leave()

    asyncio.run(story())
