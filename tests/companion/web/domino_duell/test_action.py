"""What a browser sends is believed only where it makes sense."""

from __future__ import annotations

from typing import Any

import pytest

from companion.web.domino_duell.board import DuelAction, actions_of
from scorer.domino_duell import JOKER, Stone

CLIENT = "abcdefgh01"


def sent(*done: object) -> dict[str, Any]:
    return {"client": CLIENT, "seq": 9, "done": list(done)}


def test_a_move_is_taken_over() -> None:
    lay = {"seq": 3, "kind": "lay", "turns": 2, "hollow": "e6", "stone": "rcw", "edge": True,
           "joker": "f6"}  # fmt: skip
    assert actions_of(sent(lay)) == [
        DuelAction(CLIENT, 3, "lay", 2, "e6", Stone.parse("rcw"), True, "f6")
    ]


def test_a_hand_is_taken_over() -> None:
    hand = {"seq": 1, "kind": "hand", "player": 1, "pieces": ["rcw", "*"]}
    (action,) = actions_of(sent(hand))
    assert (action.player, action.pieces) == (1, (Stone.parse("rcw"), JOKER))
    assert action.change_id == f"{CLIENT}.1"


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        7,
        "lay",
        {},
        {"seq": 0, "kind": "lay"},
        {"seq": True, "kind": "lay"},
        {"seq": 1, "kind": "fly"},
        {"seq": 1, "kind": ["lay"]},
        {"seq": 1, "kind": "lay", "hollow": "../e6"},
        {"seq": 1, "kind": "lay", "hollow": 6},
        {"seq": 1, "kind": "lay", "stone": "xxx"},
        {"seq": 1, "kind": "lay", "stone": ["rcw"]},
        {"seq": 1, "kind": "lay", "edge": "yes"},
        {"seq": 1, "kind": "lay", "turns": -1},
        {"seq": 1, "kind": "hand", "pieces": ["rcw"] * 8},
        {"seq": 1, "kind": "hand", "pieces": "rcw"},
        {"seq": 2**40, "kind": "lay"},
    ],
)
def test_nonsense_is_left_out(wrong: object) -> None:
    good = {"seq": 5, "kind": "hand-done"}
    assert [each.seq for each in actions_of(sent(wrong, good))] == [5]


@pytest.mark.parametrize(
    "message",
    [None, [], {}, {"client": "A B", "done": []}, {"client": CLIENT, "done": [{}] * 201},
     {"client": 5, "done": []}, {"client": CLIENT, "done": {}}],
)  # fmt: skip
def test_no_message_is_nothing(message: object) -> None:
    assert actions_of(message) == []
