"""Where a game of rounds stands, hand by hand."""

from __future__ import annotations

from companion.games.pip_dominoes.kept import KeptHand, KeptRound, RoundRules
from companion.games.pip_dominoes.standing import RoundStanding
from companion.store import Player
from scorer.pip_dominoes import Tile

ANNA, BEN = Player(0, "Anna"), Player(4, "Ben")


def standing(*points: dict[int, int], rounds: int = 3, first: int | None = 0) -> RoundStanding:
    kept = {
        number: KeptRound(
            Tile(10 - number, 10 - number),
            {player: KeptHand(counted=each) for player, each in hands.items()},
        )
        for number, hands in enumerate(points, start=1)
    }
    return RoundStanding((ANNA, BEN), RoundRules(9, rounds, first), kept)


def test_a_round_is_current_until_every_hand_is_there() -> None:
    assert standing().current == 1
    assert standing({0: 5}).current == 1
    assert standing({0: 5, 4: 6}).current == 2
    # A hand taken away again makes an earlier round current.
    assert standing({0: 5}, {0: 5, 4: 6}).current == 1


def test_players_who_have_left_do_not_count() -> None:
    found = standing({0: 5, 4: 6, 9: 50})
    assert found.totals == {0: 5, 4: 6}
    assert found.is_full(1)


def test_the_lowest_leads_and_shares() -> None:
    assert standing().leaders == ()
    assert standing({0: 5, 4: 6}).leaders == (ANNA,)
    assert standing({0: 5, 4: 5}).leaders == (ANNA, BEN)


def test_the_start_moves_on_and_is_nobody_s_where_nobody_said() -> None:
    assert [standing().starter, standing({0: 1, 4: 1}).starter] == [ANNA, BEN]
    assert standing(first=None).starter is None


def test_the_game_is_over_after_the_rounds_agreed() -> None:
    assert standing({0: 5, 4: 6}, rounds=1).is_over
    assert not standing({0: 5, 4: 6}, rounds=2).is_over
    assert standing({0: 5, 4: 6}, rounds=1).played == 1
