"""Photos and corrected squares kept with consent, and nothing but the picture in them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sqlalchemy import event

import companion.games as games
from companion.store import Store, StoreError
from companion.store.history import delete_game, erase_game
from companion.store.labelled_squares import (
    CorrectedSquare,
    count_squares,
    export_squares,
    keep_corrected,
    keep_square,
)
from companion.store.photos import (
    PhotoLimits,
    game_of_photo,
    keep_photo,
    load_photo,
    photos_of,
)
from tests.companion.store.pictures import CAMERA, camera_photo
from tests.companion.store.table_talk import ANNA, new_game
from vision.photo import Photo, PhotoError, PhotoSettings, decode


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


def test_just_so_many_bytes_and_photos_may_be_kept(store: Store) -> None:
    game, data = new_game(store), camera_photo()
    limits = PhotoLimits(max_input_bytes=len(data), max_photos_per_game=2)
    kept = [keep_photo(store, game.id, data, consent=True, limits=limits) for _ in range(2)]
    assert photos_of(store, game.id) == kept
    for less, expected in (
        (limits, {"limit": 2, "actual": 2}),
        (
            PhotoLimits(max_input_bytes=len(data) - 1),
            {"limit": len(data) - 1, "actual": len(data)},
        ),
    ):
        with pytest.raises(StoreError, match="photo_too_large") as refused:
            keep_photo(store, game.id, data, consent=True, limits=less)
        assert refused.value.details == expected
    # Another game has room of its own.
    assert keep_photo(store, new_game(store).id, data, consent=True, limits=limits)


@pytest.mark.parametrize("shape", [(90, 90), (90, 90, 4), (1, 90, 90, 3)])
def test_what_is_no_picture_of_a_square_is_a_fault_of_the_program(
    store: Store, shape: tuple[int, ...]
) -> None:
    for dtype in (np.uint8, np.float32):
        with pytest.raises(ValueError, match="rgb: expected shape"):
            keep_square(
                store, new_game(store).id, np.zeros(shape, dtype), "w",
                place="0,0", source_photo="p", consent=True,
            )  # fmt: skip


def test_photos_are_listed_without_their_pictures(store: Store) -> None:
    """Those of an evening would else be in memory at once."""
    game = new_game(store)
    asked: list[str] = []
    photo = keep_photo(store, game.id, camera_photo(), consent=True)
    with watched(store, asked):
        assert [each.id for each in photos_of(store, game.id)] == [photo.id]
    assert asked
    assert not any("jpeg" in each for each in asked)


@contextmanager
def watched(store: Store, asked: list[str]) -> Iterator[None]:
    """What is asked of the database meanwhile."""

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield
    event.remove(store.engine, "before_cursor_execute", note)


RED = np.full((90, 90, 3), (200, 30, 30), np.uint8)


def keep(store: Store, game_id: str, label: str, place: str = "0,0", photo: str = "p") -> str:
    return keep_square(store, game_id, RED, label, place=place, source_photo=photo, consent=True)


def test_without_consent_no_square_is_kept(store: Store) -> None:
    game = new_game(store)
    with pytest.raises(StoreError, match="no_consent"):
        keep_square(store, game.id, RED, "w", place="0,0", source_photo="p", consent=False)
    assert count_squares(store, "kingdomino") == {}


def test_a_second_correction_replaces_the_first(store: Store) -> None:
    game = new_game(store)
    assert keep(store, game.id, "w") == keep(store, game.id, "w1")
    keep(store, game.id, "w1", "0,1")
    assert count_squares(store, "kingdomino") == {"w1": 2}


def test_the_export_has_the_form_of_the_training_data(store: Store, tmp_path: Path) -> None:
    game, other = new_game(store), new_game(store)
    keep(store, game.id, "w1")
    keep(store, game.id, ".", "0,1")
    keep(store, game.id, "3|4", "0,2")
    keep(store, other.id, "w1")
    keep(store, other.id, "w1", photo="another")
    assert export_squares(store, "pip_dominoes", tmp_path / "none") == 0
    assert export_squares(store, "kingdomino", tmp_path / "out") == 5
    with (tmp_path / "out/labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == [".", "3|4", "w1", "w1", "w1"]
    # Neither of these labels could be a folder everywhere.
    assert [row["file"].partition("/")[0] for row in rows] == ["empty", "3-4", "w1", "w1", "w1"]
    # A session is a game, of however many photos.
    assert len({row["session"] for row in rows}) == 2
    assert len({row["source_photo"] for row in rows}) == 3
    for row in rows:
        assert set(row) == {"file", "label", "source_photo", "session"}
        with Image.open(tmp_path / "out" / row["file"]) as picture:
            assert picture.size == (64, 64)
            assert picture.getpixel((32, 32)) == (200, 30, 30)
    text = (tmp_path / "out/labels.csv").read_bytes().decode()
    assert text.startswith("file,label,source_photo,session\nempty/")
    assert "\r" not in text
    assert game.id not in text


def test_squares_of_a_deleted_game_are_left_out(store: Store, tmp_path: Path) -> None:
    game = new_game(store)
    keep(store, game.id, "w1")
    delete_game(store, game.id, ANNA)
    assert export_squares(store, "kingdomino", tmp_path) == 0


@pytest.mark.parametrize("label", ["", "../w", "W", "w" * 17])
def test_a_label_that_is_none_is_refused(store: Store, label: str) -> None:
    with pytest.raises(StoreError, match="bad_value"):
        keep(store, new_game(store).id, label)


@pytest.mark.parametrize("consent", [False, True])
def test_corrections_are_kept_with_consent_only(store: Store, consent: bool) -> None:
    game = new_game(store)
    squares = [CorrectedSquare("0,0", RED, "w1"), CorrectedSquare("0,1", RED, "f")]
    if consent:
        assert keep_corrected(store, game.id, squares, source_photo="p", consent=True) == 2
        assert count_squares(store, "kingdomino") == {"f": 1, "w1": 1}
        return
    with pytest.raises(StoreError, match="no_consent"):
        keep_corrected(store, game.id, squares, source_photo="p", consent=False)
    assert count_squares(store, "kingdomino") == {}


def test_a_deleted_game_takes_no_pictures_and_those_it_has_go_with_it(store: Store) -> None:
    """Until then they stay, so that it can be brought back whole."""
    game, other = new_game(store), new_game(store)
    kept = [keep_photo(store, each.id, camera_photo(), consent=True) for each in (game, other)]
    keep(store, game.id, "w1")
    delete_game(store, game.id, ANNA)
    with pytest.raises(StoreError, match="deleted_game"):
        keep_photo(store, game.id, camera_photo(), consent=True)
    with pytest.raises(StoreError, match="deleted_game"):
        keep(store, game.id, "w1", "0,1")
    assert photos_of(store, game.id) == kept[:1]
    assert game_of_photo(store, kept[0].id) == game.id
    erase_game(store, game.id)
    with pytest.raises(StoreError, match="no_photo"):
        load_photo(store, kept[0].id)
    assert game_of_photo(store, kept[0].id) is None
    assert count_squares(store, "kingdomino") == {}
    assert photos_of(store, other.id) == kept[1:]


def test_photos_are_listed_from_the_first_and_bounded_as_they_are_kept(store: Store) -> None:
    game = new_game(store)
    limits = PhotoLimits(target_long_side_px=300, max_long_side_px=400)
    kept = [
        keep_photo(store, game.id, camera_photo(500 + n, 40), consent=True, limits=limits)
        for n in range(5)
    ]
    assert photos_of(store, game.id) == kept
    assert [each.height for each in kept] == [500, 501, 502, 503, 504]
    for each in kept:
        with Image.open(BytesIO(load_photo(store, each.id))) as picture:
            assert max(picture.size) == 400
    assert photos_of(store, new_game(store).id) == []


def test_a_photo_is_kept_as_well_as_is_said(store: Store) -> None:
    game = new_game(store)
    noise = np.random.default_rng(5).integers(0, 255, (64, 64, 3), np.uint8)
    file = BytesIO()
    Image.fromarray(noise).save(file, "PNG")
    for quality in (85, 30):
        limits = PhotoLimits() if quality == 85 else PhotoLimits(jpeg_quality=quality)
        kept = keep_photo(store, game.id, file.getvalue(), consent=True, limits=limits)
        expected = BytesIO()
        Image.fromarray(noise).save(expected, "JPEG", quality=quality)
        assert load_photo(store, kept.id) == expected.getvalue()


def test_a_photo_is_decoded_by_whom_it_is_said(store: Store) -> None:
    """Once, to the size that is kept."""
    asked: list[tuple[bytes, int]] = []

    def decoder(data: bytes, settings: PhotoSettings) -> Photo:
        asked.append((data, settings.target_long_side_px))
        return decode(data, settings)

    data = camera_photo()
    keep_photo(store, new_game(store).id, data, consent=True, decoder=decoder)
    assert asked == [(data, PhotoLimits().target_long_side_px)]


def test_squares_are_those_of_a_kind_and_reduced_finely(store: Store, tmp_path: Path) -> None:
    games.register_kinds()
    game, other = new_game(store), store.create_game("muggins")
    lines = np.zeros((90, 90, 3), np.uint8)
    lines[::3] = (250, 120, 30)
    keep_square(store, game.id, lines, "w" * 16, place="0,0", source_photo="p", consent=True)
    keep(store, other.id, "3|4")
    for number in range(4):
        keep(store, game.id, "f", f"1,{number}")
    assert count_squares(store, "kingdomino") == {"f": 4, "w" * 16: 1}
    assert list(count_squares(store, "kingdomino")) == ["f", "w" * 16]
    folder = tmp_path / "new" / "out"
    for _ in range(2):  # Into a new folder, and once more.
        assert export_squares(store, "kingdomino", folder) == 5
    table = (folder / "labels.csv").read_text("utf-8").splitlines()
    rows = [each.split(",") for each in table[1:]]
    assert rows == sorted(rows, key=lambda row: (row[1], row[0]))
    # The photo is the same for all, and no name is longer than it need be.
    assert {len(each) for row in rows for each in row[2:]} == {16}
    assert len({row[2] for row in rows}) == 1
    (of_lines,) = [row[0] for row in rows if row[1] != "f"]
    with Image.open(folder / of_lines) as picture:
        reduced = Image.fromarray(lines).resize((64, 64), Image.Resampling.LANCZOS)
        np.testing.assert_array_equal(np.asarray(picture), np.asarray(reduced))
