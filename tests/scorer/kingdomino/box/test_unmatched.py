import pytest

from scorer.kingdomino import BASE_DOMINOES, Kingdom, Position
from scorer.kingdomino.box.graph import BoxGraph, find_smallest_unmatched, kind_of
from tests.scorer.kingdomino.golden_tables import squares

KINDS = [kind_of(domino.left, domino.right) for domino in BASE_DOMINOES]


def unmatched(text: str) -> tuple[Position, ...]:
    graph = BoxGraph.of([Kingdom.parse(text)], KINDS)
    return tuple(graph.places[square][1] for square in find_smallest_unmatched(graph, 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c", ""),
        ("c w w", ""),
        ("w w w/w c w/w w w", ""),
        ("c w", "0,1"),
        ("c m3 f", "0,1"),
        ("w . ./w c w/w w .", "1,2"),
        ("f w f/. c .", "0,0 0,2"),
        ("f/w/f/c", "0,0 2,0"),
        # Three corners of the square round the castle, two squares between them.
        ("f w f/. c w/. . f", "0,0 0,2 2,2"),
        # Five squares and the four between them, whichever way the kingdom is turned.
        ("f w f/w f w/f w f/. c .", "0,0 0,2 1,1 2,0 2,2"),
        ("c f w f/. w f w/. f w f", "0,1 0,3 1,2 2,1 2,3"),
        # Two squares with one partner in the midst of others that have theirs.
        (". w1 f/s w s/. m2 c/w f f", "1,2 2,1"),
        ("w1 f w/c w1 ./s w f/f w f", "0,2 1,1"),
        ("w w f/s2 w s/w c w", "0,0 0,2 2,0"),
        # Of two smallest sets always the same.
        ("c s/m .", "0,1"),
    ],
)
def test_by_hand(text: str, expected: str) -> None:
    assert unmatched(text) == squares(expected)


def test_each_kingdom_for_itself() -> None:
    graph = BoxGraph.of([Kingdom.parse("c w w"), Kingdom.parse("w c")], KINDS)
    assert find_smallest_unmatched(graph, 0) == ()
    assert find_smallest_unmatched(graph, 1) == (2,)
