"""What the rules say of random kingdoms, hands and moves, for the scripts that say it at once.

    python -m tests.web.rules

writes ``rules.json``, a sample that the tests of the scripts read without Python.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from companion.games.pip_dominoes.kept import KeptHand, KeptTile
from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    STONES,
    Board,
    IllegalTurn,
    Piece,
    Shape,
    legal_moves,
    score_move,
)
from scorer.kingdomino import CASTLE, EMPTY, Kingdom, Square, Terrain, score
from scorer.pip_dominoes import DOUBLE_BLANK, Hand, Tile, ends_points
from scorer.pip_dominoes.round_game import hand_points

PATH = Path(__file__).parent / "rules.json"
_SMALL = Shape.parse(" o o o\no x x o\n o   o\no o o o")

_PIECES = [Square.parse(text) for text in ("w*", "f+1", "g+2", "l:king", "f:axe-warrior:12")]

Case = dict[str, Any]


def cases(seed: int, kingdoms: int, hands: int, moves: int, ends: int) -> dict[str, list[Case]]:
    """So many of each, with what the rules say of them."""
    draw = random.Random(seed)
    return {
        "kingdoms": [_kingdom(draw) for _ in range(kingdoms)],
        "hands": [_hand(draw) for _ in range(hands)],
        "moves": [_move(draw) for _ in range(moves)],
        "ends": [_ends(draw) for _ in range(ends)],
    }


def _kingdom(draw: random.Random) -> Case:
    def any_square() -> Square:
        if draw.random() < 0.15:
            return draw.choice((EMPTY, CASTLE))
        if court and draw.random() < 0.3:
            return draw.choice(_PIECES)
        crowns = draw.choice((0, 0, 0, 1, 1, 2, 3))
        return Square(draw.choice(tuple(Terrain)[: 2 + wide]), crowns, draw.randint(0, crowns))

    wide, court = draw.randint(0, 4), draw.random() < 0.3
    height, width = draw.randint(1, 9), draw.randint(1, 9)
    kingdom = Kingdom(tuple(tuple(any_square() for _ in range(width)) for _ in range(height)))
    territories = [
        {
            "terrain": each.terrain.letter,
            "squares": [list(place) for place in each.squares],
            "crowns": each.crowns,
            "covered": each.covered_crowns,
            "points": each.points,
        }
        for each in score(kingdom).territories
    ]
    return {"kingdom": kingdom.format(), "territories": territories}


def _hand(draw: random.Random) -> Case:
    if draw.random() < 0.2:
        kept = KeptHand(counted=draw.randint(0, 300), double_blank=draw.random() < 0.5)
    else:
        highest = draw.choice((1, 6, 12))
        tiles = [
            Tile(*sorted((draw.randint(0, highest), draw.randint(0, highest))))
            for _ in range(draw.randint(0, 8))
        ]
        read = draw.random() < 0.5
        kept = KeptHand(
            tuple(
                KeptTile(tile, number if read else None, draw.random() < 0.2)
                for number, tile in enumerate(tiles)
            ),
            incomplete=draw.random() < 0.2,
        )
    left = kept.left
    return {
        "hand": kept.to_data(),
        "doubts": list(kept.doubts),
        "points": hand_points(left) if isinstance(left, Hand) else left,
        "free": hand_points(left, DOUBLE_BLANK) if isinstance(left, Hand) else left,
    }


def _move(draw: random.Random) -> Case:
    shape = _SMALL if draw.random() < 0.2 else DEFAULT_SHAPE
    position = _position(draw, shape)
    moves = legal_moves(position, STONES)
    if moves and draw.random() < 0.8:
        stone, hollow = draw.choice([(each.stone, each.hollow) for each in moves])
    else:
        stone, hollow = draw.choice(STONES), draw.choice(shape.hollows)
    edge = draw.choice((None, None, True, False))
    case: Case = {
        "rows": list(shape.rows),
        "stones": {each: str(piece) for each, piece in position.items()},
        "stone": str(stone),
        "hollow": hollow,
        "edge": edge,
    }
    try:
        move = score_move(position, stone, hollow, edge)
    except IllegalTurn as error:
        return {**case, "move": {"reason": error.code}}
    groups = sorted([group.kind.key, list(group.hollows)] for group in move.groups)
    touched = sorted(move.touched)
    found = {"groups": groups, "touched": touched, "edge": move.at_edge, "points": move.points}
    return {**case, "move": {"reason": None, **found}}


def _position(draw: random.Random, shape: Shape) -> Board:
    """Stones close together, so that lines and quadruples are frequent, and some jokers."""
    hollows, places = list(shape.hollows), shape.places
    x, row = places[draw.randrange(len(hollows))]
    near = sorted(
        range(len(hollows)), key=lambda at: abs(places[at][0] - x) + abs(places[at][1] - row)
    )
    count = draw.randint(3, min(45, len(hollows) - 2))
    pieces: list[Piece] = list(draw.sample(STONES, count))
    for index in draw.sample(range(count), draw.randint(0, 2)):
        pieces[index] = JOKER
    laid = {hollows[at]: piece for at, piece in zip(near[1 : count + 1], pieces, strict=True)}
    return Board.of(laid, shape)


def _ends(draw: random.Random) -> Case:
    values = [draw.randint(0, 12) for _ in range(draw.randint(0, 4))]
    return {"ends": values, "points": ends_points(values)}


def sample() -> str:
    """The text of ``rules.json``: a line a case."""
    drawn = cases(17, kingdoms=60, hands=90, moves=70, ends=40)
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(case) for case in each) + "\n]"
        for name, each in drawn.items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    PATH.write_text(sample(), encoding="utf-8")
