"""Readings kept to the last bit, corrected and settled again, and squares cut from corrections."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings, unread_photo
from companion.games.kingdomino.kind import KINGDOMINO
from companion.store import Store, StoreError, open_store
from companion.store.labelled_squares import count_squares, export_squares, keep_corrected
from companion.store.tables import ReadingRow
from companion.web.kingdomino.readings import corrected_squares
from scorer.kingdomino import Kingdom, Square
from tests.companion.games.kingdomino.readings import SQUARE_PX, kingdom_reading
from vision.kingdomino.resettling import settle_together
from vision.kingdomino.result import LABELS, ONE_CROWN, KingdomReading

READING = kingdom_reading("w1 w/c f", {(0, 1): "f1", (1, 1): "f1"})


def test_a_kingdom_of_a_photo_begins_with_its_doubts() -> None:
    board = KeptBoard.of_reading(READING, "a")
    assert str(board.kingdom) == "w1 w/c f"
    assert board.doubtful == {(0, 1), (1, 1)}
    assert (board.corrected, board.origin, board.reading) == (frozenset(), (0, 0), "a")


def test_a_kingdom_by_hand_begins_with_its_castle_in_the_middle() -> None:
    board = KeptBoard.by_hand(5)
    assert (board.kingdom.height, board.kingdom.width) == (5, 5)
    assert [place for place, square in board.kingdom.items() if not square.is_empty] == [(2, 2)]
    assert board.kingdom[2, 2].is_castle
    assert board == KeptBoard(board.kingdom)


def test_a_reading_is_that_of_its_own_game(store: Store) -> None:
    """A game that was brought in as a copy has readings of the same ids."""
    found = []
    for width in (40, 41):
        game = store.create_game(KINGDOMINO.key).id
        data = KeptReading(READING, "photo", width, 30).to_data()
        with store.writing() as session:
            session.add(ReadingRow(game_id=game, id="same-reading", data=data))
        found += [each.width for each in kept_readings(store, game).values()]
    assert found == [40, 41]


def test_corners_begin_inside_of_a_photo_however_wide_it_is() -> None:
    (reading,) = unread_photo(1000, 400).kingdoms
    expected = [[380, 80], [620, 80], [620, 320], [380, 320]]
    np.testing.assert_allclose(reading.corners, expected)


def test_what_people_set_is_cut_from_the_photo_with_its_label(store: Store, tmp_path: Path) -> None:
    """One row was added above since; the photo is kept at half its size."""
    game = store.create_game(KINGDOMINO.key)
    reading = KeptReading(kingdom_reading("w w1/c m3"), "photo", 200, 160)
    board = KeptBoard(
        Kingdom.parse("l ./f w1/c m3!"), (1, 0), corrected=frozenset({(0, 0), (1, 0), (2, 1)})
    )
    rgb = np.zeros((80, 100, 3), np.uint8)
    left, top = 10 // 2, 20 // 2
    rgb[top : top + SQUARE_PX // 2, left : left + SQUARE_PX // 2] = (0, 200, 0)
    squares = list(corrected_squares(board, reading, rgb))
    with pytest.raises(StoreError, match="no_consent"):
        keep_corrected(store, game.id, squares, source_photo="photo", consent=False)
    assert keep_corrected(store, game.id, squares, source_photo="photo", consent=True) == 1
    assert keep_corrected(store, game.id, squares, source_photo="photo", consent=True) == 1
    assert count_squares(store, "kingdomino") == {"f": 1}
    export_squares(store, "kingdomino", tmp_path / "out")
    with Image.open(next((tmp_path / "out/f").iterdir())) as picture:
        np.testing.assert_array_equal(np.asarray(picture)[4:60, 4:60, 1], 200)


RNG = np.random.default_rng(3)


def full_reading() -> KingdomReading:
    """A reading with every field filled, one square in doubt."""
    reading = kingdom_reading("w w1/c f", {(1, 1): "f1"}, lattice_certain=False)
    probabilities = RNG.dirichlet(np.full(len(LABELS), 0.05), (2, 2))
    labels = ((0, 0, "w"), (0, 1, "w1"), (1, 0, "c"), (1, 1, "f"))
    for row, column, label in labels:
        probabilities[row, column] = probabilities[row, column] * 0.2
        probabilities[row, column, LABELS.index(label)] += 0.8
    return replace(
        reading,
        castle_colour="pink",
        probabilities=probabilities,
        considered=np.ones((2, 2), np.bool_),
        next_best=kingdom_reading("w"),
        warnings=("cut_off", "hidden"),
    )


def test_data_gives_every_field_back() -> None:
    reading = full_reading()
    kept = KeptReading(reading, "photo", 640, 480)
    again = KeptReading.from_data(json.loads(json.dumps(kept.to_data(), allow_nan=False)))
    assert (again.photo, again.width, again.height) == ("photo", 640, 480)
    for each in fields(KingdomReading):
        before, after = getattr(reading, each.name), getattr(again.reading, each.name)
        if isinstance(before, np.ndarray):
            np.testing.assert_array_equal(after, before)
            assert after.dtype == before.dtype
        else:
            assert after == before


def test_a_reading_from_before_there_were_warnings_is_understood() -> None:
    data = KeptReading(kingdom_reading("w w1")).to_data()
    del data["reading"]["warnings"]
    for row in data["reading"]["squares"]:
        for square in row:
            del square["reason"]
    assert KeptReading.from_data(data).reading == kingdom_reading("w w1")


def test_a_reading_from_before_giants_were_read_settles_as_before() -> None:
    reading = full_reading()
    assert reading.probabilities is not None
    older = [place for place, label in enumerate(LABELS) if label not in ONE_CROWN]
    data = KeptReading(reading).to_data()
    rows = data["reading"]["probabilities"]
    data["reading"]["probabilities"] = [[[cell[k] for k in older] for cell in row] for row in rows]
    again = KeptReading.from_data(data).reading.probabilities
    assert again is not None
    assert again.shape == reading.probabilities.shape
    np.testing.assert_array_equal(again[..., older], reading.probabilities[..., older])
    assert not np.delete(again, older, 2).any()
    kept = replace(reading, probabilities=again)
    (now,) = settle_together([kept], [{(0, 1): "w"}])
    assert now.kingdom[0, 1] == Square.parse("w")


@pytest.mark.parametrize("shape", [(2, 2, 3), (2, 2), (2, 2, len(LABELS) + 1)])
def test_probabilities_of_other_labels_are_refused(shape: tuple[int, ...]) -> None:
    data = KeptReading(full_reading()).to_data()
    data["reading"]["probabilities"] = np.zeros(shape).tolist()
    with pytest.raises(ValueError, match="probabilities"):
        KeptReading.from_data(data)


def test_a_reading_without_probabilities_is_kept_too() -> None:
    kept = KeptReading(kingdom_reading("w w1"))
    assert KeptReading.from_data(kept.to_data()) == kept


@pytest.mark.parametrize("data", [None, {}, {"reading": {}, "photo": None, "width": 1}])
def test_other_data_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="reading"):
        KeptReading.from_data(data)


def test_a_correction_settles_the_rest_after_a_reload(empty_url: str) -> None:
    store = open_store(empty_url)
    reading = full_reading()
    game = store.create_game(KINGDOMINO.key)
    reading_id = store.keep_reading(game.id, KeptReading(reading, None, 640, 480).to_data())
    board = KeptBoard.of_reading(reading, reading_id)
    store.close()

    again = open_store(empty_url)
    kept = KeptReading.from_data(again.readings(game.id)[reading_id])
    again.close()
    assert KeptBoard.from_data(board.to_data()) == board
    assert kept.reading.doubtful == reading.doubtful
    correction = [{(0, 1): "w"}]
    assert kept.reading.probabilities is not None
    assert settle_together([kept.reading], correction) == settle_together([reading], correction)


def test_what_is_said_of_the_whole_photo_is_kept() -> None:
    kept = KeptReading(kingdom_reading("w1 w c"), "photo", 640, 480, ("mirrored",))
    data = kept.to_data()
    assert KeptReading.from_data(data).warnings == ("mirrored",)
    del data["warnings"]
    assert KeptReading.from_data(data).warnings == ()
