"""Rules, their variants, and how a game is set up."""

from __future__ import annotations

import pytest

from scorer.kingdomino import QUESTS, Goal, Quest, Rules, RulesError, Terrain, setup_guide
from tests.scorer.kingdomino.golden_tables import rows


def test_the_17_quests() -> None:
    assert len(QUESTS) == len(set(QUESTS)) == 17
    counts = [sum(quest.goal is goal for quest in QUESTS) for goal in Goal]
    assert counts == [6, 6, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("quest", QUESTS, ids=str)
def test_quest_notation_round_trips(quest: Quest) -> None:
    assert Quest.parse(str(quest)) == quest


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_quest"),
        ("castle", "unknown_quest"),
        ("harmony:", "unknown_quest"),
        ("Harmony", "unknown_quest"),
        ("local-business:x", "unknown_quest"),
        ("local-business:", "unknown_quest"),
        ("local-business:wf", "unknown_quest"),
        ("local-business", "quest_needs_terrain"),
        ("four-corners", "quest_needs_terrain"),
        ("harmony:w", "quest_without_terrain"),
        ("bleak-king:w", "quest_without_terrain"),
    ],
)
def test_texts_that_are_no_quest(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Quest.parse(text)
    assert caught.value.code == code


HARMONY = Quest(Goal.HARMONY)
LAKES = Quest(Goal.FOUR_CORNERS, Terrain.LAKE)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"size": 6}, "bad_size"),
        ({"players": 1}, "bad_players"),
        ({"players": 6, "age_of_giants": True}, "bad_players"),
        ({"harmony": True, "quests": (LAKES,)}, "variant_beside_quests"),
        ({"middle_kingdom": True, "quests": (HARMONY,)}, "variant_beside_quests"),
        ({"quests": (LAKES, HARMONY, LAKES)}, "duplicate_quest"),
        ({"mighty_duel": True, "players": 3}, "duel_needs_two_players"),
        ({"mighty_duel": True, "players": 5, "age_of_giants": True}, "duel_needs_two_players"),
        ({"mighty_duel": True, "size": 5}, "duel_needs_large_grid"),
        ({"size": 7, "players": 3}, "large_grid_needs_two_players"),
        ({"size": 7, "players": 4}, "large_grid_needs_two_players"),
        ({"players": 5}, "five_players_need_expansion"),
    ],
)
def test_contradictions(rules: dict[str, object], code: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(**rules)  # type: ignore[arg-type]  # the values of the table are of any type
    assert caught.value.code == code


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(size=7, players=2, mighty_duel=True, harmony=True, middle_kingdom=True),
        Rules(players=5, age_of_giants=True, quests=QUESTS),
        Rules(players=4, quests=(LAKES, HARMONY)),
        Rules(players=2, age_of_giants=True, size=7),
    ],
)
def test_rules_that_go_together(rules: Rules) -> None:
    assert rules == rules.__class__(**{name: getattr(rules, name) for name in vars(Rules())})


def test_goals_are_the_variants_or_the_quests() -> None:
    assert Rules().goals == ()
    assert Rules(harmony=True).goals == (HARMONY,)
    assert Rules(harmony=True, middle_kingdom=True).goals == (HARMONY, Quest(Goal.MIDDLE_KINGDOM))
    assert Rules(quests=(LAKES, HARMONY)).goals == (LAKES, HARMONY)


@pytest.mark.parametrize(
    ("rules", "squares", "grid"),
    [
        (Rules(), 25, 5),
        (Rules(), 26, 7),
        (Rules(size=5), 49, 5),
        (Rules(size=7), 3, 7),
        (Rules(mighty_duel=True), 3, 7),
        (Rules(players=2), 26, 7),
        (Rules(players=2), 25, 5),
        (Rules(players=3), 26, 5),
        (Rules(players=4), 49, 5),
    ],
)
def test_grid(rules: Rules, squares: int, grid: int) -> None:
    assert rules.grid(squares) == grid


@pytest.mark.parametrize(
    (
        "game",
        "dominoes",
        "put_back",
        "row",
        "put_aside",
        "rounds",
        "kings",
        "grid",
        "drawn",
        "played",
    ),
    rows("set_up"),
    ids=[row[0] for row in rows("set_up")],
)
def test_golden(
    game: str,
    dominoes: str,
    put_back: str,
    row: str,
    put_aside: str,
    rounds: str,
    kings: str,
    grid: str,
    drawn: str,
    played: str,
) -> None:
    players, *options = game.split()
    guide = setup_guide(
        int(players), age_of_giants="giants" in options, mighty_duel="duel" in options
    )
    assert (guide.players, guide.dominoes, guide.put_back) == tuple(
        map(int, (players, dominoes, put_back))
    )
    assert (guide.row, guide.rounds, guide.kings, guide.grid) == tuple(
        map(int, (row, rounds, kings, grid))
    )
    assert (guide.drawn, guide.played) == (int(drawn), int(played))
    assert guide.removed == guide.drawn - guide.played
    assert guide.put_aside == tuple(map(int, put_aside.split()))
    assert (guide.giants, guide.quests) == ((6, 2) if "giants" in options else (0, 0))


@pytest.mark.parametrize("row", rows("set_up"), ids=lambda row: row[0])
def test_everyone_gets_what_fills_the_grid(row: list[str]) -> None:
    players, *options = row[0].split()
    guide = setup_guide(
        int(players), age_of_giants="giants" in options, mighty_duel="duel" in options
    )
    assert 2 * guide.dominoes_each + 1 == guide.grid**2
    assert guide.rounds * guide.row <= guide.dominoes - guide.put_back


@pytest.mark.parametrize(
    ("players", "giants", "duel", "code"),
    [
        (1, False, False, "bad_players"),
        (6, True, False, "bad_players"),
        (5, False, False, "five_players_need_expansion"),
        (3, False, True, "duel_needs_two_players"),
    ],
)
def test_refusals(players: int, giants: bool, duel: bool, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        setup_guide(players, age_of_giants=giants, mighty_duel=duel)
    assert caught.value.code == code


def test_dominoes_are_counted_in_whole_numbers() -> None:
    each = [setup_guide(players).dominoes_each for players in (2, 3, 4)]
    assert (each, {type(count) for count in each}) == ([12, 12, 12], {int})


@pytest.mark.parametrize(
    ("giants", "quests", "drawn"),
    [(True, None, 2), (True, True, 2), (True, False, 0), (False, True, 2), (False, None, 0)],
)
def test_quests_are_drawn_with_or_without_the_dominoes(
    giants: bool, quests: bool | None, drawn: int
) -> None:
    assert setup_guide(4, age_of_giants=giants, quests=quests).quests == drawn
