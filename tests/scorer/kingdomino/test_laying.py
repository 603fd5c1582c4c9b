from scorer.kingdomino import BASE_DOMINOES, GIANT_DOMINOES, Kingdom, LaidDomino
from scorer.kingdomino.dominoes import find_laying_order


def test_only_the_pairs_of_the_base_game_are_certain() -> None:
    laid = [
        LaidDomino(domino, (0, 0), (0, 1)) for domino in (*BASE_DOMINOES, *GIANT_DOMINOES, None)
    ]
    assert [each.is_certain for each in laid] == [True] * 48 + [False] * 13


def test_laying_order_follows_the_rule() -> None:
    kingdom = Kingdom.parse("c w f f l")
    first, second = LaidDomino(None, (0, 1), (0, 2)), LaidDomino(None, (0, 3), (0, 4))
    assert find_laying_order(kingdom, [second, first]) == [first, second]
    assert find_laying_order(kingdom, [second]) == []
