"""Parts of pages: what they send is numbered, dealt with once, and the late one gives way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from sqlalchemy.exc import OperationalError
from streamlit.errors import StreamlitAPIException

from companion.web.shell import bridge
from companion.web.shell.bridge import (
    Act,
    Component,
    HandledMessages,
    Message,
    acts_of,
    component_key,
    finish,
    handled_messages,
    message_of,
)

PHONE, OTHER = "phone00001", "phone00002"


def sent(*numbers: int, client: str = PHONE, **more: Any) -> dict[str, Any]:
    done = [{"seq": each, "do": "add", "value": str(each)} for each in numbers]
    return {"client": client, "seq": max(numbers, default=1), "done": done, **more}


def test_what_a_page_sends() -> None:
    found = message_of(sent(2, 3))
    assert found is not None
    assert acts_of(found) == [(2, Act("add", "2")), (3, Act("add", "3"))]
    assert found.change_id(3) == f"{PHONE}.3"


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        7,
        "add",
        [],
        {},
        sent(1, client="short"),
        sent(1, client="phone 0001"),
        sent(1, client="x" * 41),
        sent(client=5),  # type: ignore[arg-type]
        sent(1, seq=0),
        sent(1, seq=True),
        sent(1, seq=2**31),
        sent(1, done={}),
        sent(1, done=[{}] * 201),
    ],
    ids=str,
)
def test_a_message_without_a_sender_or_a_number_is_not_believed(wrong: object) -> None:
    assert message_of(wrong) is None


@pytest.mark.parametrize(
    "done",
    [5, [], {"do": "x"}, {"seq": 0, "do": "x"}, {"seq": True, "do": "x"}, {"seq": 1},
     {"seq": 1, "do": 3}, {"seq": 1, "do": "x", "value": {}}, {"seq": 1, "do": "x" * 5000}],
    ids=lambda done: str(done)[:40],
)  # fmt: skip
def test_what_is_no_act_is_left_out(done: object) -> None:
    found = message_of(sent(1, done=[done, {"seq": 4, "do": "add"}]))
    assert found is not None
    assert acts_of(found) == [(4, Act("add"))]


def numbers(message: Message) -> list[tuple[int, int]]:
    return [(seq, seq) for seq, _ in message.done]


class Page:
    """A page with one part; ``send`` is its browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, once: bool = False) -> None:
        self.state: dict[str, Any] = {}
        self.drawn: list[dict[str, Any]] = []
        self.runs_again = 0
        monkeypatch.setattr(st, "session_state", self.state)
        monkeypatch.setattr(bridge, "_run_again", self._run_again)
        self.part = Component("test", "shell/static/surface.mjs", numbers, once=once)
        monkeypatch.setattr(self.part, "_draw", lambda **given: self.drawn.append(given))

    def _run_again(self) -> None:
        self.runs_again += 1

    def show(self, on_change: Callable[[int], None] | None = None) -> dict[str, Any]:
        self.part.show({"shown": 1}, key="part", on_change=on_change)
        data: dict[str, Any] = self.drawn[-1]["data"]
        return data

    def send(self, message: object) -> None:
        self.state["part"] = {"sent": message}
        self.drawn[-1]["on_sent_change"]()


@pytest.mark.parametrize("once", [False, True])
def test_what_is_sent_again_is_done_once_and_answered(
    once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, done = Page(monkeypatch, once=once), list[int]()
    assert page.show(done.append) == {"shown": 1, "of": "part"}
    page.send(sent(1))
    page.send(sent(1, 2, 3))
    page.send(sent(2, 3))
    assert done == [1, 2, 3]
    assert page.show()["answers"] == {"client": PHONE, "seq": 3}


def test_a_page_that_was_loaded_anew_counts_from_one(monkeypatch: pytest.MonkeyPatch) -> None:
    page, done = Page(monkeypatch), list[int]()
    page.show(done.append)
    page.send(sent(7))
    page.send(sent(1, client=OTHER))
    assert done == [7, 1]


@pytest.mark.parametrize(("once", "wanted"), [(True, [1, 2]), (False, [1, 1, 2])])
def test_what_failed_is_done_again_only_where_that_is_the_same_as_once(
    once: bool, wanted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, tried = Page(monkeypatch, once=once), list[int]()

    def fails_at_first(change: int) -> None:
        tried.append(change)
        if len(tried) == 1:
            raise RuntimeError("broken off")

    page.show(fails_at_first)
    with pytest.raises(RuntimeError):
        page.send(sent(1, 2))
    page.send(sent(1, 2))
    assert tried == wanted
    assert handled_messages().answer("part") == {"client": PHONE, "seq": 2}


def test_what_the_database_does_not_keep_is_done_when_the_phone_sends_it_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page is drawn meanwhile; it is not answered, and not drawn again for nothing."""
    page, tried, full = Page(monkeypatch), list[int](), [True]

    def kept(change: int) -> None:
        tried.append(change)
        if change == 2 and full:
            raise OperationalError("insert", {}, Exception("database or disk is full"))

    page.show(kept)
    page.send(sent(1, 2, 3))
    assert page.show(kept)["answers"] == {"client": PHONE, "seq": 1}
    assert (tried, page.runs_again) == ([1, 2, 2], 0)
    full.clear()
    page.send(sent(2, 3))
    assert page.show(kept)["answers"] == {"client": PHONE, "seq": 3}
    assert tried == [1, 2, 2, 2, 3]


def test_what_was_broken_off_is_done_at_the_beginning_of_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, done = Page(monkeypatch), list[int]()
    page.show(done.append)
    page.state["part"] = {"sent": sent(1)}
    finish()
    finish()
    assert done == [1]


@pytest.mark.parametrize(("once", "wanted"), [(False, [4]), (True, [])])
def test_what_a_phone_sent_before_a_restart_is_done_when_its_part_is_drawn(
    once: bool, wanted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, done = Page(monkeypatch, once=once), list[int]()
    page.state["part"] = {"sent": sent(4)}
    page.show(done.append)
    assert done == wanted
    assert page.runs_again == len(wanted)
    page.show(done.append)
    assert done == wanted
    assert page.runs_again == len(wanted)


def test_who_was_not_heard_of_before_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    page, firsts = Page(monkeypatch), list[bool]()
    part = Component("whole", "shell/static/surface.mjs", lambda each: [(each.seq, each.first)])
    monkeypatch.setattr(part, "_draw", lambda **given: page.drawn.append(given))
    part.show({}, key="part", on_change=firsts.append)
    page.send(sent(1))
    page.send(sent(2))
    page.send(sent(1, client=OTHER))
    assert firsts == [True, False, True]


def test_a_component_needs_files_that_are_there() -> None:
    with pytest.raises(ValueError, match=r"nothing\.mjs"):
        Component("test", "shell/static/nothing.mjs", acts_of)


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


def test_a_thread_that_is_late_does_not_put_the_old_over_the_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page, kept = Page(monkeypatch), list[int]()
    slow, go_on = threading.Event(), threading.Event()

    def keep(change: int) -> None:
        if change == 1:
            slow.set()
            go_on.wait(5)
        kept.append(change)

    page.show(keep)
    late = threading.Thread(target=page.send, args=[sent(1)])
    late.start()
    assert slow.wait(5)
    new = threading.Thread(target=page.send, args=[sent(2)])
    new.start()
    go_on.set()
    late.join(5)
    new.join(5)
    assert kept == [1, 2]
    assert handled_messages().answer("part") == {"client": PHONE, "seq": 2}
    page.send(sent(1))
    assert kept == [1, 2]


def test_a_change_that_comes_in_a_whole_run_draws_the_whole_page_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def rerun(*, scope: str = "app") -> None:
        asked.append(scope)
        if scope == "fragment":
            raise StreamlitAPIException("only during fragment reruns")

    monkeypatch.setattr(st, "rerun", rerun)
    bridge._run_again()
    assert asked == ["fragment", "app"]
