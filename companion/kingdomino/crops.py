"""Cut a square out of the photo as a small upright picture for the page."""

from __future__ import annotations

from base64 import b64encode

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.web.kingdomino.session import Session
from scorer.kingdomino import Position
from vision.common.rectify import rectify_quadrangle

__all__ = ["CROP_PX", "photo_of_square"]

CROP_PX = 96
MARGIN_SQUARES = 0.06
"""How far a crop reaches beyond its square: crowns stand close to the edge."""


def photo_of_square(session: Session, position: Position) -> str | None:
    """A data URL with a JPEG of a square of the shown kingdom; None without a photo."""
    reading, photo = session.edited.reading, session.photo
    if reading is None or photo is None:
        return None
    row = position[0] - session.edited.origin[0]
    column = position[1] - session.edited.origin[1]
    low, high = -MARGIN_SQUARES, 1 + MARGIN_SQUARES
    around = [(low, low), (high, low), (high, high), (low, high)]
    corners = reading.points([(column + x, row + y) for x, y in around])
    corners *= photo.shape[1] / session.photo_size[0]
    return f"data:image/jpeg;base64,{b64encode(_cropped_jpeg(photo, corners)).decode()}"


def _cropped_jpeg(rgb: NDArray[np.uint8], corners: NDArray[np.float64]) -> bytes:
    """A JPEG of the quadrangle ``corners`` (4, 2), pixels (x, y), clockwise, rectified."""
    crop = rectify_quadrangle(rgb, corners, CROP_PX)
    encoded, jpeg = cv2.imencode(".jpg", cv2.cvtColor(crop, cv2.COLOR_RGB2BGR))
    if not encoded:
        raise ValueError("crop: OpenCV could not encode it as JPEG")
    return jpeg.tobytes()
