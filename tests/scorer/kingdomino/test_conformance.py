"""Cases from other programs' test suites, found through KINGDOMINO_DATA."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from scorer.kingdomino import Kingdom, Rankable, Result, Rules, Score, TieBreak, rank, score

FOLDER = os.environ.get("KINGDOMINO_DATA")
FILE = Path(FOLDER, "conformance", "kingdoms.jsonl") if FOLDER else None
NOT_THERE = "KINGDOMINO_DATA is not set, or holds no conformance/kingdoms.jsonl"

LEFT_OUT: Mapping[str, str] = {}
"""Cases that contradict the rules as specified, by their id, with the reason: none so far."""


def cases() -> list[Any]:
    if FILE is None or not FILE.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=NOT_THERE), id="none")]
    records = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    return [
        pytest.param(
            record,
            id=record["id"],
            marks=[pytest.mark.skip(reason=LEFT_OUT[record["id"]])]
            if record["id"] in LEFT_OUT
            else [],
        )
        for record in records
    ]


def territories(result: Score) -> list[list[object]]:
    return sorted([each.terrain.letter, each.size, each.crowns] for each in result.territories)


def score_by_terrain(result: Score, expected: Mapping[str, int]) -> dict[str, int]:
    return {
        letter: sum(each.points for each in result.territories if each.terrain.letter == letter)
        for letter in expected
    }


FIGURES: Mapping[str, Callable[[Score], object]] = {
    "score": lambda result: result.territory_points,
    "largest_territory": lambda result: result.largest_territory,
    "total_crowns": lambda result: result.crowns,
    "castle_centred": lambda result: result.castle_centred,
    "territory_count": lambda result: len(result.territories),
    "territories": territories,
    "score_with_bonuses": lambda result: result.points,
    "harmony_and_middle_kingdom": lambda result: result.bonus_points,
}


def rules_of(record: Mapping[str, Any]) -> Rules:
    """The variants that the case names; both where it asks for both bonuses together."""
    both = "harmony_and_middle_kingdom" in record["expect"]
    named = record.get("rules", [])
    return Rules(
        harmony=both or "harmony" in named, middle_kingdom=both or "middle_kingdom" in named
    )


@pytest.mark.parametrize("record", cases())
def test_case(record: Mapping[str, Any]) -> None:
    if "players" in record:
        check_standing(record)
    else:
        check_kingdom(record)


def check_kingdom(record: Mapping[str, Any]) -> None:
    kingdom = Kingdom.parse(record["kingdom"])
    assert str(kingdom) == record["kingdom"]
    result = score(kingdom, rules_of(record))
    expected = dict(record["expect"])
    by_terrain = expected.pop("score_by_terrain", {})
    assert score_by_terrain(result, by_terrain) == by_terrain
    assert {name: FIGURES[name](result) for name in expected} == expected


def check_standing(record: Mapping[str, Any]) -> None:
    """These programs compare crowns and number places densely (1, 1, 2)."""
    results: dict[str, Rankable] = {}
    for name, given in record["players"].items():
        if isinstance(given, str):
            results[name] = score(Kingdom.parse(given))
        else:
            results[name] = Result(
                given["score"], given["largest_territory"], given["total_crowns"]
            )
    ranking = rank(results, Rules(tie_break=TieBreak.CROWNS))
    expected = record["expect"]
    if "first" in expected:
        assert ranking.winners == (expected["first"],)
    distinct = sorted({place.place for place in ranking.places})
    dense = {place.player: distinct.index(place.place) + 1 for place in ranking.places}
    assert expected.get("standing", dense) == dense
    assert expected.keys() <= {"standing", "first"}
