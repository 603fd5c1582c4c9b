"""Messages between a process and its workers: plain data, so that neither has to trust the other.

A message is a line of JSON and a block of bytes. Nothing is unpickled: a photo that took over the
worker could otherwise reach the process that started it.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

__all__ = ["MAX_MESSAGE_BYTES", "receive", "send"]

MAX_MESSAGE_BYTES = 256_000_000

_LENGTHS = struct.Struct(">II")


def send(stream: BinaryIO, record: dict[str, Any], block: bytes = b"") -> None:
    """Write one message; OSError where nobody reads any more."""
    text = json.dumps(record).encode()
    stream.write(_LENGTHS.pack(len(text), len(block)))
    stream.write(text)
    stream.write(block)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read one message; EOFError where the other side has ended, ValueError for anything else."""
    text_length, block_length = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if text_length + block_length > MAX_MESSAGE_BYTES:
        raise ValueError(f"expected a message of at most {MAX_MESSAGE_BYTES} bytes")
    record = json.loads(_exactly(stream, text_length))
    if not isinstance(record, dict):
        raise ValueError(f"expected an object, got {type(record).__name__}")
    return record, _exactly(stream, block_length)


def _exactly(stream: BinaryIO, length: int) -> bytes:
    data = stream.read(length)
    if data is None or len(data) < length:
        raise EOFError
    return data
