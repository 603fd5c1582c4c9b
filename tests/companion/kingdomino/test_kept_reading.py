"""Readings as plain data: kept to the last bit, so that settling goes on after a reload."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from companion.games.kingdomino.editing import (
    EditedKingdom,
    KeptReading,
    board_of,
    edited_of,
    settled,
)
from companion.games.kingdomino.kind import KINGDOMINO, KeptBoard
from companion.store import open_store
from scorer.kingdomino import Square
from tests.companion.kingdomino.readings import kingdom_reading
from vision.kingdomino.labels import LABELS, ONE_CROWN
from vision.kingdomino.result import KingdomReading

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
        detection_scores=np.array([[0.9, np.nan], [1 / 3, 0.5]]),
        misfit=0.04,
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
    (now,) = settled([EditedKingdom.of_reading(kept).with_square((0, 1), Square.parse("w"))])
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


def test_a_correction_settles_the_rest_after_a_reload(tmp_path: object) -> None:
    store = open_store(f"sqlite:///{tmp_path}/games.sqlite")
    reading = full_reading()
    edited = EditedKingdom.of_reading(reading)
    game = store.create_game(KINGDOMINO.key)
    reading_id = store.keep_reading(game.id, KeptReading(reading, None, 640, 480).to_data())
    board = board_of(edited, reading_id)
    store.close()

    again = open_store(f"sqlite:///{tmp_path}/games.sqlite")
    kept = KeptReading.from_data(again.readings(game.id)[reading_id])
    again.close()
    reopened = edited_of(KeptBoard.from_data(board.to_data()), kept)
    assert reopened == edited
    correction = ((0, 1), Square.parse("w"))
    before = settled([edited.with_square(*correction)])
    after = settled([reopened.with_square(*correction)])
    assert after == before


def test_what_is_said_of_the_whole_photo_is_kept() -> None:
    kept = KeptReading(kingdom_reading("w1 w c"), "photo", 640, 480, ("mirrored",))
    data = kept.to_data()
    assert KeptReading.from_data(data).warnings == ("mirrored",)
    del data["warnings"]
    assert KeptReading.from_data(data).warnings == ()
