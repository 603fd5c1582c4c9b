"""Cases that follow from the rules, found through KINGDOMINO_DATA."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer.errors import CodedError
from scorer.pip_dominoes import (
    CastleRockResult,
    DominoSet,
    Game,
    Hand,
    Layout,
    MugginsGame,
    MugginsRound,
    PlayPoints,
    Remains,
    Round,
    Row,
    Tile,
    ends_points,
    hand_points,
    hand_problems,
    rank,
    round_worth,
    setup_guide,
    sides_of,
    starting_double,
)

Record = Mapping[str, Any]
FOLDER = os.environ.get("KINGDOMINO_DATA")
FILE = Path(FOLDER, "conformance", "pip_dominoes.jsonl") if FOLDER else None
NOT_THERE = "KINGDOMINO_DATA is not set, or holds no conformance/pip_dominoes.jsonl"
REFUSED = {"not_in_table": "not in the table", "tile_twice": "a tile twice"}
"""What the cases call our refusals."""


def cases() -> list[Any]:
    if FILE is None or not FILE.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=NOT_THERE), id="none")]
    records = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return [
        pytest.param(record, id=f"{record['id']} {record['game']} {record['what']}")
        for record in records
    ]


def game_of(record: Record) -> Game:
    return Game.of(record["game"].replace(" ", "-"))


def set_up(record: Record) -> Record:
    given = record["input"]
    guide = setup_guide(game_of(record), given["players"], DominoSet(given.get("set", 6)))
    figures = {
        "set": guide.domino_set.highest,
        "tiles": guide.domino_set.size,
        "draw": guide.draw,
        "boneyard": guide.boneyard,
        "teams": [list(team) for team in guide.teams] or None,
        "target": guide.target,
        "rounds": guide.rounds,
        "first_double": str(guide.first_double),
    }
    return {name: figures[name] for name in record["expected"] if name in figures}


def layout_of(given: Record) -> Layout:
    if "line" in given:
        return Layout.parse(" ".join(given["line"]))
    arms = [" ".join(arm) or "." for arm in (*given["sides"], *given["ends"])]
    return Layout.parse(" / ".join([given["spinner"], *arms]))


def play_points(record: Record) -> Record:
    given = record["input"]
    if "open_ends" in given:
        return {"total": sum(given["open_ends"]), "points": ends_points(given["open_ends"])}
    layout = layout_of(given)
    return {"total": layout.total(), "points": layout.points()}


def legal_plays(record: Record) -> Record:
    given = record["input"]
    plays = layout_of(given).legal_plays(Hand.parse(" ".join(given["hand"])))
    written = {Tile.parse(text): text for text in given["hand"]}
    return {
        "legal": [[written[play.tile], str(play.spot)] for play in plays],
        "must_draw": not plays,
    }


def round_end(record: Record) -> Record:
    given = record["input"]
    names = tuple(str(seat) for seat in range(1, given.get("players", 2) + 1))
    hands = {name: Hand.parse(" ".join(tiles)) for name, tiles in given["hands"].items()}
    sides = sides_of(names)
    out = str(given["out"]) if "out" in given else None
    pips = {name: hands.get(name, Hand()).pips for name in names}
    side, points = round_worth(pips, sides, out=out)
    teams = "teams" in given
    scored = {}
    if side is not None:
        scored = {f"team {sides.index(side) + 1}" if teams else side.name: points}
    figures: Record = {"pips": {name: hand.pips for name, hand in hands.items()}, "points": scored}
    return {name: figures[name] for name in record["expected"]}


def muggins_end(record: Record) -> Record:
    given = record["input"]
    play = given["play"]
    before = tuple(PlayPoints(name, points) for name, points in given["before"].items() if points)
    game = MugginsGame(tuple(given["before"]), (MugginsRound(before),))
    game = game.with_play(PlayPoints(str(play["player"]), play["points"]))
    return {
        "total": game.totals,
        "over": game.is_over,
        "winner": int(game.winner.name) if game.winner else None,
    }


def castle_moves(record: Record) -> Record:
    removals = Row.parse(" ".join(record["input"]["row"])).removals
    figures = {
        "compulsory": bool(removals),
        "option": max((each.option for each in removals), default=None),
        "remove": [[position + 1 for position in each.positions] for each in removals],
    }
    return {name: figures[name] for name in record["expected"]}


def castle_score(record: Record) -> Record:
    given = record["input"]
    left = Hand.parse(" ".join(given["left"]))
    result = CastleRockResult(DominoSet(given["set"]), left)
    return {"tiles_left": result.tiles_left, "score": result.score, "won": result.is_won}


def starting_doubles(record: Record) -> Record:
    domino_set = DominoSet(record["input"]["set"])
    if "round" in record["input"]:
        return {"double": str(starting_double(domino_set, record["input"]["round"]))}
    rounds = domino_set.highest + 1
    doubles = [str(starting_double(domino_set, number)) for number in range(1, rounds + 1)]
    return {"doubles": doubles, "rounds": rounds}


def hand_value(record: Record) -> Record:
    given = record["input"]
    hand, double = Hand.parse(" ".join(given["hand"])), Tile.parse(given["round_double"])
    assert hand_problems({"1": hand}, DominoSet(given["set"]), double) == ()
    return {"pips": hand.pips, "score": hand_points(hand, double)}


def penalty(record: Record) -> Record:
    given = record["input"]
    assert given["penalty"]["kind"] == "50 points"
    remains = tuple(
        Remains(name, points, int(name == str(given["penalty"]["player"])))
        for name, points in given["round_score"].items()
    )
    return {"score": Round(Tile(9, 9), remains).points}


def round_game_end(record: Record) -> Record:
    given = record["input"]
    over = given["rounds_played"] == len(DominoSet(given["set"]).doubles)
    places = rank(given["totals"], lowest_wins=True)
    winners = [int(place.player) for place in places if place.place == 1]
    return {"over": over, "winners": winners if over else []}


ASKED: Mapping[str, Callable[[Record], Record]] = {
    "setup": set_up,
    "play points": play_points,
    "legal plays": legal_plays,
    "round end, out": round_end,
    "round end, out, teams": round_end,
    "round end, blocked": round_end,
    "round end, blocked, tie": round_end,
    "moves": castle_moves,
    "score": castle_score,
    "starting doubles": starting_doubles,
    "hand value": hand_value,
    "penalty": penalty,
    "game end": round_game_end,
    "game end, muggins": muggins_end,
}


@pytest.mark.parametrize("record", cases())
def test_case(record: Record) -> None:
    asked = record["what"]
    if asked == "game end" and record["game"] == "muggins":
        asked = "game end, muggins"
    try:
        answer = ASKED[asked](record)
    except CodedError as error:
        answer = {"error": REFUSED[error.code]}
    assert answer == record["expected"]
