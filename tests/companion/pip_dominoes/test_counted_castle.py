from __future__ import annotations

from companion.games.pip_dominoes.kind import CountedCastle, castle_result, knows_tiles
from scorer.pip_dominoes import CastleRockResult, DominoSet, Hand, best_list

SIX = DominoSet(6)


def test_pips_without_tiles() -> None:
    result = CountedCastle(SIX, Hand(), 90.0, 12)
    assert (result.score, result.is_won, result.seconds) == (12, False, 90.0)
    assert not knows_tiles(result)


def test_no_pips_are_won() -> None:
    result = CountedCastle(SIX, Hand(), None, 0)
    assert (result.score, result.is_won, result.tiles_left, result.tiles_out) == (0, True, 0, 28)
    assert knows_tiles(result)


def test_it_comes_after_equal_results_whose_tiles_are_known() -> None:
    counted, more = CountedCastle(SIX, Hand(), 1.0, 11), CountedCastle(SIX, Hand(), 1.0, 12)
    tiles = CastleRockResult(SIX, Hand.parse("5|6"), 99.0)
    assert best_list([more, counted, tiles], SIX) == (tiles, counted, more)


def test_a_counted_hand_is_such_a_result() -> None:
    kept = {"hand": {"counted": 7}, "seconds": 30.0}
    found = castle_result({"rules": {"set": 9}, "round:1": kept})
    assert found == CountedCastle(DominoSet(9), Hand(), 30.0, 7)
