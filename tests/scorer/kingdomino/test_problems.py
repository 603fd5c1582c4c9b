import pytest

from scorer.kingdomino import (
    Colour,
    GameProblem,
    Kingdom,
    Player,
    Problem,
    Quest,
    Rules,
    game_problems,
    problems,
    rules_in_play,
    rules_problems,
    score,
)
from tests.scorer.kingdomino.golden_tables import rows, squares


def case(text: str) -> tuple[Kingdom, Rules]:
    """A kingdom followed by options: ``giants``, ``size=7``."""
    words = text.split()
    options = [word for word in words if word == "giants" or word.startswith("size=")]
    size = next((int(word[5:]) for word in options if word.startswith("size=")), None)
    kingdom = Kingdom.parse(" ".join(word for word in words if word not in options))
    return kingdom, Rules(size=size, age_of_giants="giants" in options)


@pytest.mark.parametrize(
    ("text", "expected"), rows("problems"), ids=[row[0] for row in rows("problems")]
)
def test_golden(text: str, expected: str) -> None:
    kingdom, rules = case(text)
    entries = [entry.split(":") for entry in expected.split(";") if entry]
    wanted = {(code.strip(), squares(places)) for code, places in entries}
    found = problems(kingdom, rules)
    assert {(problem.code, problem.squares) for problem in found} == wanted
    assert len(found) == len(wanted)
    assert score(kingdom, rules).points >= 0


def test_numbers_of_a_problem() -> None:
    assert problems(Kingdom.parse("c f f2")) == (Problem("too_many_crowns", ((0, 2),), 2, 1, "f"),)
    (twice,) = problems(Kingdom.parse("m3 w c w m3"))
    assert (twice.found, twice.allowed, twice.kind) == (2, 1, "m3")


@pytest.mark.parametrize(
    ("kingdom", "expected"),
    [
        ("w w", Problem("no_castle", (), 0, 1)),
        ("c w c w w", Problem("several_castles", ((0, 0), (0, 2)), 2, 1)),
        ("c w . f", Problem("no_partner", ((0, 1), (0, 3)), 2, 0)),
        ("c w w . f f", Problem("not_connected", ((0, 4), (0, 5)), 2, 1)),
        ("c w w w w w", Problem("too_wide", ((0, 0), (0, 5)), 6, 5)),
        ("c/w/w/w/w/w", Problem("too_high", ((0, 0), (5, 0)), 6, 5)),
    ],
    ids=lambda each: each if isinstance(each, str) else each.code,
)
def test_what_was_found_and_what_is_allowed(kingdom: str, expected: Problem) -> None:
    assert expected in problems(Kingdom.parse(kingdom))


def test_a_large_kingdom_needs_no_size() -> None:
    full = Kingdom.parse(
        "/".join(["f f f f f f f"] * 3 + ["f f f c f f f"] + ["w w w w w w w"] * 3)
    )
    assert {problem.code for problem in problems(full)} == {"more_than_box"}
    assert "too_wide" in {problem.code for problem in problems(full, Rules(size=5))}


def player(name: str, text: str, colour: Colour | None = None) -> Player:
    return Player(name, Kingdom.parse(text), colour)


def test_a_game_without_problems() -> None:
    players = [player("A", "m3 w c", Colour.PINK), player("B", "c w w", Colour.BLUE)]
    assert game_problems(players) == ()


def test_a_square_used_too_often_over_all_players() -> None:
    players = [player("A", "m3 w c"), player("B", "c w w"), player("C", "c w m3")]
    assert game_problems(players) == (
        GameProblem("more_than_box", (("A", (0, 0)), ("C", (0, 2))), ("A", "C"), 2, 1, "m3"),
    )


def test_the_expansion_adds_squares() -> None:
    players = [player("A", "m w1 c"), player("B", "m g c")]
    assert [problem.kind for problem in game_problems(players)] == ["m"]
    assert game_problems(players, Rules(age_of_giants=True)) == ()


def test_more_than_six_giants_in_all() -> None:
    four, three = "m3!!! m2! c w w", "m2!! s2! c s s"
    assert game_problems([player("A", four), player("B", "m2!! s c")]) == ()
    (problem,) = game_problems([player("A", four), player("B", three)])
    assert (problem.code, problem.players, problem.found) == ("too_many_giants", ("A", "B"), 7)
    assert problem.squares == (("A", (0, 0)), ("A", (0, 1)), ("B", (0, 0)), ("B", (0, 1)))


def test_two_players_with_one_colour() -> None:
    colours = [Colour.PINK, Colour.BLUE, Colour.PINK, None, None]
    players = [player(name, "c", colour) for name, colour in zip("ABCDE", colours, strict=True)]
    (problem,) = game_problems(players)
    assert (problem.code, problem.players, problem.kind) == ("same_colour", ("A", "C"), "pink")


def test_brown_comes_with_the_expansion() -> None:
    players = [player("A", "c", Colour.BROWN)]
    assert [problem.code for problem in game_problems(players)] == ["brown_without_expansion"]
    assert game_problems(players, Rules(age_of_giants=True)) == ()


QUESTS = tuple(Quest.parse(text) for text in ("harmony", "lost-corner", "four-corners:l"))


def test_a_giant_anywhere_puts_the_expansion_in_play_for_the_whole_game() -> None:
    plain, giant = Kingdom.parse("c w2 f"), Kingdom.parse("m3! w c")
    assert rules_in_play([plain], Rules()) == Rules(size=5)
    assert rules_in_play([], Rules()) == Rules(size=5)
    rules = rules_in_play([plain, giant], Rules(players=2))
    assert rules == Rules(players=2, age_of_giants=True, size=5)
    assert [problem.code for problem in problems(plain)] == ["too_many_crowns"]
    assert problems(plain, rules) == ()
    assert rules_in_play([plain], Rules(age_of_giants=True)).age_of_giants


FULL = Kingdom.parse("/".join(["w w w c w w w"] + ["w w w w w w w"] * 6))
CORNER = Kingdom.parse("/".join([". . . . . . ."] * 2 + ["f f f f f . ."] * 4 + ["c f f f f . ."]))


@pytest.mark.parametrize(
    ("rules", "kingdoms", "size"),
    [
        (Rules(), [CORNER], 5),
        (Rules(), [CORNER, FULL], 7),
        (Rules(players=2), [FULL, CORNER], 7),
        (Rules(mighty_duel=True), [CORNER], 7),
        (Rules(size=5), [FULL, CORNER], 5),
        (Rules(players=3), [FULL, CORNER, CORNER], 5),
        (Rules(), [FULL, CORNER, CORNER], 5),
    ],
)
def test_the_grid_of_a_game_is_one(rules: Rules, kingdoms: list[Kingdom], size: int) -> None:
    assert rules_in_play(kingdoms, rules).size == size


def test_harmony_asks_for_the_grid_of_the_game() -> None:
    harmony = Rules(harmony=True)
    assert score(CORNER, rules_in_play([CORNER], harmony)).bonus_points == 5
    assert score(CORNER, rules_in_play([CORNER, FULL], harmony)).bonus_points == 0


def test_quests_alone_leave_the_dominoes_of_the_base_game() -> None:
    rules = Rules(quests=QUESTS[:1])
    assert [problem.code for problem in problems(Kingdom.parse("c w2 f"), rules)] == [
        "too_many_crowns"
    ]
    assert game_problems([player("A", "m w1 c"), player("B", "m g c")], rules)[0].allowed == 1


def test_brown_is_there_where_anything_of_the_expansion_is() -> None:
    brown = [player("A", "c", Colour.BROWN)]
    assert game_problems(brown, Rules(quests=QUESTS[:1])) == ()
    assert game_problems([*brown, player("B", "c w1! w")]) == ()


def test_more_quests_than_are_drawn() -> None:
    assert rules_problems(Rules()) == ()
    assert rules_problems(Rules(quests=QUESTS[:2])) == ()
    (problem,) = rules_problems(Rules(quests=QUESTS))
    assert (problem.code, problem.found, problem.allowed) == ("too_many_quests", 3, 2)
    assert game_problems([player("A", "c"), player("B", "c")], Rules(quests=QUESTS)) == (problem,)
    assert score(Kingdom.parse("c w w"), Rules(quests=QUESTS)).points == 20
