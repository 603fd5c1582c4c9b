"""Acts of the browser: numbered, dealt with once, and the late one gives way."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import streamlit as st

from companion.languages import Language
from companion.web.pip_dominoes import component
from companion.web.shell.bridge import (
    Act,
    HandledMessages,
    _new_acts,
    acts_of,
    component_key,
    handled_messages,
)


def test_what_a_page_sends() -> None:
    assert acts_of({"do": "add", "value": "Anna"}) == [Act("add", "Anna")]
    assert acts_of([{"do": "undo"}, {"do": "close", "value": ""}]) == [Act("undo"), Act("close")]


@pytest.mark.parametrize(
    "sent",
    [None, 7, "add", {"value": "x"}, {"do": 3}, {"do": "x", "value": {}}, {"do": "x" * 5000}, [[]]],
)
def test_anything_else_is_nothing(sent: object) -> None:
    assert acts_of(sent) == []


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


def test_no_two_underscores_and_no_two_games_with_one_key() -> None:
    assert component_key("board", "a__b_c-d", 1, 0) == "board-a..b.c-d-1-0"
    assert component_key("hand", "__", 2) != component_key("hand", "_", 2)


def test_each_message_is_dealt_with_once_and_answered() -> None:
    turns = HandledMessages()
    assert turns.answer("hand") is None
    assert turns.is_new("hand", "phone", 1)
    turns.note("hand", "phone", 2)
    assert not turns.is_new("hand", "phone", 1)
    assert not turns.is_new("hand", "phone", 2)
    assert turns.is_new("hand", "phone", 3)
    assert turns.is_new("hand", "again", 1)
    assert turns.is_new("keypad", "phone", 1)
    assert turns.answer("hand") == {"client": "phone", "seq": 2}


def test_an_older_message_never_takes_an_answer_back() -> None:
    turns = HandledMessages()
    turns.note("hand", "phone", 5)
    turns.note("hand", "phone", 3)
    assert turns.answer("hand") == {"client": "phone", "seq": 5}
    assert not turns.is_new("hand", "phone", 4)


def test_who_sends_under_ever_new_names_fills_no_memory() -> None:
    turns = HandledMessages()
    for number in range(1000):
        turns.note(f"key{number}", f"client{number}", 1)
    assert len(turns._newest) == len(turns._last) == 100
    assert turns.answer("key999") == {"client": "client999", "seq": 1}


@pytest.fixture
def receive(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Draws a hand whose changes are noted slowly; its callback and the hand as it is kept."""
    state: dict[str, Any] = {}
    callbacks: list[Any] = []
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(component, "_piece", lambda **given: callbacks.append(given))
    return state, callbacks


def test_a_thread_that_is_late_does_not_put_the_old_hand_over_the_new_one(receive: Any) -> None:
    state, callbacks = receive
    kept: list[int] = []
    slow, go_on = threading.Event(), threading.Event()

    def keep(sent: Any) -> None:
        if sent["seq"] == 1:
            slow.set()
            go_on.wait(5)
        kept.append(sent["seq"])

    component.piece("hand", {}, key="hand", language=Language.GERMAN, on_change=keep)
    call = callbacks[0]["on_change_change"]
    state["hand"] = {"change": {"client": "phone", "seq": 1}}
    late = threading.Thread(target=call)
    late.start()
    assert slow.wait(5)
    state["hand"] = {"change": {"client": "phone", "seq": 2}}
    new = threading.Thread(target=call)
    new.start()
    go_on.set()
    late.join(5)
    new.join(5)
    assert kept == [1, 2]
    assert handled_messages().answer("hand") == {"client": "phone", "seq": 2}
    state["hand"] = {"change": {"client": "phone", "seq": 1}}
    call()
    assert kept == [1, 2]
