from __future__ import annotations

from companion.web.shared_state import ReadingQueue


def test_the_place_is_that_of_the_photo_that_waits_longest() -> None:
    room = ReadingQueue()
    with room.told("a") as first, room.told("a") as second, room.told("b") as other:
        first(1)
        second(4)
        other(7)
        assert (room.place("a"), room.place("b"), room.place("c")) == (4, 7, 0)
        second(0)
        assert room.place("a") == 1
    assert room.place("a") == 0
