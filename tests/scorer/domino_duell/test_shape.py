from __future__ import annotations

from collections import Counter

import pytest

from scorer.domino_duell import DEFAULT_SHAPE, NotationError, Shape


def test_the_default_board_is_that_of_the_rules() -> None:
    shape = DEFAULT_SHAPE
    assert len(shape.hollows) == 102
    rows = Counter(name[0] for name in shape.hollows)
    assert list(rows.values()) == [6, 7, 8, 9, 10, 11, 11, 10, 9, 8, 7, 6]
    assert shape.middle == ("f6", "f7", "g5", "g6")
    assert len(shape.edge) == 32
    starts = [0, -1, -2, -3, -4, -5, -4, -3, -2, -1, 0, 1]
    left = min(x for x, _ in shape.places)
    for name, (x, row) in zip(shape.hollows, shape.places, strict=True):
        assert x - left == starts[row] + 2 * int(name[1:]) + 5 - 2, name


def test_neighbours_are_mutual_and_the_edge_has_fewer() -> None:
    shape = DEFAULT_SHAPE
    for index, near in enumerate(shape.neighbours):
        assert len(set(near)) == len(near)
        assert all(index in shape.neighbours[each] for each in near)
        assert (len(near) < 6) == (shape.hollows[index] in shape.edge)
    names = {shape.hollows[each] for each in shape.neighbours[shape.index["f6"]]}
    assert names == {"f5", "f7", "e5", "e6", "g5", "g6"}


def test_within_two_steps_lie_eighteen_hollows_of_the_open_board() -> None:
    shape = DEFAULT_SHAPE
    around = {shape.hollows[each] for each in shape.surroundings[shape.index["f6"]]}
    assert len(around) == 18
    assert {"f4", "f8", "d4", "d5", "d6", "h4", "h5", "h6"} <= around
    assert len(shape.surroundings[shape.index["a1"]]) == 8


def test_windows_hold_their_hollow_and_lie_in_a_line() -> None:
    shape = DEFAULT_SHAPE
    index = shape.index["f6"]
    assert len(shape.triples[index]) == 9
    assert len(shape.quadruples[index]) == 12
    assert [each.hollows for each in shape.triples[shape.index["a1"]]] == [
        ("a1", "a2", "a3"),
        ("a1", "b2", "c3"),
        ("a1", "b1", "c1"),
    ]
    for window in shape.quadruples[index]:
        inside = [
            set(triple.hollows)
            for number, triple in enumerate(shape.triples[index])
            if window.inside >> number & 1
        ]
        assert all(three < set(window.hollows) for three in inside)
        assert len(inside) in (1, 2)


def test_a_drawing_round_trips() -> None:
    assert Shape.parse(str(DEFAULT_SHAPE)) == DEFAULT_SHAPE


def test_another_board_with_a_gap() -> None:
    shape = Shape.parse(" x o\no   o\n o o")
    assert shape.hollows == ("a1", "a2", "b1", "b2", "c1", "c2")
    assert shape.middle == ("a1",)
    assert {shape.hollows[each] for each in shape.neighbours[0]} == {"a2", "b1"}
    assert shape.edge == set(shape.hollows)
    assert all(not windows for windows in shape.triples)


@pytest.mark.parametrize(
    ("drawing", "code", "line", "column"),
    [
        ("o o\no o", "off_lattice", 2, 1),
        ("o oo", "off_lattice", 1, 4),
        ("o o\n o q", "bad_hollow_mark", 2, 4),
        ("", "empty_board", None, None),
        ("   ", "empty_board", None, None),
        ("\n".join(["o", " o"] * 14), "too_many_rows", None, None),
    ],
)
def test_bad_drawings(drawing: str, code: str, line: int | None, column: int | None) -> None:
    with pytest.raises(NotationError) as refused:
        Shape.parse(drawing)
    assert refused.value.code == code
    assert (refused.value.details.get("line"), refused.value.details.get("column")) == (
        line,
        column,
    )
