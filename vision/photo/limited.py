"""A picture unpacked in a process of its own, which the system ends where it takes too much."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict

from PIL import Image

from vision.photo import unpack
from vision.photo.errors import PhotoError
from vision.photo.unpack import Limits, Unpacked

__all__ = ["understood", "unpack_limited"]

# By the clock, for what waits for ever: others may have the processor for most of the time.
_MOST_WAITING_S = 20.0


def unpack_limited(data: bytes, picture_format: str, limits: Limits) -> Unpacked:
    """What ``unpack`` gives, from a fresh process, so that no picture depends on another.

    PhotoError as of ``unpack``, and too_complex for one that its decoder does not survive, with
    the ``signal`` that ended it.
    """
    command = [sys.executable, "-P", "-W", "ignore", unpack.__file__]
    command += [picture_format, json.dumps(asdict(limits))]
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        try:
            answer, _ = process.communicate(data, timeout=_MOST_WAITING_S + 5 * limits.max_s)
        except subprocess.TimeoutExpired as error:
            raise PhotoError("too_complex", format=picture_format) from error
        finally:
            process.kill()
    return understood(process.returncode, answer, picture_format)


def understood(returncode: int, answer: bytes, picture_format: str) -> Unpacked:
    """What a process meant that ended with this code. PhotoError as of ``unpack_limited``."""
    line, whole, pixels = answer.partition(b"\n")
    if returncode or not whole:
        raise PhotoError("too_complex", format=picture_format, signal=-returncode)
    found = json.loads(line)
    if "code" in found:
        raise PhotoError(found["code"], **found["details"])
    (width, height), reduced = found["size"], tuple(found["reduced"])
    image = Image.frombuffer("RGB", reduced, pixels, "raw", "RGB", 0, 1)
    return Unpacked(image, (width, height), found["orientation"])
