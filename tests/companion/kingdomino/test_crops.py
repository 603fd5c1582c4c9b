from __future__ import annotations

import base64

import cv2
import numpy as np

from companion.kingdomino.crops import CROP_PX, photo_of_square
from companion.kingdomino.editing import Side
from companion.web.kingdomino.session import Session
from tests.companion.kingdomino.readings import SQUARE_PX, kingdom_reading, photo_reading

COLOURS = {(0, 0): (220, 40, 40), (0, 1): (40, 200, 60), (1, 0): (40, 60, 220), (1, 1): (240,) * 3}


def session_of(scale: int) -> Session:
    """A session with a photo reduced by ``scale`` whose squares have one colour each."""
    photo = np.zeros((480, 640, 3), np.uint8)
    for (row, column), colour in COLOURS.items():
        top, left = 20 + row * SQUARE_PX, 10 + column * SQUARE_PX
        photo[top : top + SQUARE_PX, left : left + SQUARE_PX] = colour
    session = Session()
    reading = photo_reading(kingdom_reading("w1 w/c f"))
    session.open_reading(reading, np.ascontiguousarray(photo[::scale, ::scale]))
    return session


def middle_colour(address: str | None) -> tuple[int, ...]:
    assert address is not None
    kind, data = address.split(",", 1)
    assert kind == "data:image/jpeg;base64"
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_COLOR_RGB)
    assert picture is not None
    assert picture.shape == (CROP_PX, CROP_PX, 3)
    return tuple(int(value) for value in picture[CROP_PX // 2, CROP_PX // 2])


def test_a_crop_shows_its_square_on_full_and_reduced_photos() -> None:
    for scale in (1, 2):
        session = session_of(scale)
        for position, colour in COLOURS.items():
            seen = middle_colour(photo_of_square(session, position))
            np.testing.assert_allclose(seen, colour, atol=12)


def test_a_crop_follows_its_square_when_the_grid_grows() -> None:
    session = session_of(1)
    session.add_line(Side.TOP)
    seen = middle_colour(photo_of_square(session, (1, 0)))
    np.testing.assert_allclose(seen, COLOURS[0, 0], atol=12)


def test_without_a_photo_there_is_no_crop() -> None:
    session = Session()
    session.open_empty(5)
    assert photo_of_square(session, (0, 0)) is None
