"""Acts that wait for a busy server: each is dealt with once, and none is lost."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from companion.web.shell import Act
from companion.web.shell.bridge import _new_acts, handled_messages


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def message(*numbers: int, client: str = "phone") -> dict[str, Any]:
    return {"client": client, "acts": [{"seq": n, "do": "add", "value": str(n)} for n in numbers]}


def heard(sent: Any) -> list[str]:
    return [act.value for act in _new_acts(handled_messages(), "page", sent)]


def test_what_is_sent_again_is_done_once(state: dict[str, Any]) -> None:
    assert heard(message(1)) == ["1"]
    assert heard(message(1, 2, 3)) == ["2", "3"]
    assert heard(message(2, 3)) == []
    assert handled_messages().answer("page") == {"client": "phone", "seq": 3}


def test_a_page_that_was_loaded_anew_counts_from_one(state: dict[str, Any]) -> None:
    assert heard(message(7)) == ["7"]
    assert heard(message(1, client="again")) == ["1"]


@pytest.mark.parametrize(
    "sent",
    [
        None,
        {"do": "add", "value": "x"},
        {"client": 5, "acts": []},
        {"client": "p", "acts": 5},
        {"client": "p", "acts": [5, {"seq": True, "do": "a"}, {"seq": 0, "do": "a"}, {"seq": 1}]},
    ],
)
def test_anything_else_does_nothing(state: dict[str, Any], sent: Any) -> None:
    assert heard(sent) == []


def test_an_act_that_fails_is_not_tried_again(state: dict[str, Any]) -> None:
    assert next(_new_acts(handled_messages(), "page", message(1, 2))) == Act("add", "1")
    assert heard(message(1, 2)) == ["2"]
