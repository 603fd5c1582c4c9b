"""Photos of hands for the stories: drawn tiles, with the hand written into the first row of pixels.

The reader of the stories takes the hand from there, so that they tell what pages do and not how
well photographs are read; that is measured elsewhere.
"""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tests.companion.games.pip_dominoes.hands import hand_of
from vision.photo import decode
from vision.pip_dominoes import HandReading

_SIDE = 400


def photo_of_hand(tiles: str, doubtful: str = "") -> bytes:
    """A PNG of a hand; ``doubtful`` names tiles in doubt with what else they may be: "5|9>5|8"."""
    count = max(6, len(tiles.split()))
    picture = Image.new("RGB", (50 * count + 20, _SIDE // 2), (96, 64, 38))
    pen = ImageDraw.Draw(picture)
    for number, tile in enumerate(tiles.split()):
        left = 10 + 50 * number
        pen.rounded_rectangle((left, 20, left + 40, 100), 5, fill=(250, 245, 232))
        pen.line((left + 5, 60, left + 35, 60), fill=(60, 45, 30), width=2)
        for half, y in zip(tile.split("|"), (40, 80), strict=True):
            pen.text((left + 20, y), half, fill=(30, 22, 14), anchor="mm")
    pixels = np.array(picture)
    text = np.frombuffer(f"{tiles};{doubtful}".encode().ljust(pixels.shape[1]), np.uint8)
    pixels[0, :, :] = text[: pixels.shape[1], None]
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def read_test_photo(source: bytes | str, highest: int | None = None) -> HandReading:
    """The hand that is written into a test photo."""
    rgb: NDArray[np.uint8] = decode(source).rgb
    text = rgb[0, :, 0].tobytes().decode().strip()
    tiles, _, doubtful = text.partition(";")
    doubts = dict(each.split(">") for each in doubtful.split())
    return hand_of(tiles, doubts)
