"""Hands of one round settled together, with the likelihoods that were kept."""

from __future__ import annotations

from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kept_reading import KeptHandReading, settle_beside
from scorer.pip_dominoes import Tile
from tests.companion.pip_dominoes.hands import hand_of


def kept(tiles: str, doubtful: dict[str, str] | None = None) -> KeptHandReading:
    return KeptHandReading.of(hand_of(tiles, doubtful), "photo", 400, 300)


def tiles_of(hand: KeptHand | KeptHandReading) -> list[str]:
    each = hand.tiles if isinstance(hand, KeptHand) else hand.dominoes
    return [str(one.tile) for one in each]


def test_a_doubtful_domino_gives_way_to_one_that_is_sure() -> None:
    first = kept("5|8 1|2", {"5|8": "5|9"})
    before = first.hand("one")
    own, changed = settle_beside(kept("5|8 3|4"), {7: before}, {7: first}, [], 9)
    assert tiles_of(own) == ["5|8", "3|4"]
    assert tiles_of(changed[7]) == ["5|9", "1|2"]
    assert changed[7].doubts == (0,)


def test_a_new_doubtful_domino_gives_way_itself() -> None:
    other = KeptHand.of_tiles([Tile(5, 8)])
    own, changed = settle_beside(kept("5|8 3|4", {"5|8": "5|9"}), {1: other}, {}, [], 9)
    assert tiles_of(own) == ["5|9", "3|4"]
    assert own.dominoes[0].doubtful
    assert "changed" in own.dominoes[0].reasons
    assert changed == {}


def test_the_starting_double_is_in_no_hand() -> None:
    own, _ = settle_beside(kept("9|9 3|4", {"9|9": "8|9"}), {}, {}, [Tile(9, 9)], 9)
    assert tiles_of(own) == ["8|9", "3|4"]


def test_what_people_confirmed_is_never_changed() -> None:
    first = kept("5|8", {"5|8": "5|9"})
    confirmed = first.hand("one").confirmed()
    own, changed = settle_beside(kept("5|8"), {1: confirmed}, {1: first}, [], 9)
    assert changed == {}
    assert tiles_of(own) == ["5|8"]
    assert own.dominoes[0].doubtful
    assert own.dominoes[0].reasons == ("twice",)


def test_readings_without_likelihoods_stay_as_they_are() -> None:
    data = kept("5|8", {"5|8": "5|9"}).to_data()
    assert isinstance(data, dict)
    for domino in data["dominoes"]:
        del domino["likelihoods"]
    old = KeptHandReading.from_data(data)
    other = KeptHand.of_tiles([Tile(5, 8)])
    assert settle_beside(old, {1: other}, {}, [], 9) == (old, {})
    own, changed = settle_beside(kept("5|8"), {1: old.hand("one")}, {1: old}, [], 9)
    assert changed == {}
    assert own.dominoes[0].doubtful


def test_likelihoods_are_kept() -> None:
    reading = kept("5|8", {"5|8": "5|9"})
    assert KeptHandReading.from_data(reading.to_data()) == reading
    assert reading.dominoes[0].likelihoods[1][9] == 0.65
