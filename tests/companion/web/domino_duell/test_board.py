"""The board of a duel: acts that are believed, its modules, and what they foretell."""

from __future__ import annotations

import re

import pytest

from companion.languages import Language
from companion.web.domino_duell.board import DuelAction, actions_of, board_words
from companion.web.shell.assets import WEB
from companion.web.shell.bridge import message_of
from scorer.domino_duell import JOKER, Stone

CLIENT = "abcdefgh01"


def actions(*done: object) -> list[DuelAction]:
    message = message_of({"client": CLIENT, "seq": 9, "done": list(done)})
    assert message is not None
    return [action for _, action in actions_of(message)]


def test_a_move_is_taken_over() -> None:
    lay = {"seq": 3, "kind": "lay", "turns": 2, "hollow": "e6", "stone": "rcw", "edge": True,
           "joker": "f6"}  # fmt: skip
    assert actions(lay) == [
        DuelAction(f"{CLIENT}.3", "lay", 2, "e6", Stone.parse("rcw"), True, "f6")
    ]


def test_a_hand_is_taken_over() -> None:
    hand = {"seq": 1, "kind": "hand", "player": 1, "pieces": ["rcw", "*"]}
    (action,) = actions(hand)
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
    assert [each.kind for each in actions(wrong, good)] == ["hand-done"]


def test_every_word_that_the_modules_ask_for_is_there() -> None:
    words = board_words(Language.GERMAN)
    asked = set()
    for path in (WEB / "domino_duell" / "static").glob("*.mjs"):
        asked |= set(re.findall(r'say\("([a-z._]+)"', path.read_text(encoding="utf-8")))
    assert len(asked) > 25
    assert asked - set(words) == set()
    assert "{count}" in words["lay.several"]
