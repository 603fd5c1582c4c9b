"""What a phone sends of a hand, believed only after a look; whose a tile is."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from companion.games.pip_dominoes.kept import KeptHand, KeptTile
from companion.games.pip_dominoes.kept_reading import KeptHandReading
from companion.games.pip_dominoes.table import DominoTable, new_table
from companion.languages import Language
from companion.store import Actor, Store
from companion.store.photos import photos_of
from companion.web.pip_dominoes.hand_view import _keep, changed_hand, hand_state
from companion.web.pip_dominoes.parts import take_photo
from companion.web.shared_state import SharedState
from companion.web.shell.bridge import Message
from companion.web.visit import Visit
from scorer.pip_dominoes import Tile
from tests.companion.games.pip_dominoes.hands import hand_of

BEFORE = KeptHand((KeptTile(Tile(5, 9), 0, True),), reading="r1")


def test_a_changed_hand_keeps_its_reading() -> None:
    sent = {"hand": {"tiles": "5|8 1|2", "places": [0, None]}}
    found = changed_hand(sent, BEFORE, dominoes=1)
    assert found == KeptHand((KeptTile(Tile(5, 8), 0), KeptTile(Tile(1, 2))), reading="r1")
    counted = changed_hand({"hand": {"counted": 7}}, BEFORE, dominoes=1)
    assert counted == KeptHand(counted=7, reading="r1")


@pytest.mark.parametrize(
    "hand",
    [
        None,
        "5|9",
        {"tiles": "5|19"},
        {"tiles": "5|9", "places": [1]},
        {"tiles": "5|9", "reading": "r2"},
        {"counted": -3},
    ],
    ids=str,
)
def test_what_a_piece_does_not_send_changes_nothing(hand: Any) -> None:
    assert changed_hand({"hand": hand}, BEFORE, dominoes=1) is None


def test_the_pad_knows_the_middle_and_the_other_hands(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    rules = {"set": 9, "rounds": None, "first": 0}
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, Actor("device-of-anna-1"))
    table.set_hand(2, 1, KeptHand.of_tiles([Tile(3, 4)]))
    state = hand_state(visit, table, 2, 0)
    assert (state["middle"], state["costs"], state["highest"]) == ("8|8", True, 9)
    assert state["elsewhere"] == {"3|4": "Ben"}
    assert (state["hand"], state["photo"], state["counting"]) == (None, None, True)
    assert hand_state(visit, table, 10, 0)["costs"] is False


def picture() -> bytes:
    file = BytesIO()
    Image.new("RGB", (400, 300), (90, 60, 40)).save(file, "PNG")
    return file.getvalue()


def table_with_photo(store: Store, visit: Visit) -> DominoTable:
    rules = {"set": 12, "rounds": None, "first": 0}
    made = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, visit.actor)
    table = DominoTable(store, made.game_id, visit.actor, lambda data, highest: hand_of("5|9 0|0"))
    photo = visit.photos.put(picture(), visit.device)
    assert take_photo(visit, table, 1, 0, [photo.id]) is not None
    visit.photos.drop(photo.id)
    return table


def test_a_photo_that_was_not_kept_is_shown_no_more(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = table_with_photo(store, visit)
    state = hand_state(visit, table, 1, 0)
    assert (state["photo"], state["hand"]["tiles"]) == (None, "5|9 0|0")
    assert photos_of(store, table.game_id) == []


def test_a_photo_that_people_keep_stays(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH, keep_photos=True)
    table = table_with_photo(store, visit)
    (kept,) = photos_of(store, table.game_id)
    photo = hand_state(visit, table, 1, 0)["photo"]
    assert (photo["address"], photo["width"], photo["height"]) == (f"photo/{kept.id}", 400, 300)
    assert len(photo["dominoes"]) == 2


def test_an_address_from_elsewhere_is_not_shown(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    table = table_with_photo(store, visit)
    reading = KeptHandReading.of(hand_of("5|9"), "x');background:url(//elsewhere/", 400, 300)
    reading_id = store.keep_reading(table.game_id, reading.to_data())
    table.set_hand(1, 1, reading.hand(reading_id))
    assert hand_state(visit, table, 1, 1)["photo"] is None


def test_a_patience_against_the_clock_takes_tiles_and_no_number(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    rules = {"set": 6, "challenge": "clock"}
    table = new_table(store, "castle_rock", ["Anna"], rules, Actor("device-of-anna-1"))
    assert hand_state(visit, table, 1, 0)["counting"] is False


def test_what_a_phone_sends_again_after_a_restart_undoes_nobodys_correction(store: Store) -> None:
    rules = {"set": 9, "rounds": None, "first": 0}
    table = new_table(store, "chickenfoot", ["Anna", "Ben"], rules, Actor("device-of-anna-1"))
    corrected = KeptHand.of_tiles([Tile(3, 4)])
    table.set_hand(1, 0, corrected)
    old = Message("phone00001", 3, (), {"hand": {"tiles": "3|5"}, "before": None}, first=True)
    _keep(table, 1, 0, old)
    assert table.hand(1, 0) == corrected
    # What was made from the hand as it is, or is not the first that was heard of, counts.
    _keep(table, 1, 0, replace(old, data={**old.data, "before": corrected.to_data()}))
    assert table.hand(1, 0) == KeptHand.of_tiles([Tile(3, 5)])
    _keep(table, 1, 0, replace(old, data={**old.data, "hand": {"tiles": "3|6"}}, first=False))
    assert table.hand(1, 0) == KeptHand.of_tiles([Tile(3, 6)])
