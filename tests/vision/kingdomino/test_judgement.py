"""Doubt: what is flagged, and what a flag says."""

import numpy as np
from numpy.typing import NDArray

from vision.kingdomino.judgement import DoubtSettings, decided, plain_label
from vision.kingdomino.labels import LABELS
from vision.kingdomino.result import SquareReading
from vision.kingdomino.settle.program import Settled

Cell = tuple[int, int]
HERE: Cell = (0, 0)


def seen(**shares: float) -> NDArray[np.float64]:
    names = {"bare": ".", **{label: label for label in LABELS}}
    found = np.full(len(LABELS), 1e-5)
    for name, share in shares.items():
        found[LABELS.index(names[name])] = share
    return np.asarray(found / found.sum())


def decide(
    found: NDArray[np.float64],
    label: str,
    *,
    unpaired: bool = False,
    unseen: bool = False,
    bare: bool = False,
) -> SquareReading:
    only = frozenset([HERE])
    none: frozenset[Cell] = frozenset()
    settled = Settled({HERE: label}, only if unpaired else none, True)
    read = decided({HERE: found}, settled, only if unseen else none, only if bare else none,
                   DoubtSettings())  # fmt: skip
    return read[HERE]


def test_a_clear_square_is_not_flagged() -> None:
    reading = decide(seen(w1=0.99, w=0.01), "w1")
    assert (reading.label, reading.runner_up, reading.doubtful) == ("w1", "w", False)
    assert reading.probability > 0.95


def test_a_low_probability_is_flagged_with_its_runner_up() -> None:
    reading = decide(seen(s1=0.7, s2=0.3), "s1")
    assert (reading.label, reading.runner_up, reading.doubtful) == ("s1", "s2", True)


def test_what_the_box_changed_is_flagged_and_keeps_what_was_seen() -> None:
    reading = decide(seen(m1=0.6, m2=0.4), "m2")
    assert (reading.label, reading.settled_from, reading.doubtful) == ("m2", "m1", True)
    assert reading.runner_up == "m1"


def test_a_square_without_partner_is_flagged() -> None:
    assert decide(seen(w=1.0), "w", unpaired=True).doubtful


def test_a_square_of_another_game_is_flagged_and_counts_as_none() -> None:
    reading = decide(seen(x=0.9, m=0.1), ".")
    assert (reading.label, reading.doubtful) == (".", True)
    assert plain_label(seen(x=0.5, bare=0.1, w=0.4)) == "."


def test_what_only_the_classifier_saw_must_be_surer() -> None:
    found = seen(w=0.95, bare=0.05)
    assert not decide(found, "w").doubtful
    assert decide(found, "w", unseen=True).doubtful


def test_a_bare_place_where_a_square_was_located_is_flagged_unless_sure() -> None:
    assert decide(seen(bare=0.9, w=0.1), ".", bare=True).doubtful
    assert not decide(seen(bare=1.0), ".", bare=True).doubtful
