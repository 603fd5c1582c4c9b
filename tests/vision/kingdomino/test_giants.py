"""Age of Giants: two crowns where the classifier knows one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scorer.kingdomino import Square
from tests.vision.kingdomino.observed import observed
from vision import classify_squares
from vision.kingdomino.judgement import JudgeSettings, judge
from vision.kingdomino.settle.program import SettleSettings
from vision.kingdomino.synthesis.render import render_square

WITH_GIANTS = JudgeSettings(settle=SettleSettings(giants=True))


def test_the_classifier_knows_no_two_crowns_of_these_terrains() -> None:
    rng = np.random.default_rng(0)
    drawn = [render_square(Square.parse(label), 96, rng) for label in ("w2", "l2")]
    assert [square.label for square in classify_squares(drawn)] == ["w1", "l1"]


def test_with_the_expansion_one_crown_beside_the_other_half_may_be_two() -> None:
    (judgement,) = judge([observed("c w1 f1/. . w1")], WITH_GIANTS)
    assert judgement is not None
    found = judgement.squares[0, 1]
    assert (found.label, found.runner_up, found.doubtful) == ("w1", "w2", True)


def test_what_was_corrected_stays_without_a_flag() -> None:
    seen = replace(observed("c w1 f1"), corrections={(0, 1): "w1"})
    (judgement,) = judge([seen], WITH_GIANTS)
    assert judgement is not None
    assert not judgement.squares[0, 1].doubtful


def test_without_the_expansion_nothing_of_it_is_doubted() -> None:
    (judgement,) = judge([observed("c w1 f1")])
    assert judgement is not None
    assert judgement.squares[0, 1].runner_up != "w2"
