"""Readings on a page: corners, corrections settled again, and what is kept to learn from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vision
from companion.games.kingdomino.editing import EditedKingdom, KeptReading, board_of
from companion.games.kingdomino.kind import KINGDOMINO, KeptBoard, KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.reading import decoding, jobs
from companion.reading.decoding import ask_worker
from companion.store import Actor, Store
from companion.store.labelled_squares import count_squares
from companion.store.photos import keep_photo
from companion.web.kingdomino import corrections
from companion.web.kingdomino.board_changes import board_frame, lattice_place, rotated
from companion.web.kingdomino.corrections import (
    keep_squares,
    keep_squares_later,
    settle_later,
    settle_now,
    wait_until_settled,
    wait_until_squares_kept,
)
from companion.web.kingdomino.readings import keep_readings, kept_readings, read_again, read_cached
from companion.web.visit import Visit
from scorer.kingdomino import Rules, Square
from tests.companion.games.kingdomino.readings import kingdom_reading
from vision.kingdomino.labels import LABELS
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.samples import sample_folder, sample_labels
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


def reading(notation: str, unsure: dict[tuple[int, int], tuple[str, str]]) -> KingdomReading:
    """A kingdom with squares that may be one or the other."""
    found = kingdom_reading(notation)
    seen = np.full((found.kingdom.height, found.kingdom.width, len(LABELS)), 1e-6)
    for place, square in found.kingdom.items():
        for label in unsure.get(place, (str(square),)):
            seen[*place, LABELS.index(label)] = 1.0
    return replace(found, probabilities=seen / seen.sum(2, keepdims=True))


@pytest.fixture
def at_table(store: Store) -> Table:
    """A kingdom whose mine may have one crown or three, beside a lake that may be wheat."""
    kept = KeptReading(reading("c l m1", {(0, 1): ("l", "w"), (0, 2): ("m1", "m3")}))
    table = new_table(store, Actor()).with_player("Anna")
    reading_id = store.keep_reading(table.game.id, kept.to_data())
    return table.with_reading(table.seats[0], reading_id, kept)


def corrected(board: KeptBoard) -> KeptBoard:
    (mine,) = [place for place, _ in board.kingdom.items() if lattice_place(board, place) == (0, 2)]
    kingdom = board.kingdom.replace({mine: Square.parse("m3")})
    return replace(board, kingdom=kingdom, corrected=frozenset({mine}))


@pytest.mark.parametrize("turns", range(4))
def test_a_correction_mends_its_partner_however_the_board_is_turned(
    store: Store, at_table: Table, turns: int
) -> None:
    board = at_table.seats[0].board
    assert board is not None
    table = at_table.with_board(at_table.seats[0], corrected(rotated(board, turns)), "set")
    assert settle_now(store, table.game.id) == 1
    after = table.again().seats[0].board
    assert after is not None
    assert board_frame(after).turns == turns
    assert str(rotated(after, -turns).kingdom) == "c w m3"
    assert rotated(after, -turns).doubtful == {(0, 1)}
    assert settle_now(store, table.game.id) == 0


def test_nothing_changes_without_a_correction(store: Store, at_table: Table) -> None:
    assert settle_now(store, at_table.game.id) == 0


def test_it_is_done_in_the_background(store: Store, at_table: Table) -> None:
    board = at_table.seats[0].board
    assert board is not None
    table = at_table.with_board(at_table.seats[0], corrected(board), "set")
    settle_later(store, table.game.id)
    settle_later(store, "no such game")
    wait_until_settled()
    after = table.again().seats[0].board
    assert after is not None
    assert str(after.kingdom) == "c w m3"


def test_a_board_by_hand_stays_as_it_is(store: Store) -> None:
    table = new_table(store, Actor()).with_player("Anna")
    table.with_board(table.seats[0], board_of(EditedKingdom.empty(5)), "by_hand")
    assert settle_now(store, table.game.id) == 0


def test_the_dominoes_of_the_expansion_count_where_it_is_played(
    store: Store, at_table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def settled(kingdoms: list[EditedKingdom], *, giants: bool) -> list[EditedKingdom]:
        asked.append(giants)
        return kingdoms

    monkeypatch.setattr(corrections, "settled", settled)
    settle_now(store, at_table.game.id)
    at_table.with_rules(KeptRules(Rules(age_of_giants=True)))
    settle_now(store, at_table.game.id)
    assert asked == [False, True]


def test_a_corrected_square_is_kept_with_its_label(store: Store, visit: Visit) -> None:
    photo = visit.photos.put((sample_folder() / "complete-5x5.jpg").read_bytes(), visit.device)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    (reading,) = keep_readings(visit, table.game.id, photo, read_cached(visit, photo))
    table = table.with_reading(
        table.seats[0], reading, kept_readings(store, table.game.id)[reading]
    )
    board = table.seats[0].board
    assert board is not None
    kingdom = board.kingdom.replace({(0, 0): Square.parse("f2")})
    corrected = replace(board, kingdom=kingdom, corrected=frozenset({(0, 0)}))
    keep_squares_later(visit, table.game.id, rotated(corrected, 1))
    wait_until_squares_kept()
    assert count_squares(store, KINGDOMINO.key) == {"f2": 1}
    visit.photos.drop(photo.id)
    assert keep_squares(visit, table.game.id, replace(corrected, reading=None)) == 0
