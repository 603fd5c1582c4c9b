"""One correction can mend its partner, and never touches what a person has set."""

from dataclasses import replace

import numpy as np
import pytest

from companion.games.kingdomino import editing
from companion.games.kingdomino.editing import EditedKingdom, Side, settled
from scorer.kingdomino import Square
from tests.companion.kingdomino.readings import kingdom_reading
from vision.kingdomino.labels import LABELS
from vision.kingdomino.result import KingdomReading


def read_as(notation: str, seen: dict[tuple[int, int], dict[str, float]]) -> EditedKingdom:
    """A kingdom whose classifier saw ``seen`` on some squares and was sure of the others."""
    reading = kingdom_reading(notation, dict.fromkeys(seen, "w"))
    probabilities = np.full((reading.kingdom.height, reading.kingdom.width, len(LABELS)), 1e-6)
    for place, square in reading.kingdom.items():
        for label, share in seen.get(place, {str(square): 1.0}).items():
            probabilities[*place, LABELS.index(label)] = share
    probabilities /= probabilities.sum(2, keepdims=True)
    return EditedKingdom.of_reading(replace(reading, probabilities=probabilities))


def test_a_correction_mends_its_partner() -> None:
    # Three crowns on a mine lie beside wheat in the box, and nowhere else.
    before = read_as("c l m1", {(0, 1): {"l": 0.5, "w": 0.5}, (0, 2): {"m1": 0.5, "m3": 0.5}})
    corrected = before.with_square((0, 2), Square.parse("m3"))
    (after,) = settled([corrected])
    assert str(after.kingdom) == "c w m3"
    assert (0, 1) in after.doubtful
    assert after.corrected == {(0, 2)}


@pytest.mark.parametrize("square", ["f2", "w3", "w2", "l3", "s3", "m3!", "."])
def test_what_the_box_does_not_have_stays_and_the_rest_is_settled(square: str) -> None:
    before = read_as("c w w/f f .", {(1, 0): {"f": 0.6, "l": 0.4}})
    (after,) = settled([before.with_square((0, 1), Square.parse(square))])
    assert str(after.kingdom[0, 1]) == square
    assert after.corrected == {(0, 1)}
    assert [str(after.kingdom[1, column]) for column in range(2)] == ["f", "f"]


def test_what_a_person_set_stays() -> None:
    before = read_as("c l m1", {(0, 1): {"l": 0.5, "w": 0.5}, (0, 2): {"m1": 0.5, "m3": 0.5}})
    corrected = before.with_square((0, 2), Square.parse("m3")).confirmed((0, 1))
    (after,) = settled([corrected])
    assert str(after.kingdom) == "c l m3"


def test_another_kingdom_of_the_photo_learns_of_it_too() -> None:
    first = read_as("c w m1", {(0, 2): {"m1": 0.5, "m3": 0.5}})
    second = read_as("c w m3", {(0, 2): {"m3": 0.6, "m1": 0.4}})
    changed, other = settled([first.with_square((0, 2), Square.parse("m3")), second])
    assert str(changed.kingdom) == "c w m3"
    assert str(other.kingdom) == "c w m1"
    assert (0, 2) in other.doubtful


def test_without_a_photo_or_a_correction_nothing_changes() -> None:
    by_hand = EditedKingdom.empty(5).with_square((0, 0), Square.parse("m3"))
    read = read_as("c l m1", {(0, 1): {"l": 0.5, "w": 0.5}})
    assert settled([by_hand]) == [by_hand]
    assert settled([read]) == [read]


def test_added_rows_keep_corrections_in_place() -> None:

    before = read_as("c l m1", {(0, 1): {"l": 0.5, "w": 0.5}, (0, 2): {"m1": 0.5, "m3": 0.5}})
    moved = before.with_line(Side.TOP).with_line(Side.LEFT)
    (after,) = settled([moved.with_square((1, 3), Square.parse("m3!"))])
    assert str(after.kingdom) == ". . . ./. c w m3!"


def test_the_box_of_the_expansion_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def settle(readings: list[KingdomReading], _: object, *, giants: bool) -> list[KingdomReading]:
        asked.append(giants)
        return readings

    monkeypatch.setattr(editing, "settle_together", settle)
    kingdom = read_as("c l w", {}).confirmed((0, 1))
    settled([kingdom])
    settled([kingdom], giants=True)
    assert asked == [False, True]
