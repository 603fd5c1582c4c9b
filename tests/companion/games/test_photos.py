"""Photos kept with consent, and nothing but the picture in them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from companion.store import Store, StoreError
from companion.store.photos import PhotoLimits, delete_photo, keep_photo, load_photo, photos_of
from tests.companion.games.pictures import CAMERA, camera_photo
from tests.companion.games.table_talk import new_game
from vision.photo import PhotoError


def test_without_consent_nothing_is_kept(store: Store) -> None:
    game = new_game(store)
    with pytest.raises(StoreError, match="no_consent"):
        keep_photo(store, game.id, camera_photo(), consent=False)
    assert photos_of(store, game.id) == []


def test_place_time_and_camera_are_gone_and_the_photo_is_upright(store: Store) -> None:
    game = new_game(store)
    taken = camera_photo()
    assert CAMERA in taken
    kept = keep_photo(store, game.id, taken, consent=True)
    assert (kept.width, kept.height) == (80, 120)
    jpeg = load_photo(store, kept.id)
    assert CAMERA not in jpeg
    assert b"Exif" not in jpeg
    assert b"taken at home" not in jpeg
    with Image.open(BytesIO(jpeg)) as picture:
        assert len(picture.getexif()) == 0
        assert picture.size == (80, 120)
        pixels = np.asarray(picture)
    np.testing.assert_array_less(200, pixels[20, :, 0])
    np.testing.assert_array_less(pixels[100, :, 0], 50)
    assert photos_of(store, game.id) == [kept]


def test_large_photos_are_reduced_and_their_true_size_is_known(store: Store) -> None:
    game = new_game(store)
    kept = keep_photo(
        store,
        game.id,
        camera_photo(1200, 800),
        consent=True,
        limits=PhotoLimits(target_long_side_px=300, max_long_side_px=400),
    )
    assert (kept.width, kept.height) == (800, 1200)
    with Image.open(BytesIO(load_photo(store, kept.id))) as picture:
        assert 300 <= max(picture.size) <= 400


def test_limits_are_kept(store: Store) -> None:
    game = new_game(store)
    photo = camera_photo()
    for limits in (PhotoLimits(max_input_bytes=100), PhotoLimits(max_photos_per_game=0)):
        with pytest.raises(StoreError, match="photo_too_large"):
            keep_photo(store, game.id, photo, consent=True, limits=limits)
    with pytest.raises(PhotoError):
        keep_photo(store, game.id, b"no picture", consent=True)


def test_a_photo_can_be_removed(store: Store) -> None:
    game = new_game(store)
    kept = keep_photo(store, game.id, camera_photo(), consent=True)
    delete_photo(store, kept.id)
    for gone in (load_photo, delete_photo):
        with pytest.raises(StoreError, match="no_photo"):
            gone(store, kept.id)
