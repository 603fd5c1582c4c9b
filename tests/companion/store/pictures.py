"""A photo as a camera makes it: turned, with place and time in its metadata."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image

CAMERA = b"Secret Camera"
_MAKE, _ORIENTATION, _GPS, _COMMENT = 0x010F, 0x0112, 0x8825, 0x010E


def camera_photo(width: int = 120, height: int = 80) -> bytes:
    """A JPEG lying on its side: upright it is ``height`` wide, with red at its top."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, : width // 2] = (255, 0, 0)
    exif = Image.Exif()
    exif[_MAKE] = CAMERA.decode()
    exif[_COMMENT] = "taken at home"
    exif[_ORIENTATION] = 6
    exif.get_ifd(_GPS)[2] = (48.0, 8.0, 1.0)
    file = BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", exif=exif, quality=95)
    return file.getvalue()
