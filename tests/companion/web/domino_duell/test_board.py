"""The board of a duel: acts that are believed, its modules, and what they foretell."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from companion.languages import Language
from companion.web.domino_duell.board import DuelAction, actions_of, board_words
from companion.web.shell.assets import WEB
from companion.web.shell.bridge import message_of
from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    STONES,
    Board,
    IllegalTurn,
    Piece,
    Shape,
    Stone,
    legal_moves,
    score_move,
)
from tests.companion.web.node import run_node

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


MODULES = Path(__file__).parent / "modules"
SMALL = Shape.parse(" o o o\no x x o\n o   o\no o o o")


def random_position(draw: random.Random, shape: Shape) -> Board:
    """Stones close together, so that lines and quadruples are frequent, and some jokers."""
    hollows = list(shape.hollows)
    middle = draw.randrange(len(hollows))
    places = shape.places
    near = sorted(
        range(len(hollows)),
        key=lambda each: (
            abs(places[each][0] - places[middle][0]) + abs(places[each][1] - places[middle][1])
        ),
    )
    count = draw.randint(3, min(45, len(hollows) - 2))
    pieces: list[Piece] = list(draw.sample(STONES, count))
    for index in draw.sample(range(count), draw.randint(0, 2)):
        pieces[index] = JOKER
    laid = {hollows[at]: piece for at, piece in zip(near[: count + 1][1:], pieces, strict=True)}
    return Board.of(laid, shape)


def foretold(position: Board, stone: Stone, hollow: str, edge: bool | None) -> object:
    try:
        move = score_move(position, stone, hollow, edge)
    except IllegalTurn as error:
        return {"reason": error.code}
    return {
        "reason": None,
        "groups": sorted((group.kind.key, group.hollows) for group in move.groups),
        "touched": sorted(move.touched),
        "edge": move.at_edge,
        "points": move.points,
    }


def test_what_a_move_brings_is_that_of_the_rules() -> None:
    draw = random.Random(13)
    cases, expected = [], []
    for number in range(800):
        shape = SMALL if number % 5 == 0 else DEFAULT_SHAPE
        position = random_position(draw, shape)
        moves = legal_moves(position, STONES)
        if moves and draw.random() < 0.8:
            stone, hollow = draw.choice([(each.stone, each.hollow) for each in moves])
        else:
            stone, hollow = draw.choice(STONES), draw.choice(shape.hollows)
        edge = draw.choice((None, None, True, False))
        cases.append(
            {
                "rows": list(shape.rows),
                "stones": {each: str(piece) for each, piece in position.items()},
                "stone": str(stone),
                "hollow": hollow,
                "edge": edge,
            }
        )
        expected.append(foretold(position, stone, hollow, edge))
    answers = json.loads(run_node(str(MODULES / "points.mjs"), text=json.dumps(cases)))
    kinds = set()
    for case, answer, wanted in zip(cases, answers, expected, strict=True):
        if answer["reason"]:
            found: object = {"reason": answer["reason"]}
        else:
            groups = sorted((each["kind"], tuple(each["hollows"])) for each in answer["groups"])
            found = {**answer, "groups": groups, "touched": sorted(answer["touched"])}
            kinds |= {each["kind"] for each in answer["groups"]}
        assert found == wanted, case
    assert kinds == {"triple", "quadruple"}
    assert len({str(each.get("reason")) for each in answers}) >= 4


def test_every_word_that_the_modules_ask_for_is_there() -> None:
    words = board_words(Language.GERMAN)
    asked = set()
    for path in (WEB / "domino_duell" / "static").glob("*.mjs"):
        asked |= set(re.findall(r'say\("([a-z._]+)"', path.read_text(encoding="utf-8")))
    assert len(asked) > 25
    assert asked - set(words) == set()
    assert "{count}" in words["lay.several"]
