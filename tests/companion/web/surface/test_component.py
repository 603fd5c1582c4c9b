from __future__ import annotations

import pytest

from companion.web.shell.bridge import Act, acts_of


def test_what_a_page_sends() -> None:
    assert acts_of({"do": "add", "value": "Anna"}) == [Act("add", "Anna")]
    assert acts_of([{"do": "undo"}, {"do": "close", "value": ""}]) == [Act("undo"), Act("close")]


@pytest.mark.parametrize(
    "sent",
    [None, 7, "add", {"value": "x"}, {"do": 3}, {"do": "x", "value": {}}, {"do": "x" * 5000}, [[]]],
)
def test_anything_else_is_nothing(sent: object) -> None:
    assert acts_of(sent) == []
