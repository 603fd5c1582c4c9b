from __future__ import annotations

import asyncio
import gzip
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.types import Receive, Scope, Send

from companion.web.middleware import CompressedAssets

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
