"""A task module for the tests of the pool: it answers, sleeps, crashes or fills the memory."""

from __future__ import annotations

import os
import time
from typing import Any

_kept: list[bytearray] = []


def warm_up() -> None:
    print("libraries may print: no answer is to be spoilt by it")


def carry_out(record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
    match record["do"]:
        case "echo":
            return {"pid": os.getpid(), "said": record.get("say")}, block[::-1]
        case "sleep":
            time.sleep(record["seconds"])
        case "environment":
            return {"value": os.environ.get(record["name"])}, b""
        case "crash and note":
            with open(record["file"], "ab") as file:
                file.write(b"x")
            os.abort()
        case "crash":
            os.abort()
        case "crash once":
            with open(record["file"], "a+b") as file:
                if file.tell() == 0:
                    file.write(b"x")
                    file.flush()
                    os.abort()
        case "no memory once":
            with open(record["file"], "a+b") as file:
                if file.tell() == 0:
                    file.write(b"x")
                    file.flush()
                    raise MemoryError
        case "keep":
            _kept.append(bytearray(record["bytes"]))
            return {"pid": os.getpid()}, b""
        case "spin":
            while True:
                pass
        case "fill":
            filled = bytearray(record["bytes"])
            return {"filled": len(filled)}, b""
    return {"done": record["do"]}, b""
