"""A second task module for the tests of the pool; it takes much memory to be made ready."""

from __future__ import annotations

import os
from typing import Any

_loaded = bytearray()


def warm_up() -> None:
    _loaded.extend(bytes(100_000_000))


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    return {"another": record["said"], "pid": os.getpid()}, b""
