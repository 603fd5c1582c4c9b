"""What the companion's own addresses ask of a request: whose it is, and how much it may send."""

from __future__ import annotations

from starlette.requests import Request

from companion.web.cookies import DEVICE_COOKIE, known_device

__all__ = ["body_of", "own_device"]


def own_device(request: Request) -> str | None:
    """The device of a request that a page of the companion has made; None for any other."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    device = known_device(request.cookies.get(DEVICE_COOKIE))
    return device if site in ("same-origin", "none") else None


async def body_of(request: Request, most: int) -> bytes | None:
    """What was sent; None where it is more than so many bytes."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > most:
            return None
    return bytes(data)
