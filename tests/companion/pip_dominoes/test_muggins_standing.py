"""Muggins from rounds that two phones may have filled without knowing of each other."""

from __future__ import annotations

from companion.games.pip_dominoes.kept import KeptHand, KeptMuggins, KeptPlay
from companion.games.pip_dominoes.kind import MugginsStanding, muggins_standing
from scorer.pip_dominoes import MugginsRules

OUT, LEFT = KeptHand(), KeptHand(counted=12)


def standing(*rounds: KeptMuggins, players: int = 2, target: int = 50) -> MugginsStanding:
    numbered = dict(enumerate(rounds, start=1))
    found = muggins_standing(range(players), numbered, MugginsRules(target))
    assert found is not None
    return found


def play(name: str, player: int, points: int, caller: int | None = None) -> KeptPlay:
    return KeptPlay(name, player, points, caller)


def test_the_round_in_play_is_the_first_without_its_hands() -> None:
    assert standing().number == 1
    first = KeptMuggins((play("a", 0, 10),))
    assert standing(first).number == 1
    full = KeptMuggins(first.plays, {0: OUT, 1: LEFT})
    assert standing(full).number == 2
    assert standing(full, KeptMuggins((play("b", 1, 5),))).number == 2
    assert standing(full).game.totals == {"0": 20, "1": 0}


def test_what_comes_after_the_target_does_not_count() -> None:
    late = KeptMuggins((play("a", 0, 50), play("b", 1, 50)), {0: OUT, 1: LEFT})
    found = standing(late, KeptMuggins((play("c", 1, 50),)))
    assert found.game.totals == {"0": 50, "1": 0}
    assert (found.game.is_over, found.number) == (True, 1)


def test_called_points_are_those_of_the_caller() -> None:
    found = standing(KeptMuggins((play("a", 0, 10, caller=1), play("b", 7, 10))))
    assert (found.plays_of(0), found.plays_of(1)) == ([], [10])


def test_muggins_is_for_two_to_four() -> None:
    assert muggins_standing([0], {}, MugginsRules()) is None
    assert muggins_standing(range(5), {}, MugginsRules()) is None
    assert len(standing(players=4).game.sides) == 2
