"""Rounds as plain data: out and in again, full and settled."""

from __future__ import annotations

import pytest

from companion.games.pip_dominoes.kept import (
    KeptCastle,
    KeptHand,
    KeptMuggins,
    KeptPlay,
    KeptRound,
    KeptTile,
    round_key,
    round_number,
)
from scorer.pip_dominoes import RulesError, Tile

DOUBTFUL = KeptHand((KeptTile(Tile(1, 2), 0, True),), reading="r")


def test_a_round_comes_back_from_its_data() -> None:
    hands = {0: KeptHand(), 3: KeptHand(counted=7), 1: DOUBTFUL}
    kept = KeptRound(Tile(9, 9), hands, {3: 2})
    assert KeptRound.from_data(kept.to_data()) == kept
    assert kept.points([0, 1, 2, 3]) == {0: 0, 1: 3, 3: 107}


def test_a_round_of_muggins_comes_back_from_its_data() -> None:
    kept = KeptMuggins((KeptPlay("a", 0, 10), KeptPlay("b", 1, 15, 0)), {0: DOUBTFUL})
    assert KeptMuggins.from_data(kept.to_data()) == kept
    with pytest.raises(RulesError, match="not_in_fives"):
        KeptMuggins((KeptPlay("a", 0, 12),))
    with pytest.raises(ValueError, match="bad_record"):
        KeptMuggins.from_data({"plays": [{"id": "a", "player": 0, "points": 5}] * 2})


@pytest.mark.parametrize("castle", [KeptCastle(), KeptCastle(DOUBTFUL, 12.5, 1_700_000_000.0)])
def test_a_patience_comes_back_from_its_data(castle: KeptCastle) -> None:
    assert KeptCastle.from_data(castle.to_data()) == castle


def test_full_is_not_yet_settled() -> None:
    kept = KeptRound(Tile(9, 9), {0: KeptHand(), 1: DOUBTFUL})
    assert (kept.is_full([0, 1]), kept.is_settled([0, 1])) == (True, False)
    assert (kept.is_full([0, 1, 2]), kept.is_full([])) == (False, False)
    settled = KeptRound(Tile(9, 9), {0: KeptHand(), 1: DOUBTFUL.confirmed()})
    assert settled.is_settled([0, 1])


def test_parts_are_numbered_from_one() -> None:
    assert round_number(round_key(12)) == 12
    assert [round_number(part) for part in ("round:0", "rules", "round:1:2", "round:01")] == [
        None,
        None,
        None,
        None,
    ]
