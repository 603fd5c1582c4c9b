"""Two threads of one visitor may be at work at once; the late one must not undo the new one's."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import streamlit as st

from companion.languages import Language
from companion.web.pip_dominoes import component
from companion.web.shell.bridge import HandledMessages, handled_messages


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
