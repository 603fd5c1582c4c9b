from __future__ import annotations

import pytest

from companion.web.shared_state import Full, Inbox, InboxSettings


def test_room_is_given_back() -> None:
    inbox = Inbox(InboxSettings(max_bytes=100, max_at_once=2))
    with inbox.receiving("a") as take, inbox.receiving("b") as other:
        take(60)
        other(40)
        with pytest.raises(Full):
            other(1)
    with inbox.receiving("a") as take:
        take(100)


def test_one_device_sends_so_much_at_once() -> None:
    inbox = Inbox(InboxSettings(max_at_once=2))
    with inbox.receiving("a"), inbox.receiving("a"), inbox.receiving("b"), pytest.raises(Full):
        inbox.receiving("a").__enter__()
    with inbox.receiving("a"):
        pass
    assert not inbox._of_device
