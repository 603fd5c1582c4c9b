"""Corrected squares cut from the photo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.games.kingdomino.corrected_squares import keep_corrected_squares
from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO, KeptBoard
from companion.store import StoreError, open_store
from companion.store.labelled_squares import count_squares, export_squares
from scorer.kingdomino import Kingdom
from tests.companion.kingdomino.readings import SQUARE_PX, kingdom_reading


def test_what_people_set_is_cut_from_the_photo_with_its_label(tmp_path: Path) -> None:
    """One row was added above since; the photo is kept at half its size."""
    store = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    game = store.create_game(KINGDOMINO.key)
    reading = KeptReading(kingdom_reading("w w1/c m3"), "photo", 200, 160)
    board = KeptBoard(
        Kingdom.parse("l ./f w1/c m3!"), (1, 0), corrected=frozenset({(0, 0), (1, 0), (2, 1)})
    )
    rgb = np.zeros((80, 100, 3), np.uint8)
    left, top = 10 // 2, 20 // 2
    rgb[top : top + SQUARE_PX // 2, left : left + SQUARE_PX // 2] = (0, 200, 0)
    with pytest.raises(StoreError, match="no_consent"):
        keep_corrected_squares(store, game.id, board, reading, rgb, consent=False)
    assert keep_corrected_squares(store, game.id, board, reading, rgb, consent=True) == 1
    assert count_squares(store, "kingdomino") == {"f": 1}
    export_squares(store, "kingdomino", tmp_path / "out")
    with Image.open(next((tmp_path / "out/f").iterdir())) as picture:
        np.testing.assert_array_equal(np.asarray(picture)[4:60, 4:60, 1], 200)
    store.close()
