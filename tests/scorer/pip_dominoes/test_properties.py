"""What holds for every hand, round and game, checked on random ones."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scorer.pip_dominoes import (
    DOUBLE_BLANK,
    SETS,
    DominoSet,
    Game,
    Hand,
    MugginsGame,
    MugginsRound,
    MugginsRules,
    PlayPoints,
    Remains,
    Round,
    RoundGame,
    Tile,
    hand_points,
    hand_problems,
    rank,
    round_worth,
    sides_of,
)

sets = st.sampled_from(SETS).map(DominoSet)
tiles = st.builds(Tile.of, st.integers(0, 18), st.integers(0, 18))
hands = st.lists(tiles, max_size=20, unique=True).map(Hand.of)
totals = st.dictionaries(st.sampled_from("ABCDEF"), st.integers(0, 5), min_size=1)


@st.composite
def dealt_games(draw: st.DrawFn) -> RoundGame:
    """Rounds in which every player has some tiles of the set, none of them twice."""
    domino_set = draw(st.sampled_from((9, 12, 15, 18)).map(DominoSet))
    names = tuple("ABCD"[: draw(st.integers(2, 4))])
    random = Random(draw(st.integers(0, 2**32)))
    rounds = []
    for double in domino_set.doubles[: draw(st.integers(0, domino_set.highest + 1))]:
        pool = [tile for tile in domino_set.tiles if tile != double]
        random.shuffle(pool)
        remains = tuple(
            Remains(name, Hand.of(pool.pop() for _ in range(random.randrange(6)) if name != "A"))
            if random.random() < 0.8
            else Remains(name, random.randrange(1, 90), random.randrange(2))
            for name in names
        )
        rounds.append(Round(double, remains))
    return RoundGame(Game.CHICKENFOOT, domino_set, names, tuple(rounds))


@given(tiles)
def test_tiles_round_trip(tile: Tile) -> None:
    assert Tile.parse(str(tile)) == Tile.of(tile.high, tile.low) == tile
    assert tile.beside(tile.low) == tile.high
    assert tile.pips == tile.low + tile.high


@given(hands)
def test_hands_round_trip(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == hand


@given(hands, hands)
def test_pips_of_hands_add_up(one: Hand, other: Hand) -> None:
    both = Hand.of(dict.fromkeys((*one, *other)))
    shared = sum(tile.pips for tile in one if tile in other)
    assert both.pips == one.pips + other.pips - shared


@given(hands, tiles)
def test_the_double_blank_costs_fifty(hand: Hand, double: Tile) -> None:
    bare = Hand.of(tile for tile in hand if tile != DOUBLE_BLANK)
    assert hand_points(bare, double) == bare.pips == hand.pips
    blank = Hand((*bare, DOUBLE_BLANK))
    assert hand_points(blank, double) == bare.pips + 50 * (double != DOUBLE_BLANK)
    assert hand_points(blank) == bare.pips + 50


@given(sets, st.randoms(use_true_random=False), st.integers(1, 6))
def test_dealt_hands_have_nothing_odd(domino_set: DominoSet, random: Random, players: int) -> None:
    pool = list(domino_set.tiles)
    random.shuffle(pool)
    double = pool.pop()
    dealt = {str(number): Hand.of(pool[number::players]) for number in range(players)}
    assert hand_problems(dealt, domino_set, double) == ()
    first = dealt["0"].tiles[0]
    dealt["more"] = Hand((first,))
    codes = [problem.code for problem in hand_problems(dealt, domino_set, double)]
    assert codes == ["in_two_hands", "too_many_tiles"]


@given(dealt_games())
def test_totals_are_the_sums_of_the_rounds(game: RoundGame) -> None:
    for name in game.players:
        assert game.totals[name] == sum(each.points[name] for each in game.rounds)
    assert len(game.running_totals) == len(game.rounds)
    for before, after in zip(game.running_totals, game.running_totals[1:], strict=False):
        assert all(before[name] <= after[name] for name in game.players)


@given(dealt_games())
def test_games_round_trip(game: RoundGame) -> None:
    assert RoundGame.from_dict(game.to_dict()) == game


@given(dealt_games())
def test_the_winner_has_the_lowest_total(game: RoundGame) -> None:
    least = min(game.totals.values())
    lowest = tuple(name for name in game.players if game.totals[name] == least)
    assert game.winners == (lowest if game.is_over else ())
    assert game.is_over == (len(game.rounds) == game.domino_set.highest + 1)


@given(totals, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_the_players_changes_no_place(
    found: dict[str, int], lowest_wins: bool, random: Random
) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    other = {name: found[name] for name in shuffled}
    places = {each.player: each for each in rank(found, lowest_wins=lowest_wins)}
    assert {each.player: each for each in rank(other, lowest_wins=lowest_wins)} == places
    for one in places.values():
        better = [
            each
            for each in places.values()
            if each.points != one.points and (each.points < one.points) == lowest_wins
        ]
        assert one.place == len(better) + 1


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4), st.booleans())
def test_a_round_s_points_go_to_the_fewest_pips(pips: list[int], singles: bool) -> None:
    names = tuple("ABCD"[: len(pips)])
    rules = MugginsRules(singles=singles)
    sides = sides_of(names, rules)
    found = dict(zip(names, pips, strict=True))
    side, points = round_worth(found, sides, rules=rules)
    assert points % 5 == 0
    sums = {each: sum(found[name] for name in each.players) for each in sides}
    if side is None:
        assert sorted(sums.values())[0] == sorted(sums.values())[1]
    else:
        others = sum(pips) - sums[side]
        assert all(sums[side] < value for each, value in sums.items() if each != side)
        assert abs(points - others) <= 2


@given(
    st.lists(
        st.tuples(st.sampled_from("ABC"), st.integers(1, 6), st.none() | st.sampled_from("ABC")),
        max_size=8,
    )
)
def test_points_by_play_go_to_the_caller_or_the_player(
    plays: list[tuple[str, int, str | None]],
) -> None:
    points = tuple(PlayPoints(name, 5 * fives, caller) for name, fives, caller in plays)
    game = MugginsGame(("A", "B", "C"), (MugginsRound(points),), MugginsRules(target=1000))
    expected = dict.fromkeys("ABC", 0)
    for name, fives, caller in plays:
        expected[caller or name] += 5 * fives
    assert game.totals == expected
    assert MugginsGame.from_dict(game.to_dict()) == game
