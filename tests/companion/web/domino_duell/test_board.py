"""The board of a duel: acts that are believed, its modules, and what they foretell."""

from __future__ import annotations

import json
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.languages import Language
from companion.web.domino_duell.board import STATIC, DuelAction, actions_of, board_code, board_words
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
from tests.companion.web.board.node import run_node as run_node_on

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


MODULES = Path(__file__).parent / "modules"
SMALL = Shape.parse(" o o o\no x x o\n o   o\no o o o")


run_node = partial(run_node_on, modules=STATIC, name="DUEL_MODULES")


def test_modules() -> None:
    run_node("--test", str(MODULES / "board.test.mjs"))


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
    for path in STATIC.glob("*.mjs"):
        asked |= set(re.findall(r'say\("([a-z._]+)"', path.read_text(encoding="utf-8")))
    assert len(asked) > 25
    assert asked - set(words) == set()
    assert "{count}" in words["lay.several"]


def test_modules_are_checked_short_and_joined() -> None:
    for path in STATIC.glob("*.mjs"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "// @ts-check", path.name
        assert len(lines) < 300, path.name
    code = board_code()
    assert not re.search(r"^import ", code, re.MULTILINE)
    assert "house.come($$_duel_page.show)" in code


def test_style_has_no_emoji_and_no_address() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path.name
        assert not re.search(r"https?://", text), path.name
