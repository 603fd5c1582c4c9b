"""Work that was broken off is looked at again at the beginning of every run."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from companion.web.shell.bridge import finish, finish_later


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def test_the_newest_work_of_each_key_is_looked_at_in_every_run() -> None:
    done: list[str] = []
    finish_later("hand", lambda: done.append("old"))
    finish_later("keypad", lambda: done.append("play"))
    finish_later("hand", lambda: done.append("new"))
    finish()
    finish()
    assert done == ["play", "new"] * 2


def test_what_was_left_long_ago_is_forgotten() -> None:
    done: list[int] = []
    for number in range(10):
        finish_later(f"hand-{number}", lambda number=number: done.append(number))  # type: ignore[misc]
    finish()
    assert done == [2, 3, 4, 5, 6, 7, 8, 9]
