"""The place of a square on the photo, turned upright, as a small picture for the page."""

from __future__ import annotations

from base64 import b64encode

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.web.kingdomino.session import Session
from scorer.kingdomino import Position

__all__ = ["CROP_PX", "photo_of_square"]

CROP_PX = 96
MARGIN_SQUARES = 0.06
"""How far a crop reaches beyond its square: crowns stand close to the edge."""


def photo_of_square(session: Session, position: Position) -> str | None:
    """The address of a JPEG of a square of the shown kingdom; None without a photo."""
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
    """JPEG of the quadrangle ``corners``, shape (4, 2), pixels (x, y), clockwise."""
    side = CROP_PX
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    view = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    crop = cv2.warpPerspective(rgb, view, (side, side), flags=cv2.INTER_LINEAR)
    encoded, jpeg = cv2.imencode(".jpg", cv2.cvtColor(crop, cv2.COLOR_RGB2BGR))
    if not encoded:
        raise ValueError("crop: OpenCV could not encode it as JPEG")
    return jpeg.tobytes()
