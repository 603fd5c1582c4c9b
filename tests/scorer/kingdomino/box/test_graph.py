from scorer.kingdomino import Kingdom, Square
from scorer.kingdomino.box.graph import BoxGraph, kind_of

WHEAT, FOREST, CROWNED = map(Square.parse, ("w", "f", "w1"))


def test_kinds_know_no_order_and_no_giants() -> None:
    assert kind_of(WHEAT, FOREST) == kind_of(FOREST, WHEAT)
    assert kind_of(Square.parse("w1!"), FOREST) == kind_of(FOREST, CROWNED)
    assert kind_of(CROWNED, FOREST) != kind_of(WHEAT, FOREST)


def test_squares_of_all_kingdoms_are_numbered_through() -> None:
    kingdoms = [Kingdom.parse("c w/. f"), Kingdom.parse("w c . f")]
    graph = BoxGraph.of(kingdoms, [kind_of(WHEAT, FOREST)])
    assert graph.places == ((0, (0, 1)), (0, (1, 1)), (1, (0, 0)), (1, (0, 3)))
    assert graph.neighbours == (((1, 0),), ((0, 0),), (), ())
    assert len(set(graph.territory)) == 4
    assert graph.at_castle == {graph.territory[0], graph.territory[2]}


def test_only_kinds_that_are_allowed_join_squares() -> None:
    graph = BoxGraph.of([Kingdom.parse("w w c/f f .")], [kind_of(WHEAT, WHEAT)])
    assert graph.neighbours == (((1, 0),), ((0, 0),), (), ())
    assert graph.kinds == (kind_of(WHEAT, WHEAT),)
