"""Corrected squares kept as labelled pictures, and exported as the training data has them."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.store import Store, StoreError
from companion.store.history import delete_game
from companion.store.labelled_squares import (
    count_squares,
    export_squares,
    forget_squares,
    keep_square,
)
from tests.companion.games.table_talk import ANNA, new_game

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
    assert forget_squares(store, "kingdomino") == 2
    assert count_squares(store, "kingdomino") == {}


def test_the_export_has_the_form_of_the_training_data(store: Store, tmp_path: Path) -> None:
    game, other = new_game(store), new_game(store)
    keep(store, game.id, "w1")
    keep(store, game.id, ".", "0,1")
    keep(store, other.id, "w1")
    assert export_squares(store, "kingdomino", tmp_path / "out") == 3
    with (tmp_path / "out/labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == [".", "w1", "w1"]
    assert len({row["session"] for row in rows}) == 2
    assert len({row["source_photo"] for row in rows}) == 2
    for row in rows:
        assert set(row) == {"file", "label", "source_photo", "session"}
        with Image.open(tmp_path / "out" / row["file"]) as picture:
            assert picture.size == (64, 64)
            assert picture.getpixel((32, 32)) == (200, 30, 30)
    text = (tmp_path / "out/labels.csv").read_text(encoding="utf-8")
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
