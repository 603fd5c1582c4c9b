from __future__ import annotations

import numpy as np
import pytest

from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.store.photos import keep_photo
from companion.web.kingdomino.readings import keep_readings, kept_readings, read_again, read_shelved
from companion.web.visit import Visit
from scorer.kingdomino import Rules
from vision.kingdomino.samples import sample_folder, sample_labels
from vision.photo.errors import PhotoError

SAMPLE = "complete-5x5.jpg"


def read_table(store: Store, visit: Visit, *, consent: bool) -> Table:
    """A player whose kingdom was read from a sample."""
    photo = visit.shelf.put((sample_folder() / SAMPLE).read_bytes(), visit.device)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    (reading,) = keep_readings(
        store, table.game.id, photo, read_shelved(visit.house, photo), consent=consent
    )
    kept = kept_readings(store, table.game.id)[reading]
    table = table.with_reading(table.seats[0], reading, kept)
    if consent:
        visit.shelf.drop(photo.id)
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
    assert kept.reading.kingdom == sample_labels()[SAMPLE]
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
    for photo in list(visit.shelf._photos):
        visit.shelf.drop(photo)
    corners = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
    assert read_again(visit, table, table.seats[0], corners, (5, 5)) is None


def test_consent_is_what_keeps_a_photo(store: Store, visit: Visit) -> None:
    photo = visit.shelf.put((sample_folder() / SAMPLE).read_bytes(), visit.device)
    game = new_table(store, Actor(visit.device)).game
    kept = keep_photo(store, game.id, photo.data, consent=True)
    assert (kept.width, kept.height) == (photo.width, photo.height)
