import pytest

from scorer.kingdomino import QUESTS, Goal, Quest, Rules, RulesError, Terrain


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
