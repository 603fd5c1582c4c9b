"""What holds for every game, checked on games played by chance."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    JOKERS,
    STONES,
    Board,
    Game,
    NotationError,
    Piece,
    Record,
    Stone,
    is_group,
    legal_moves,
    parse_turn,
    replay,
    score_move,
    why_illegal,
)
from tests.scorer.domino_duell.random_games import play, set_up

games = st.builds(
    lambda seed, players, jokers, turns: play(
        Random(seed), set_up(Random(seed), players, jokers=jokers), turns
    ),
    st.integers(0, 2**32),
    st.integers(2, 6),
    st.booleans(),
    st.integers(0, 90),
)


def everywhere(game: Game) -> Counter[Piece]:
    """All pieces: on the board, in hands, and unseen."""
    lying = [piece for _, piece in game.position.items()]
    held = [piece for hand in game.hands for piece in hand.known]
    return Counter([*lying, *held, *game.unseen])


@given(games)
def test_each_stone_is_there_once(game: Game) -> None:
    expected = Counter(STONES) + Counter({JOKER: JOKERS} if game.set_up.jokers else {})
    assert everywhere(game) == expected
    assert game.bag == len(game.unseen)
    assert game.bag >= 0


def groups_by_trying(position: Board, stone: Stone, hollow: str) -> tuple[int, int]:
    """Counted triples and quadruples: walks the lines by coordinates, with nothing kept ready."""
    shape = position.shape
    at = dict(zip(shape.places, shape.hollows, strict=True))
    x, row = shape.places[shape.index[hollow]]
    after = position.with_piece(hollow, stone)
    found: dict[int, list[set[str]]] = {3: [], 4: []}
    for right, down in ((2, 0), (1, 1), (1, -1)):
        for size in (4, 3):
            for back in range(size):
                places = [
                    (x + right * (step - back), row + down * (step - back)) for step in range(size)
                ]
                names = [at[place] for place in places if place in at]
                stones = [each for each in map(after.__getitem__, names) if isinstance(each, Stone)]
                if len(stones) == size and is_group(stones):
                    found[size].append(set(names))
    triples = [three for three in found[3] if not any(three < four for four in found[4])]
    return len(triples), len(found[4])


@settings(max_examples=25)
@given(games, st.integers(0, 2**32))
def test_legal_moves_are_those_that_trying_everything_finds(game: Game, seed: int) -> None:
    position = game.position
    rest = [stone for stone in STONES if stone not in position.stones]
    hand = Random(seed).sample(rest, min(7, len(rest)))
    tried = {}
    for stone in hand:
        for hollow in position.free:
            triples, quadruples = groups_by_trying(position, stone, hollow)
            assert (why_illegal(position, stone, hollow) is None) == bool(triples + quadruples)
            if triples + quadruples:
                x, row = position.shape.places[position.shape.index[hollow]]
                touched = sum(
                    position[name] is not None
                    for (a, b), name in zip(
                        position.shape.places, position.shape.hollows, strict=True
                    )
                    if (abs(a - x), abs(b - row)) in ((2, 0), (1, 1))
                )
                times = 2 if hollow in position.shape.edge else 1
                tried[stone, hollow] = (triples + 3 * quadruples) * touched * times
    moves = legal_moves(position, hand)
    assert {(move.stone, move.hollow): move.points for move in moves} == tried
    assert [move.points for move in moves] == sorted(tried.values(), reverse=True)
    for move in moves:
        assert move == score_move(position, move.stone, move.hollow)


@given(games)
def test_a_game_written_down_is_the_same_game(game: Game) -> None:
    record = Record(game.set_up, tuple(step.turn for step in game.steps))
    assert Record.parse(str(record)) == record
    assert Record.from_data(record.to_data()) == record
    assert replay(record.set_up, record.turns) == game


@given(games)
def test_the_total_is_the_sum_of_the_moves(game: Game) -> None:
    totals = [0] * len(game.hands)
    for step in game.steps:
        totals[step.player] += step.points
    assert game.totals == tuple(totals)
    best = max(totals)
    assert [points == best for points in totals] == [
        name in game.leaders for name in game.set_up.players
    ]


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(2, 6), st.booleans())
def test_every_game_ends(seed: int, players: int, jokers: bool) -> None:
    game = play(Random(seed), set_up(Random(seed), players, jokers=jokers), 400)
    assert game.over
    assert not any(legal_moves(game.position, hand.known) for hand in game.hands)


@given(st.text(alphabet="ab16=rcwgsl*+ joker swap for 3 pass edge :#", max_size=40))
def test_any_text_is_a_turn_or_refused(text: str) -> None:
    try:
        turn = parse_turn(text)
    except NotationError as error:
        column = error.details["column"]
        assert isinstance(column, int)
        assert 1 <= column <= len(text) + 1
        return
    assert turn is not None


@given(st.text(alphabet="ab16=rcwgsl*+|ox \nplayers, start hand jokers:#", max_size=80))
def test_any_text_is_a_game_or_refused_with_its_place(text: str) -> None:
    try:
        record = Record.parse(text)
    except NotationError as error:
        place = {"line", "column"} & error.details.keys()
        shape_as_a_whole = error.code in ("empty_board", "too_many_rows")
        if len(place) < 2 and not shape_as_a_whole:
            raise
        return
    assert Record.parse(str(record)) == record


@given(st.permutations(DEFAULT_SHAPE.hollows), st.integers(0, 64))
def test_positions_round_trip(hollows: list[str], count: int) -> None:
    position = Board.of(dict(zip(hollows, STONES[:count], strict=False)))
    assert Board.parse(str(position)) == position
    assert len(position.stones) == count
