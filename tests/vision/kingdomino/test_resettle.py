"""Readings settled again: flags stay, corrections stand."""

import dataclasses
from pathlib import Path

import pytest

from scorer.kingdomino import NotationError
from vision import read_kingdoms, settle_together
from vision.kingdomino.result import KingdomReading

SAMPLES = Path(__file__).parents[3] / "sample_images"


@pytest.fixture(scope="module")
def begun() -> KingdomReading:
    return read_kingdoms(SAMPLES / "begun.jpg").kingdoms[0]


def test_settling_again_without_corrections_changes_nothing() -> None:
    for name in ("begun.jpg", "holes-5x5.jpg", "glare.jpg", "castle-standing.jpg"):
        reading = read_kingdoms(SAMPLES / name).kingdoms[0]
        (again,) = settle_together([reading])
        assert again == reading, name


def test_settling_again_keeps_the_flags_of_an_uncertain_grid(begun: KingdomReading) -> None:
    crooked = dataclasses.replace(begun, misfit=0.2)
    (again,) = settle_together([crooked])
    assert not again.lattice_certain
    assert again.doubtful


@pytest.mark.parametrize("label", ["f2", "w3", "l2", "m3!!", "."])
def test_any_correction_stands(begun: KingdomReading, label: str) -> None:
    (again,) = settle_together([begun], [{(0, 1): label}])
    assert str(again.kingdom[0, 1]) == label
    assert (0, 1) not in again.doubtful


def test_a_moved_castle_leaves_its_colour_open(begun: KingdomReading) -> None:
    (row, column) = next(place for place, s in begun.kingdom.items() if s.is_castle)
    named = dataclasses.replace(begun, castle_colour="blue")
    (kept,) = settle_together([named], [{(row, column): "c"}])
    assert kept.castle_colour == "blue"
    (moved,) = settle_together([named], [{(row, column): "w"}])
    assert moved.castle_colour is None


def test_a_reading_made_by_hand_can_be_settled_too(begun: KingdomReading) -> None:
    bare = dataclasses.replace(begun, considered=None, detection_scores=None)
    (again,) = settle_together([bare], [{(0, 0): "w1"}])
    assert str(again.kingdom[0, 0]) == "w1"


def test_corrections_are_checked(begun: KingdomReading) -> None:
    with pytest.raises(ValueError, match=r"correction at \(9, 9\): expected a position within"):
        settle_together([begun], [{(9, 9): "w"}])
    with pytest.raises(NotationError):
        settle_together([begun], [{(0, 0): "q7"}])
    with pytest.raises(ValueError, match="reading 0: expected one with probabilities"):
        settle_together([dataclasses.replace(begun, probabilities=None)])


@pytest.mark.parametrize("reason", ["hidden", "cut_off"])
def test_settling_again_keeps_the_reasons_that_nobody_answered(reason: str) -> None:
    reading = read_kingdoms(SAMPLES / "begun.jpg").kingdoms[0]
    (row, *rows) = reading.squares
    hidden = dataclasses.replace(row[0], doubtful=True, reason=reason)
    told = dataclasses.replace(reading, squares=((hidden, *row[1:]), *rows))
    (again,) = settle_together([told])
    assert (again.squares[0][0].doubtful, again.squares[0][0].reason) == (True, reason)
    (corrected,) = settle_together([told], [{(0, 0): "w1"}])
    assert corrected.squares[0][0].reason is None
