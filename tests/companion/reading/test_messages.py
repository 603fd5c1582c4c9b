from __future__ import annotations

import io

import pytest

from companion.reading.pool import receive, send


def test_what_is_sent_is_received() -> None:
    stream = io.BytesIO()
    send(stream, {"photo": "ä\n.jpg", "number": 0.1}, b"\0\n\xff")
    send(stream, {})
    stream.seek(0)
    assert receive(stream) == ({"photo": "ä\n.jpg", "number": 0.1}, b"\0\n\xff")
    assert receive(stream) == ({}, b"")
    with pytest.raises(EOFError):
        receive(stream)


def test_a_message_that_breaks_off_is_none() -> None:
    stream = io.BytesIO()
    send(stream, {"a": 1}, b"block")
    with pytest.raises(EOFError):
        receive(io.BytesIO(stream.getvalue()[:-1]))


@pytest.mark.parametrize("data", [b"\xff" * 8, b"\0\0\0\x02\0\0\0\0[]", b"\0\0\0\x01\0\0\0\0?"])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"expected|Expecting"):
        receive(io.BytesIO(data))
