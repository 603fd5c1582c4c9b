"""The task of reading, but a photo named deadly kills the process."""

from __future__ import annotations

import os
from typing import Any

from companion.reading import kingdomino
from companion.reading.kingdomino import warm_up

__all__ = ["carry_out", "warm_up"]


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    if "deadly" in record["photo"]:
        os.abort()
    return kingdomino.carry_out(record, block)
