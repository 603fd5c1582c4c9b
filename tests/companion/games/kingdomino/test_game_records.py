"""The command's JSON says what the Python interface says, on random games."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from companion.cli.kingdomino import main
from scorer.kingdomino import (
    QUESTS,
    BleakKing,
    Kingdom,
    Player,
    Rules,
    TieBreak,
    box_check,
    dynasty,
    game_problems,
    problems,
    rank,
    rules_in_play,
    score,
)
from tests.scorer.kingdomino.random_games import play

GAMES = 60


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def random_rules(rng: Random) -> tuple[list[str], Rules]:
    """Options of the command line and the rules that they ask for."""
    options: list[str] = []
    rules: dict[str, Any] = {}
    if rng.random() < 0.5:
        quests = rng.sample(QUESTS, rng.randint(1, 3))
        options += [f"--quest={quest}" for quest in quests]
        rules["quests"] = tuple(quests)
    elif rng.random() < 0.5:
        options += ["--harmony", "--middle-kingdom"]
        rules |= {"harmony": True, "middle_kingdom": True}
    if rng.random() < 0.5:
        options.append("--tie-break=crowns")
        rules["tie_break"] = TieBreak.CROWNS
    if rng.random() < 0.5:
        options.append("--bleak-king=squares")
        rules["bleak_king"] = BleakKing.SQUARES
    if rng.random() < 0.5:
        options.append("--giants")
        rules["age_of_giants"] = True
    return options, Rules(**rules)


def random_kingdom(rng: Random) -> Kingdom:
    """Any rectangle up to 4×4, legal or not; ties of all kinds are frequent among them."""
    squares = ("w", "f", "l", "w1", "f1", "l1", "g2", "s1!", "m3!!", ".", "c")
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    rows = [" ".join(rng.choices(squares, k=width)) for _ in range(height)]
    return Kingdom.parse("/".join(rows))


def random_game(rng: Random) -> list[Player]:
    kingdoms = (
        play(rng, rng.randint(2, 4))
        if rng.random() < 0.5
        else [random_kingdom(rng) for _ in range(rng.randint(2, 4))]
    )
    return [Player(name, kingdom) for name, kingdom in zip("ABCD", kingdoms, strict=False)]


@pytest.mark.parametrize("seed", range(GAMES))
def test_score_and_ranking(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(seed)
    players = random_game(rng)
    options, asked = random_rules(rng)
    arguments = [f"{player.name}={player.kingdom}" for player in players]
    assert main(["score", "--json", *options, *arguments]) == 0
    *kingdoms, game = lines(capsys)
    rules = Rules(
        **{**vars(rules_in_play([p.kingdom for p in players], asked)), "players": len(players)}
    )
    scores = {player.name: score(player.kingdom, rules) for player in players}
    for record, player in zip(kingdoms, players, strict=True):
        result = scores[player.name]
        assert Kingdom.parse(record["kingdom"]) == player.kingdom
        assert record["player"] == player.name
        assert record["points"] == result.points
        assert record["points"] == record["territory_points"] + record["bonus_points"]
        assert record["territory_points"] == sum(
            len(each["positions"]) * each["crowns"] for each in record["territories"]
        )
        assert [
            (each["terrain"], each["crowns"], each["covered_crowns"], each["points"])
            for each in record["territories"]
        ] == [
            (each.terrain.letter, each.crowns, each.covered_crowns, each.points)
            for each in result.territories
        ]
        positions = [tuple(at) for each in record["territories"] for at in each["positions"]]
        assert sorted(positions) == [
            at for at, square in player.kingdom.items() if square.terrain is not None
        ]
        assert [
            (each["name"], each["points"], tuple(map(tuple, each["squares"])), each["reading"])
            for each in record["bonuses"]
        ] == [
            (each.name, each.points, each.squares, each.reading and each.reading.value)
            for each in result.bonuses
        ]
        assert [each["code"] for each in record["problems"]] == [
            each.code for each in problems(player.kingdom, rules)
        ]
        assert record["covered_crowns"] == result.covered_crowns
        assert record["rules"]["quests"] == [str(quest) for quest in rules.quests]
    ranking = rank(scores, rules)
    assert [
        (each["player"], each["place"], each["points"], each["decided_by"])
        for each in game["ranking"]
    ] == [(each.player, each.place, each.points, each.decided_by.value) for each in ranking.places]
    assert [
        (each["ahead"], each["behind"], each["criterion"], each["ahead_value"])
        for each in game["ties"]
    ] == [(tie.ahead, tie.behind, tie.criterion.value, tie.ahead_value) for tie in ranking.ties]
    assert [(each["code"], each["found"], each["allowed"]) for each in game["problems"]] == [
        (each.code, each.found, each.allowed) for each in game_problems(players, rules)
    ]


def test_a_ranking_keeps_what_makes_it_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Places fall with the points, and only players with equal points share one."""
    for seed in range(GAMES):
        players = random_game(Random(seed))
        assert main(["score", "--json", *(f"{p.name}={p.kingdom}" for p in players)]) == 0
        places = lines(capsys)[-1]["ranking"]
        assert [each["points"] for each in places] == sorted(
            (each["points"] for each in places), reverse=True
        )
        for number, each in enumerate(places):
            ahead = [other for other in places if other["place"] < each["place"]]
            assert each["place"] == len(ahead) + 1
            assert number >= len(ahead)
        for one in places:
            for other in places:
                if one["place"] == other["place"]:
                    assert one["points"] == other["points"]


@pytest.mark.parametrize("seed", range(10))
def test_a_dynasty(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(seed)
    games = [[Player(n, random_kingdom(rng)) for n in "AB"] for _ in range(3)]
    arguments: list[str] = []
    for game in games:
        arguments += ["+", *(f"{player.name}={player.kingdom}" for player in game)]
    assert main(["score", "--dynasty", "--json", *arguments]) == 0
    last = lines(capsys)[-1]
    wanted = dynasty([{p.name: score(p.kingdom) for p in game} for game in games])
    assert [(each["player"], each["place"], each["points"]) for each in last["dynasty"]] == [
        (place.player, place.place, place.points) for place in wanted.places
    ]


@pytest.mark.parametrize("seed", range(10))
def test_check(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(seed)
    kingdoms = [player.kingdom for player in random_game(rng)][:2]
    code = main(["check", "--json", *map(str, kingdoms)])
    (record,) = lines(capsys)
    outcome = box_check(kingdoms, rules_in_play(kingdoms, Rules()))
    assert record["verdict"] == outcome.verdict.value
    assert code == {"legal": 0, "impossible": 1}.get(record["verdict"], 3)
    assert [(each["code"], each["found"], each["allowed"]) for each in record["reasons"]] == [
        (each.code, each.found, each.allowed) for each in outcome.reasons
    ]
    assert [
        [(each["domino"], tuple(each["left"]), tuple(each["right"])) for each in cut]
        for cut in record["cuts"]
    ] == [
        [(each.domino and each.domino.number, each.left, each.right) for each in cut]
        for cut in outcome.cuts
    ]
