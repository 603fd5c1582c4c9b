"""Readings on a page: corners, corrections settled again, and what is kept to learn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vision
from companion.games.kingdomino.kept_board import KeptBoard, rotated
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings
from companion.games.kingdomino.kind import KINGDOMINO, KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.reading import decoding, jobs
from companion.reading.decoding import ask_worker
from companion.store import Actor, Store
from companion.store.labelled_squares import count_squares
from companion.store.photos import keep_photo
from companion.web.kingdomino.readings import (
    corrected_squares,
    keep_readings,
    keep_squares,
    keep_squares_later,
    read_again,
    read_cached,
    read_with,
    wait_until_squares_kept,
)
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules, Square
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_shared_state import jpeg
from vision.kingdomino.refit import sample_folder, sample_labels
from vision.photo.errors import PhotoError

SAMPLE = sample_folder() / "begun.jpg"


def test_a_photo_is_decoded_once(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the page that shows it and for the reader together."""
    blocks: list[bytes] = []

    def asked(task: str, record: dict[str, Any], block: bytes, *rest: Any, **how: Any) -> Any:
        blocks.append(block)
        return ask_worker(task, record, block, *rest, **how)

    for module in (decoding, jobs):
        monkeypatch.setattr(module, "ask_worker", asked)
    data = SAMPLE.read_bytes()
    photo = visit.photos.put(data, visit.device)
    assert read_cached(visit, photo) == vision.read_kingdoms(SAMPLE)
    assert len(blocks) == 2
    assert blocks.count(data) == 1
    # Read a second time, it has to be decoded again.
    read_cached(visit, photo)
    assert blocks.count(data) == 2


@pytest.mark.parametrize("giants", [False, True])
def test_the_reader_is_told_of_the_giants(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    """Of a photo alone, and of one that is read together with another."""
    asked: list[Mapping[str, Any]] = []

    def ask(reader: jobs.GameReader[Any], _: object) -> Any:
        asked.append(reader.options)
        return photo_reading()

    monkeypatch.setattr(jobs.GameReader, "ask", ask)
    photo = visit.photos.put(jpeg(40), visit.device)
    kept = KeptReading(kingdom_reading("w ./c f"), None, 60, 40)
    read_cached(visit, photo, giants=giants)
    read_with(visit, photo, kept, giants=giants, same=not giants)
    assert [each["giants"] for each in asked] == [giants, giants]
    assert asked[1]["same"] is not giants
    assert asked[1]["earlier"]["kingdoms"][0]["kingdom"] == "w ./c f"


SAMPLE_PHOTO = "complete-5x5.jpg"


def read_table(store: Store, visit: Visit, *, consent: bool) -> Table:
    """A player whose kingdom was read from a sample."""
    photo = visit.photos.put((sample_folder() / SAMPLE_PHOTO).read_bytes(), visit.device)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    visit.keep_photos = consent
    (reading,) = keep_readings(visit, table.game.id, photo, read_cached(visit, photo))
    kept = kept_readings(store, table.game.id)[reading]
    table = table.with_reading(table.seats[0], reading, kept)
    if consent:
        visit.photos.drop(photo.id)
    return table


@pytest.mark.parametrize("consent", [False, True])
def test_the_squares_are_read_again_in_the_frame(store: Store, visit: Visit, consent: bool) -> None:
    table = read_table(store, visit, consent=consent)
    board = table.seats[0].board
    assert board is not None
    before = kept_readings(store, table.game.id)[board.reading or ""]
    corners = tuple((float(x), float(y)) for x, y in before.reading.corners)
    found = read_again(visit, table, table.seats[0], corners, (5, 5))
    assert found is not None
    reading_id, kept = found
    assert kept.reading.kingdom == sample_labels()[SAMPLE_PHOTO]
    np.testing.assert_allclose(kept.reading.corners, before.reading.corners, atol=1)
    assert reading_id in store.readings(table.game.id)


@pytest.mark.parametrize("giants", [False, True])
def test_with_the_giants_of_the_game(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch, giants: bool
) -> None:
    table = read_table(store, visit, consent=False)
    table = table.with_rules(KeptRules(Rules(age_of_giants=giants)))
    asked: list[bool] = []

    def read(*_: object, giants: bool) -> None:
        asked.append(giants)
        raise PhotoError("no_kingdom")

    monkeypatch.setattr("companion.web.kingdomino.readings.read_frame_isolated", read)
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    assert read_again(visit, table, table.seats[0], corners, (5, 5)) is None
    assert asked == [giants]


def test_where_the_photo_is_gone_nothing_is_read(store: Store, visit: Visit) -> None:
    table = read_table(store, visit, consent=False)
    for photo in list(visit.photos._photos):
        visit.photos.drop(photo)
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    assert read_again(visit, table, table.seats[0], corners, (5, 5)) is None


def test_consent_is_what_keeps_a_photo(store: Store, visit: Visit) -> None:
    photo = visit.photos.put((sample_folder() / SAMPLE_PHOTO).read_bytes(), visit.device)
    game = new_table(store, Actor(visit.device)).game
    kept = keep_photo(store, game.id, photo.data, consent=True)
    assert (kept.width, kept.height) == (photo.width, photo.height)


def test_a_photo_that_people_keep_is_decoded_by_a_worker(
    store: Store, visit: Visit, for_workers: list[bytes]
) -> None:
    photo = visit.photos.put(jpeg(), visit.device)
    game = new_table(store, Actor(visit.device)).game
    visit.keep_photos = True
    keep_readings(visit, game.id, photo, photo_reading(kingdom_reading("c w1 w")))
    assert for_workers == [photo.data]


def test_a_corrected_square_is_kept_with_its_label(store: Store, visit: Visit) -> None:
    photo = visit.photos.put((sample_folder() / "complete-5x5.jpg").read_bytes(), visit.device)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    (reading,) = keep_readings(visit, table.game.id, photo, read_cached(visit, photo))
    table = table.with_reading(
        table.seats[0], reading, kept_readings(store, table.game.id)[reading]
    )
    board = table.seats[0].board
    assert board is not None
    kingdom = board.kingdom.replace({(0, 1): Square.parse("f2")})
    corrected = replace(board, kingdom=kingdom, corrected=frozenset({(0, 1)}))
    keep_squares_later(visit, table.game.id, rotated(corrected, 1))
    wait_until_squares_kept()
    assert count_squares(store, KINGDOMINO.key) == {"f2": 1}
    visit.photos.drop(photo.id)
    assert keep_squares(visit, table.game.id, replace(corrected, reading=None)) == 0


def test_what_is_said_of_a_whole_photo_is_kept_with_each_kingdom(
    store: Store, visit: Visit
) -> None:
    table, photo = new_table(store, visit.actor), visit.photos.put(jpeg(), visit.device)
    kingdoms = kingdom_reading("c w1 w"), kingdom_reading("c l l1", left=300)
    found = replace(photo_reading(*kingdoms), warnings=("other_squares",))
    ids = keep_readings(visit, table.game.id, photo, found)
    kept = [kept_readings(store, table.game.id)[each] for each in ids]
    assert [each.reading.kingdom for each in kept] == [each.kingdom for each in kingdoms]
    assert [each.warnings for each in kept] == [("other_squares",)] * 2


def test_squares_are_cut_from_where_they_lie_at_any_size_of_the_photo() -> None:
    """None are cut beyond what was read, nor where a giant or a piece hides the tile."""
    coarse = np.random.default_rng(1).integers(0, 256, (24, 32, 3), np.uint8)
    photo = coarse.repeat(20, axis=0).repeat(20, axis=1)
    kept = KeptReading(kingdom_reading("w1 w/c f"), "a-photo-of-the-table", 640, 480)
    board = KeptBoard(Kingdom.parse("s . ./w1 w g/c f2! ."), (1, 0))
    board = replace(board, corrected=frozenset({(0, 0), (1, 0), (1, 1), (1, 2), (2, 1)}))
    whole, half = (list(corrected_squares(board, kept, rgb)) for rgb in (photo, photo[::2, ::2]))
    assert [(each.place, each.label) for each in whole] == [("0,0", "w1"), ("0,1", "w")]
    for one, other in zip(whole, half, strict=True):
        off = np.abs(one.rgb.astype(float) - other.rgb).mean()
        assert off < np.abs(whole[0].rgb.astype(float) - whole[1].rgb).mean() / 2
