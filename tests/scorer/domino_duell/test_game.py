"""A game: set up, hands, turns, jokers, end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorer.domino_duell import (
    DEFAULT_SHAPE,
    JOKER,
    STONES,
    Board,
    End,
    Exchange,
    Game,
    Hand,
    IllegalTurn,
    Lay,
    Pass,
    Piece,
    Reason,
    Record,
    SetUp,
    SetUpError,
    Shape,
    Turn,
    UseJoker,
    joker_hollows,
    parse_piece,
    parse_turn,
    replay,
    why_joker_illegal,
)
from scorer.domino_duell.game import NOT_IN_NAMES
from tests.scorer.domino_duell.random_games import play, set_up

START = Board.parse("f6=rtl f7=ycl g5=gml g6=bsw")
KNOWN = ("bcl bcw rsk ytk gcl bmk ysl", "rcw gmw bsl ytg ymw gsk rtk")


def pieces(text: str) -> tuple[Piece, ...]:
    return tuple(map(parse_piece, text.split()))


def started(*hands: str, **changes: Any) -> Game:
    known = tuple(map(pieces, hands)) if hands else ()
    return Game.start(SetUp(("Anna", "Ben"), START, known, **changes))


def played(game: Game, *turns: str) -> Game:
    for turn in turns:
        game = game.after(parse_turn(turn))
    return game


def refusal(game: Game, turn: str) -> Reason | None:
    reason = game.why_illegal(parse_turn(turn))
    if reason is None:
        assert game.after(parse_turn(turn)) is not None
    else:
        with pytest.raises(IllegalTurn) as refused:
            game.after(parse_turn(turn))
        assert refused.value.reason is reason
    return reason


def test_the_start() -> None:
    game = started()
    assert (game.to_move, game.totals, game.over) == (0, (0, 0), False)
    assert game.bag == 64 - 4 - 14
    assert len(game.unseen) == 60
    assert game.hands == (Hand(7), Hand(7))


def test_points_are_added_up_and_turns_alternate() -> None:
    game = played(started(), "e6=bcl", "g7=yck", "f8=gsl")
    assert game.totals == tuple(
        sum(step.points for step in game.steps if step.player == player) for player in (0, 1)
    )
    assert [step.player for step in game.steps] == [0, 1, 0]
    assert [step.points for step in game.steps] == [2, 2, 2]
    assert [step.totals for step in game.steps] == [(2, 0), (2, 2), (4, 2)]
    assert game.to_move == 1
    assert game.leaders == ("Anna",)


def test_turns_go_round_in_the_order_of_the_players() -> None:
    game = Game.start(SetUp(("Anna", "Ben", "Cleo", "Dora"), START, begins=1))
    game = played(game, "swap 1", "swap 1", "swap 1", "swap 1", "swap 1")
    assert [step.player for step in game.steps] == [1, 2, 3, 0, 1]
    assert game.to_move == 2


def test_a_replay_names_the_turn_that_is_not_allowed_and_why() -> None:
    turns = [parse_turn("e6=bcl"), parse_turn("a1=yck")]
    with pytest.raises(IllegalTurn) as refused:
        replay(started().set_up, turns)
    assert refused.value.reason is Reason.NO_GROUP
    assert refused.value.details == {"stone": "yck", "hollow": "a1", "number": 2}


def test_equal_points_share_the_lead() -> None:
    assert started().leaders == ("Anna", "Ben")
    assert played(started(), "e6=bcl", "g7=yck").leaders == ("Anna", "Ben")


def test_the_named_player_must_be_the_one_to_move() -> None:
    game = started(begins=1)
    assert refusal(game, "Ben: e6=bcl") is None
    assert refusal(game, "Anna: e6=bcl") is Reason.NOT_THEIR_TURN


def test_a_known_hand_gives_and_draws() -> None:
    game = started(*KNOWN)
    after = played(game, "e6=bcl +gsl")
    assert after.hands[0].known == pieces("bcw rsk ytk gcl bmk ysl gsl")
    assert after.bag == game.bag - 1
    assert parse_piece("gsl") not in after.unseen
    unnamed = played(game, "e6=bcl")
    assert (unnamed.hands[0].size, unnamed.hands[0].unknown) == (7, 1)


def test_what_is_in_no_hand_can_not_be_laid() -> None:
    game = started(*KNOWN)
    assert refusal(game, "e6=bcl") is None
    assert refusal(game, "e6=rcw") is Reason.IN_OTHER_HAND
    assert refusal(game, "e6=gtw") is Reason.NOT_IN_HAND
    assert refusal(game, "e6=rtl") is Reason.STONE_ON_BOARD
    assert refusal(game, "e6=bcl +rcw") is Reason.NOT_IN_BAG
    assert refusal(game, "e6=bcl +bcl") is Reason.NOT_IN_BAG
    assert refusal(game, "e6=bcl +rtl") is Reason.NOT_IN_BAG
    assert refusal(game, "e6=bcl +*") is Reason.NOT_IN_BAG
    assert refusal(game, "f6=bcl") is Reason.OCCUPIED
    assert refusal(game, "a1=bcl") is Reason.NO_GROUP


def test_an_unknown_hand_may_hold_what_nobody_has_seen() -> None:
    game = started("", "rcw gmw bsl ytg ymw gsk rtk")
    assert refusal(game, "e6=bcl") is None
    assert refusal(game, "e6=rcw") is Reason.IN_OTHER_HAND


def test_the_last_stone_that_nobody_wrote_down_may_be_any_unseen_one() -> None:
    game = Game(started().set_up, START, (Hand(7, pieces("rsk ytk gcl bmk ysl bcw")), Hand(7)), 0)
    assert game.hands[0].unknown == 1
    assert refusal(game, "e6=bcl") is None


def test_moves_of_the_player_to_move() -> None:
    game = started(*KNOWN)
    assert game.legal_moves()[0].points >= 2
    assert {move.stone for move in game.legal_moves()} <= set(pieces(KNOWN[0]))
    assert {move.stone for move in game.legal_moves(1)} <= set(pieces(KNOWN[1]))


def test_who_is_able_to_begin() -> None:
    game = started("rtw", "bcl")
    assert game.able_to_begin() == ("Ben",)


def test_exchange() -> None:
    game = started(*KNOWN)
    after = played(game, "swap bcl ysl for gsl rml")
    assert after.hands[0].known == pieces("bcw rsk ytk gcl bmk gsl rml")
    assert {*pieces("bcl ysl")} <= {*after.unseen}
    assert after.bag == game.bag
    assert after.to_move == 1
    assert after.totals == (0, 0)
    assert played(game, "swap 2").hands[0] == Hand(7)
    assert played(game, "swap 2 for gsl rml").hands[0] == Hand(7, pieces("gsl rml"))


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("swap rcw", Reason.IN_OTHER_HAND),
        ("swap gtw", Reason.NOT_IN_HAND),
        ("swap rtl", Reason.NOT_IN_HAND),
        ("swap bcl bcl", Reason.NOT_IN_HAND),
        ("swap 8", Reason.HAND_TOO_SMALL),
        ("swap bcl for bcl", Reason.NOT_IN_BAG),
        ("swap bcl for rcw", Reason.NOT_IN_BAG),
        ("swap 2 for gsl gsl", Reason.NOT_IN_BAG),
    ],
)
def test_exchanges_that_can_not_be(turn: str, reason: Reason) -> None:
    game = started(*KNOWN)
    assert refusal(game, turn) is reason


def test_there_are_more_jokers_than_the_one_in_another_hand() -> None:
    game = started(KNOWN[0], "* gmw bsl ytg ymw gsk rtk", jokers=True)
    assert refusal(game, "swap *") is Reason.NOT_IN_HAND


def test_pieces_of_an_unknown_hand_are_exchanged_once() -> None:
    game = started(jokers=True)
    assert refusal(game, "swap bcl bcl") is Reason.NOT_IN_HAND
    assert refusal(game, "swap * * * *") is None
    assert refusal(game, "swap * * * * *") is Reason.NOT_IN_HAND
    assert refusal(game, "swap bcl for bcl") is Reason.NOT_IN_BAG


def nearly_full(hand: str, other: str, *, jokers: bool = False, bag: int = 0) -> Game:
    """Late in a game: all stones but those of the hands and the bag lie on the board in order."""
    held = {*pieces(hand), *pieces(other)}
    left = [stone for stone in STONES if stone not in held][bag:]
    cells = (*left, *(None,) * (len(DEFAULT_SHAPE.hollows) - len(left)))
    game = started(jokers=jokers)
    rest = Board(DEFAULT_SHAPE, cells)
    hands = (Hand(len(hand.split()), pieces(hand)), Hand(len(other.split()), pieces(other)))
    return Game(game.set_up, rest, hands, 0)


def test_a_joker_takes_a_stone_and_laying_may_follow() -> None:
    game = nearly_full("gsl *", "gsg", jokers=True)
    assert game.bag == 64 + 4 - len(game.position.stones) - 3
    taken = game.position["c3"]
    later = played(game, "joker c3")
    assert later.position["c3"] is JOKER
    assert (later.steps[-1].turn, later.steps[-1].taken) == (UseJoker("c3"), taken)
    assert later.hands[0].known == (parse_piece("gsl"), taken)
    assert (later.totals, later.to_move) == ((0, 0), 1)
    move = later.legal_moves(0)[0]
    both = played(game, f"joker c3 {move.hollow}={move.stone}")
    assert both.position[move.hollow] is move.stone
    assert both.totals == (move.points, 0)
    assert (both.steps[-1].move, both.steps[-1].taken) == (move, taken)
    assert both.position["c3"] is JOKER


def test_the_stone_taken_may_be_laid_at_once() -> None:
    game = nearly_full("gsl *", "gsg", jokers=True)
    taken = game.position["c3"]
    mine = [move for move in played(game, "joker c3").legal_moves(0) if move.stone is taken]
    assert mine
    later = played(game, f"joker c3 {mine[0].hollow}={taken}")
    assert later.hands[0].known == pieces("gsl")


def test_jokers_that_can_not_be_used() -> None:
    assert refusal(nearly_full("gsl", "gsg", jokers=True), "joker c3") is Reason.NO_JOKERS
    assert refusal(nearly_full("gsl gtl", "gsg"), "joker c3") is Reason.NO_JOKERS
    game = nearly_full("gsl *", "gsg", jokers=True)
    assert refusal(game, "joker b1") is Reason.TOO_NEAR_BORDER
    assert refusal(game, "joker l1") is Reason.NO_STONE_TO_TAKE
    assert refusal(started(), "joker f6") is Reason.NO_JOKERS
    assert refusal(started(jokers=True), "joker f6") is Reason.TOO_NEAR_BORDER


def test_only_who_can_not_lay_sits_out() -> None:
    game = started("rtw", "bcl")
    assert game.legal_moves() == ()
    assert refusal(game, "pass") is None
    assert refusal(played(game, "pass"), "pass") is Reason.NEED_NOT_PASS
    assert refusal(started(), "pass") is None
    assert refusal(nearly_full("gsl", "gsg"), "pass") is Reason.NEED_NOT_PASS


def test_no_more_is_exchanged_than_there_is() -> None:
    assert refusal(nearly_full("gsl", "gsg", bag=1), "swap 2") is Reason.HAND_TOO_SMALL
    assert refusal(nearly_full("gsl gtl", "gsg", bag=1), "swap 2") is Reason.BAG_TOO_SMALL
    assert refusal(nearly_full("gsl gtl", "gsg", bag=1), "swap 1") is None


def test_all_stones_used_ends_the_game() -> None:
    game = nearly_full("gsl", "gsg")
    first = game.legal_moves()[0]
    game = played(game, f"{first.hollow}={first.stone}")
    assert (game.over, game.to_move, game.hands[0].size) == (False, 1, 0)
    second = game.legal_moves()[0]
    game = played(game, f"{second.hollow}={second.stone}")
    assert (game.over, game.bag, len(game.position.stones)) == (True, 0, 64)
    assert refusal(game, "pass") is Reason.GAME_OVER
    assert game.legal_moves() == ()


def test_nothing_is_drawn_from_an_empty_bag() -> None:
    game = nearly_full("gsl gtl", "gsg")
    move = game.legal_moves()[0]
    assert refusal(game, f"{move.hollow}={move.stone} +gsk") is Reason.BAG_TOO_SMALL
    assert played(game, f"{move.hollow}={move.stone}").hands[0].size == 1


def test_stones_left_over_stay_unused_when_nobody_can_lay() -> None:
    game = nearly_full("*", "*", jokers=True)
    assert game.bag == 2
    once = played(game, "pass")
    assert (once.over, once.to_move) == (False, 1)
    assert played(once, "pass").over
    assert not played(once, "swap 1", "pass").over


def test_the_quick_variant_ends_at_the_edge() -> None:
    turns = ["e6=bcl", "d6=bcw", "c6=bcg", "b6=bck"]
    assert not played(started(), *turns[:1]).over
    game = started(end=End.EDGE)
    assert played(game, "e6=bcl edge").over
    assert not played(game, "e6=bcl").over
    assert not played(started(), "e6=bcl edge").over


def test_a_turn_is_refused_with_its_number() -> None:
    turns = [parse_turn("e6=bcl"), parse_turn("e6=bcw")]
    with pytest.raises(IllegalTurn) as refused:
        replay(started().set_up, turns)
    assert refused.value.reason is Reason.OCCUPIED
    assert refused.value.details["number"] == 2


def test_undo_is_a_replay_of_fewer_turns() -> None:
    game = play(Random(3), set_up(Random(3), 3, jokers=True))
    turns = [step.turn for step in game.steps]
    for count in range(0, len(turns), 7):
        part = replay(game.set_up, turns[:count])
        assert part.steps == game.steps[:count]
        assert (
            replay(game.set_up, turns[:count]).after(turns[count]).steps[-1] == (game.steps[count])
        )
    assert Record(game.set_up, tuple(turns)).to_data()["turns"]


@pytest.mark.parametrize(
    "turn",
    [Lay(parse_piece("bcl"), "e6"), UseJoker("f6"), Exchange(1), Pass()],  # type: ignore[arg-type]
)
def test_nothing_changes_the_game_itself(turn: Turn) -> None:
    game = started(jokers=True)
    before = (game.position, game.hands, game.steps, game.to_move)
    game.why_illegal(turn)
    assert (game.position, game.hands, game.steps, game.to_move) == before


def test_only_laying_scores() -> None:
    game = played(started(), "swap 1", "e6=bcl")
    assert [step.points for step in game.steps] == [0, 2]
    assert (game.steps[0].move, game.steps[0].taken) == (None, None)


def test_a_joker_is_in_the_bag_in_a_hand_or_on_the_board() -> None:
    assert started("*", "", jokers=True).unseen.count(JOKER) == 3
    assert started("* *", "*", jokers=True).unseen.count(JOKER) == 1
    assert started(jokers=True).unseen.count(JOKER) == 4
    assert started().unseen.count(JOKER) == 0
    late = nearly_full("gsl *", "gsg", jokers=True)
    later = played(late, "joker c3")
    assert (later.position.jokers, later.unseen.count(JOKER)) == (1, 3)
    assert later.bag == late.bag == 3


def test_pieces_come_and_go() -> None:
    hand = Hand(2, (STONES[0], JOKER))
    assert hand.without(JOKER) == Hand(1, (STONES[0],))
    assert hand.drawing(1, [STONES[5]]) == Hand(3, (STONES[0], JOKER, STONES[5]))
    assert hand.drawing(1).unknown == 1


def test_what_is_not_known_may_be_one_of_the_unknown() -> None:
    hand = Hand(3, (STONES[0],))
    assert hand.without(STONES[9]) == Hand(2, (STONES[0],))
    assert hand.without_any(1) == Hand(2)


def test_no_more_known_than_there_are() -> None:
    with pytest.raises(ValueError, match="at most 1 pieces, got 2"):
        Hand(1, STONES[:2])


def surrounded(hollow: str) -> Board:
    """A stone with every hollow within two steps occupied, and nothing else."""
    index = DEFAULT_SHAPE.index[hollow]
    names = [DEFAULT_SHAPE.hollows[near] for near in (index, *DEFAULT_SHAPE.surroundings[index])]
    return Board.of(dict(zip(names, STONES, strict=False)))


def test_a_stone_with_two_rows_around_it_can_be_taken() -> None:
    position = surrounded("f6")
    assert len(position.stones) == 19
    assert why_joker_illegal(position, "f6") is None
    assert joker_hollows(position) == ("f6",)


def test_one_free_hollow_within_two_steps_forbids_it() -> None:
    position = surrounded("f6")
    for hollow, _ in position.items():
        if hollow != "f6":
            bare = position.with_piece(hollow, None)
            assert why_joker_illegal(bare, "f6") is Reason.TOO_NEAR_BORDER


def test_jokers_around_it_count_as_occupied() -> None:
    position = surrounded("f6").with_piece("f7", JOKER)
    assert why_joker_illegal(position, "f6") is None
    assert why_joker_illegal(position, "f7") is Reason.NO_STONE_TO_TAKE


def test_hollows_that_the_board_lacks_forbid_it() -> None:
    full = Board(DEFAULT_SHAPE, (*STONES, *(None,) * 38))
    assert why_joker_illegal(full, "b3") is Reason.TOO_NEAR_BORDER
    assert why_joker_illegal(full, "c1") is Reason.TOO_NEAR_BORDER
    assert why_joker_illegal(full, "c3") is None
    drawn = [list(row) for row in DEFAULT_SHAPE.rows]
    x, row = DEFAULT_SHAPE.places[DEFAULT_SHAPE.index["d4"]]
    drawn[row][x] = " "
    gap = Shape(tuple("".join(marks) for marks in drawn))
    assert why_joker_illegal(Board(gap, (*STONES, *(None,) * 37)), "c3") is (Reason.TOO_NEAR_BORDER)


def test_nothing_to_take() -> None:
    assert why_joker_illegal(surrounded("f6"), "a1") is Reason.NO_STONE_TO_TAKE
    assert why_joker_illegal(surrounded("f6"), "z9") is Reason.OFF_BOARD


START_STONES = Board.parse("f6=ycw f7=rmk g5=btg g6=gsl")


def test_a_set_up_by_the_rules() -> None:
    set_up = SetUp(("Anna", "Opa Jürgen"), START_STONES, end=End.EDGE, jokers=True)
    assert set_up.pieces == 68
    assert SetUp(("A", "B"), START_STONES).pieces == 64
    assert SetUp(("A", "B"), START_STONES, ((), ())) == SetUp(("A", "B"), START_STONES)


def test_a_board_with_another_middle() -> None:
    shape = Shape.parse("o x x o")
    assert SetUp(("A", "B"), Board.parse("a2=rcw a3=bmk", shape)).shape == shape


HANDS = (STONES[1:8], STONES[8:15])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"players": ("Anna",)}, "bad_players"),
        ({"players": tuple("ABCDEFG")}, "bad_players"),
        ({"players": ("Anna", "")}, "bad_name"),
        ({"players": ("Anna", " Ben")}, "bad_name"),
        ({"players": ("Anna", "Ben, Cem")}, "bad_name"),
        ({"players": ("Anna", "Ben: x")}, "bad_name"),
        ({"players": ("Anna", "hand Anna")}, "bad_name"),
        ({"players": ("Anna", "Anna")}, "same_name"),
        ({"begins": 2}, "bad_begins"),
        ({"begins": -1}, "bad_begins"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg")}, "start_stones"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg g6=*")}, "start_stones"),
        ({"start": Board.parse("f6=ycw f7=rmk g5=btg g6=gsl a1=rcw")}, "start_stones"),
        ({"hands": (STONES[:8], ())}, "hand_too_large"),
        ({"hands": (STONES[1:8],)}, "bad_players"),
        ({"hands": (STONES[1:8], STONES[7:10])}, "piece_twice"),
        ({"hands": ((parse_piece("gsl"),), ())}, "piece_twice"),
        ({"hands": ((JOKER,), ())}, "jokers_not_in_play"),
        ({"hands": ((JOKER,) * 3, (JOKER,) * 2), "jokers": True}, "piece_twice"),
    ],
)
def test_what_the_rules_forbid(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(SetUpError) as refused:
        SetUp(**{"players": ("Anna", "Ben"), "start": START_STONES, **changes})
    assert refused.value.code == code


def test_only_signs_of_the_notation_are_kept_out_of_names() -> None:
    assert set(",:=#\n") == NOT_IN_NAMES
    assert SetUp(("Xaver", "O'Neill (2)"), START_STONES).players == ("Xaver", "O'Neill (2)")


def test_as_many_are_drawn_as_given() -> None:
    assert Exchange(2, STONES[:2], STONES[2:4]).count == 2
    assert Exchange(2).given == ()
    with pytest.raises(ValueError, match="given: expected 0 or 2 pieces, got 1"):
        Exchange(2, STONES[:1])
    with pytest.raises(ValueError, match="drawn: expected 0 or 2 pieces, got 3"):
        Exchange(2, STONES[:2], STONES[2:5])
    with pytest.raises(ValueError, match="expected 1 or more, got 0"):
        Exchange(0)
