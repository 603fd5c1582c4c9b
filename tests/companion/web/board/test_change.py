"""A change is believed only if the board could have sent it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.board import ChangeKind, Frame, parse_change
from scorer.kingdomino import Kingdom


def message(**changes: Any) -> dict[str, Any]:
    return {
        "client": "0123456789ab",
        "seq": 3,
        "base": 7,
        "has": "d",
        "kingdom": "w1 ./c f2!",
        "settled": "1001",
        "frame": [1, 0, -2],
        "done": [
            {"seq": 2, "kind": "set", "squares": [[0, 0]], "value": "w1"},
            {"seq": 3, "kind": "add_line", "value": "top"},
        ],
        "corners": None,
        "grid": None,
        **changes,
    }


def test_a_change_is_read_whole() -> None:
    change = parse_change(message())
    assert change is not None
    assert change.kingdom == Kingdom.parse("w1 ./c f2!")
    assert change.settled == {(0, 0), (1, 1)}
    assert change.frame == Frame(1, 0, -2)
    assert [action.kind for action in change.actions] == [ChangeKind.SET, ChangeKind.ADD_LINE]
    assert change.actions[0].squares == ((0, 0),)
    assert (change.client, change.seq, change.base) == ("0123456789ab", 3, 7)


def test_corners_and_their_grid_are_read() -> None:
    corners = [[10, 10], [500, 20.5], [510, 480], [0, 490]]
    change = parse_change(message(corners=corners, grid=[5, 4]))
    assert change is not None
    assert change.corners == ((10.0, 10.0), (500.0, 20.5), (510.0, 480.0), (0.0, 490.0))
    assert change.grid == (5, 4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"client": ""},
        {"client": "<script>alert(1)"},
        {"client": 12345678},
        {"seq": 0},
        {"seq": True},
        {"seq": 1.5},
        {"seq": 2**31},
        {"base": -1},
        {"kingdom": ""},
        {"kingdom": "x"},
        {"kingdom": "w9 ./c f"},
        {"kingdom": " ".join("w" * 10), "settled": "0" * 10},
        {"kingdom": "w " * 5000},
        {"kingdom": None},
        {"settled": "100"},
        {"settled": "1002"},
        {"settled": None},
        {"frame": [4, 0, 0]},
        {"frame": [0, 0]},
        {"frame": [0, 1000, 0]},
        {"done": None},
        {"done": [{}] * 201},
        {"done": [{"seq": 1, "kind": "hack"}]},
        {"done": [{"seq": 1, "kind": ["set"]}]},
        {"done": [{"seq": 1, "kind": "set", "squares": [[9, 0]]}]},
        {"done": [{"seq": 1, "kind": "set", "squares": [[0]]}]},
        {"done": [{"seq": 1, "kind": "set", "value": "<b>"}]},
        {"done": [{"seq": 1, "kind": "set", "value": 3}]},
        {"corners": [[0, 0], [10, 0], [10, 10]]},
        {"corners": [[0, 0], [0, 10], [10, 10], [10, 0]]},
        {"corners": [[0, 0], [10, 0], [5, 1], [0, 10]]},
        {"corners": [[0, 0], [0, 0], [0, 0], [0, 0]]},
        {"corners": [[0, 0], [10, 0], [10, float("nan")], [0, 10]]},
        {"corners": [[0, 0], [1e300, 0], [10, 10], [0, 10]]},
        {"corners": [[0, 0], [10, 0], [10, "10"], [0, 10]]},
        {"corners": "0,0"},
        {"grid": [0, 5]},
        {"grid": [10, 5]},
    ],
    ids=str,
)
def test_what_the_board_does_not_send_is_not_believed(wrong: dict[str, Any]) -> None:
    assert parse_change(message(**wrong)) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=12,
)


@given(_JSON)
def test_no_message_breaks_it(value: object) -> None:
    assert parse_change(value) is None


@given(st.sampled_from(sorted(message())), _JSON)
def test_no_part_of_a_message_breaks_it(name: str, value: object) -> None:
    change = parse_change(message(**{name: value}))
    assert change is None or isinstance(change.kingdom, Kingdom)
