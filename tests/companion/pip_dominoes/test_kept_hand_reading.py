from __future__ import annotations

import json

import pytest

from companion.games.pip_dominoes.kept_reading import KeptHandReading
from tests.companion.pip_dominoes.hands import hand_of


def test_a_reading_comes_back_from_its_data() -> None:
    read = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("closer",), reasons=("unlikely",))
    kept = KeptHandReading.of(read, "photo-1", 400, 300)
    assert KeptHandReading.from_data(json.loads(json.dumps(kept.to_data()))) == kept
    assert (kept.dominoes[0].reasons, kept.warnings, kept.highest) == (
        ("unlikely",),
        ("closer",),
        12,
    )


def test_a_double_blank_is_in_doubt_however_sure_the_reader_is() -> None:
    hand = KeptHandReading.of(hand_of("5|9 0|0"), "photo-1", 400, 300).hand("r1")
    assert [(each.place, each.doubtful) for each in hand.tiles] == [(0, False), (1, True)]
    assert hand.reading == "r1"


@pytest.mark.parametrize("warning", ["closer", "cut_off", "unread"])
def test_a_reading_that_may_have_missed_a_domino_asks(warning: str) -> None:
    sure = KeptHandReading.of(hand_of("5|9", warnings=("set_inferred",)), "photo-1", 400, 300)
    unsure = KeptHandReading.of(hand_of("5|9", warnings=(warning,)), "photo-1", 400, 300)
    assert sure.hand("r1").is_settled
    assert (unsure.hand("r1").incomplete, unsure.hand("r1").doubts) == (True, ())


@pytest.mark.parametrize("data", [None, {}, {"dominoes": [{"tile": "5|9"}]}], ids=str)
def test_anything_else_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="reading"):
        KeptHandReading.from_data(data)
