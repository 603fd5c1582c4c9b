"""Names of the cookies that the companion sets: the device's id, and the language chosen."""

from __future__ import annotations

__all__ = ["DEVICE_COOKIE", "LANGUAGE_COOKIE"]

DEVICE_COOKIE = "companion-device"
LANGUAGE_COOKIE = "companion-language"
