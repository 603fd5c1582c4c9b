"""A task that loads nothing and finds no photo; one named deadly kills the process."""

from __future__ import annotations

import os
from typing import Any


def warm_up() -> None:
    pass


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    if "deadly" in record["photo"]:
        os.abort()
    error = {"code": "missing_file", "details": {"path": record["photo"]}}
    return {"reading": None, "error": error, "trace": ""}, b""
