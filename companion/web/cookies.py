"""The cookies that the companion sets: the device's id, the language, what may be kept."""

from __future__ import annotations

import re

__all__ = [
    "DEVICE_COOKIE",
    "KEEP_PHOTOS_COOKIE",
    "KEEP_SQUARES_COOKIE",
    "LANGUAGE_COOKIE",
    "known_device",
]

DEVICE_COOKIE = "companion-device"
LANGUAGE_COOKIE = "companion-language"
KEEP_PHOTOS_COOKIE = "companion-keep-photos"
KEEP_SQUARES_COOKIE = "companion-keep-squares"

_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


def known_device(text: object) -> str | None:
    """The id of a device as its cookie has it; None for anything else that was sent."""
    return text if isinstance(text, str) and _ID.fullmatch(text) else None
