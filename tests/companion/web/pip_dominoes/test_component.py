from __future__ import annotations

from typing import Any

import pytest

from companion.web.pip_dominoes.component import _believable


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {},
        {"client": "abc"},
        {"client": "abc", "seq": 0},
        {"client": "abc", "seq": True},
        {"client": "abc", "seq": 2**40},
        {"client": "a b", "seq": 1},
        {"client": 5, "seq": 1},
        {"client": "x" * 41, "seq": 1},
    ],
    ids=str,
)
def test_a_message_without_a_sender_or_a_number_is_not_believed(sent: Any) -> None:
    assert _believable(sent) is None


def test_a_message_of_a_piece_is_believed() -> None:
    sent = {"client": "a1b2", "seq": 3, "hand": {}}
    assert _believable(sent) == sent
