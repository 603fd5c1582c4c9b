"""Whose turn it is to have a photo read."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from companion.web.reading_queue import QueueSettings, ReadingQueue, Sender
from vision.photo.errors import PhotoError

ANNA, BEN, CLEO = (Sender(name, f"10.0.0.{n}") for n, name in enumerate(("anna", "ben", "cleo")))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Party:
    """A queue whose turns last as long as the test says."""

    def __init__(self, slots: int = 2) -> None:
        self.clock = Clock()
        self.queue = ReadingQueue(QueueSettings(slots=slots), self.clock)
        self.order: list[str] = []

    def send(self, *senders: Sender) -> None:
        for sender in senders:
            self.queue._enter(sender, lambda name=sender.device: self.order.append(name))  # type: ignore[misc]

    def pass_by(self, seconds: float) -> None:
        """So much time; whoever had a turn is through."""
        self.clock.now += seconds
        for ticket in list(self.queue._running):
            self.queue._leave(ticket)

    def served(self, rounds: int, seconds: float = 1.0) -> list[str]:
        for _ in range(rounds):
            self.pass_by(seconds)
        return self.order


def test_turns_go_round_the_devices_whoever_sends_most() -> None:
    party = Party(slots=1)
    party.send(ANNA, ANNA, ANNA, ANNA, BEN, BEN, CLEO)
    assert party.served(6) == ["anna", "ben", "cleo", "anna", "ben", "anna", "anna"]


def test_turns_go_round_the_networks_whoever_has_most_devices() -> None:
    party = Party(slots=1)
    club = [Sender(f"club {number}", "10.1.1.1") for number in range(4)]
    party.send(*club, ANNA, ANNA)
    order = party.served(5)
    assert order.index("anna") <= 2
    assert len(order) == 6


def test_who_has_used_much_comes_last_and_never_has_all_turns() -> None:
    party = Party()
    attackers = [Sender(f"attacker {number}", "10.9.9.9") for number in range(4)]
    for _ in range(8):
        party.send(*attackers)
        party.pass_by(5.0)
    while party.queue._waiting or party.queue._running:
        party.pass_by(5.0)
    party.order.clear()
    party.send(*attackers, *attackers)
    assert len(party.order) == 1
    party.send(ANNA)
    assert "anna" in party.order


def test_who_has_used_much_has_the_only_turn_where_nobody_else_waits() -> None:
    party = Party(slots=1)
    party.send(ANNA)
    party.pass_by(20.0)
    party.send(ANNA)
    assert party.order == ["anna", "anna"]


def test_who_is_new_at_the_place_of_others_has_a_turn_at_once() -> None:
    """Four pages of one address at full speed, and another visitor of the same address."""
    party = Party()
    attackers = [Sender(f"attacker {number}", "127.0.0.1") for number in range(4)]
    party.send(*attackers, *attackers, *attackers)
    for _ in range(20):
        party.pass_by(3.0)
        party.send(*attackers)
    party.order.clear()
    party.send(Sender("visitor", "127.0.0.1"))
    assert party.order == ["visitor"]


def test_what_one_device_uses_beyond_its_own_is_no_use_of_the_others_there() -> None:
    party = Party(slots=1)
    for _ in range(20):
        party.send(Sender("attacker", BEN.address))
        party.pass_by(10.0)
    assert not party.queue._has_used_much(BEN)


def test_a_device_that_is_always_a_new_one_has_used_much_too() -> None:
    party = Party()
    for number in range(40):
        party.send(Sender(f"cookie {number}", "10.9.9.9"))
    party.served(15, 6.0)
    assert len(party.queue._running) == 1
    party.send(ANNA)
    assert party.order[-1] == "anna"


def test_what_was_used_is_forgotten_in_time() -> None:
    party = Party()
    party.send(ANNA)
    party.clock.now = 6.0
    assert party.queue._has_used_much(ANNA)
    party.pass_by(2.0)
    assert party.queue._has_used_much(ANNA)
    party.clock.now += 60.0
    assert not party.queue._has_used_much(ANNA)


def test_pictures_that_may_take_long_never_have_all_turns() -> None:
    """Else whoever comes next waits for them: nothing stops a picture that is being decoded."""
    party = Party()
    for sender in (ANNA, BEN):
        party.queue.charge(sender)
    party.send(ANNA, BEN)
    assert party.order == ["anna"]
    party.send(CLEO)
    assert party.order == ["anna", "cleo"]
    party.clock.now += 240.0
    assert not party.queue._has_used_much(BEN)


def test_each_picture_that_may_take_long_counts() -> None:
    party = Party()
    for sender in (ANNA, ANNA, BEN):
        party.queue.charge(sender)
    party.clock.now += party.queue.settings.half_life_s
    assert [party.queue._has_used_much(sender) for sender in (ANNA, BEN)] == [True, False]


def test_an_evening_of_photos_is_no_use_that_counts() -> None:
    party = Party()
    for _ in range(4):
        party.send(ANNA, BEN, CLEO)
        party.pass_by(1.1)
        party.pass_by(1.1)
        assert not any(map(party.queue._has_used_much, (ANNA, BEN, CLEO)))


def test_strangers_do_not_fill_the_memory() -> None:
    party = Party(slots=1)
    party.send(ANNA, BEN)
    for number in range(5000):
        ticket = party.queue._enter(Sender(f"stranger {number}", f"net {number}"), lambda: None)
        party.queue._leave(ticket)
    assert len(party.queue._last_slot) <= 1100
    # Who waits all the while is not forgotten with them.
    party.pass_by(1.0)
    assert party.order == ["anna", "ben"]


def test_the_place_is_that_of_the_photo_that_waits_longest() -> None:
    party = Party(slots=1)
    party.send(CLEO, ANNA, BEN, ANNA)
    places = [party.queue.place(name) for name in ("anna", "ben", "cleo", "nobody")]
    assert places == [3, 2, 0, 0]
    party.pass_by(1.0)
    assert party.queue.place("ben") == 1


def test_threads_have_their_turns_and_as_many_as_there_are() -> None:
    queue, most, now = ReadingQueue(QueueSettings(slots=2)), [0], [0]
    lock = threading.Lock()

    def read(sender: Sender) -> None:
        with queue.slot(sender):
            with lock:
                now[0] += 1
                most[0] = max(most[0], now[0])
            time.sleep(0.01)
            with lock:
                now[0] -= 1

    threads = [threading.Thread(target=read, args=(each,)) for each in (ANNA, BEN, CLEO) * 5]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert most == [2]
    assert not queue._running
    assert not queue._waiting


def test_who_has_left_the_page_is_not_waited_for() -> None:
    queue = ReadingQueue(QueueSettings(slots=1, look_every_s=0.01))
    answers: Sequence[bool] = iter([False, False, True])  # type: ignore[assignment]
    with queue.slot(ANNA):
        with pytest.raises(PhotoError, match="gone"), queue.slot(BEN, lambda: next(answers)):  # type: ignore[call-overload]
            raise AssertionError("no turn")
        assert not queue._waiting


def test_a_fault_gives_the_turn_back() -> None:
    queue = ReadingQueue(QueueSettings(slots=1))
    with pytest.raises(ZeroDivisionError), queue.slot(ANNA):
        raise ZeroDivisionError
    with queue.slot(BEN):
        pass


def test_a_look_has_a_turn_only_where_nobody_waits() -> None:
    queue = ReadingQueue(QueueSettings(slots=1))
    with queue.slot_now(ANNA) as free, queue.slot_now(BEN) as other:
        assert (free, other) == (True, False)
    with queue.slot(ANNA), queue.slot_now(BEN) as free:
        assert not free
    with queue.slot_now(BEN) as free:
        assert free
    reading: list[bool] = []
    with queue.slot_now(ANNA):
        waiting = queue._enter(BEN, lambda: reading.append(True))
        assert not reading
    # Who came meanwhile is not left waiting.
    assert reading
    queue._leave(waiting)


def test_a_request_that_leaves_while_it_waits_takes_no_turn() -> None:
    queue = ReadingQueue(QueueSettings(slots=1))

    async def wait() -> None:
        async with queue.slot_of_request(BEN):
            raise AssertionError("its turn came")

    async def leave() -> None:
        async with queue.slot_of_request(ANNA):
            waiting = asyncio.create_task(wait())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
        assert waiting.cancelled()

    asyncio.run(leave())
    with queue.slot_now(CLEO) as is_free:
        assert is_free
