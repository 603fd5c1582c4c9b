"""Whose photo is decoded or read next: a queue for the workers, fair between the senders."""

from __future__ import annotations

import asyncio
import ipaddress
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

from vision.photo.errors import PhotoError

_REMEMBERED = 1000


@dataclass(frozen=True)
class Sender:
    """Who sends photos: the device by its cookie, and the network address it comes from."""

    device: str
    address: str = ""

    @property
    def network(self) -> str:
        """The address, of IPv6 what a home or a phone has at least: the first 64 bits."""
        try:
            found = ipaddress.ip_address(self.address)
        except ValueError:
            return self.address
        if found.version == 4:
            return self.address
        return str(ipaddress.ip_network((found, 64), strict=False))


@dataclass(frozen=True)
class QueueSettings:
    """How workers are shared between senders.

    - ``slots``: how many photos are decoded or read at once, as many as there are workers.
    - ``device_allowance_s``: a device that has lately used more comes after all others, and such
      devices never have all slots; four photos of a game take about four seconds.
    - ``network_allowance_s``: the same for a network; what a device uses beyond its own allowance
      does not count for its network.
    - ``half_life_s``: what was used counts half as much after this time.
    - ``look_every_s``: how often a waiting sender is asked whether it has left.
    """

    slots: int = 2
    device_allowance_s: float = 5.0
    network_allowance_s: float = 60.0
    half_life_s: float = 60.0
    look_every_s: float = 1.0


@dataclass
class _Use:
    """Seconds of a worker, as they count at a time."""

    seconds: float = 0.0
    at: float = 0.0


@dataclass(eq=False)
class _Ticket:
    sender: Sender
    granted: Callable[[], object]
    began: float = 0.0


class ReadingQueue:
    """Slots go round robin, between networks and between the devices of each.

    Safe to use from many threads. Whoever leaves while waiting is forgotten.
    """

    def __init__(
        self,
        settings: QueueSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.settings = settings or QueueSettings()
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: list[_Ticket] = []
        self._running: list[_Ticket] = []
        self._slots_given = 0
        self._last_slot: dict[str, int] = {}
        self._used: dict[str, _Use] = {}

    @contextmanager
    def slot(self, sender: Sender, left: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Wait for a slot; the block runs in it, in this thread.

        PhotoError ``gone`` where the sender has ``left`` while waiting.
        """
        granted = threading.Event()
        ticket = self._enter(sender, granted.set)
        try:
            while not granted.wait(self.settings.look_every_s):
                if left():
                    raise PhotoError("gone")
            yield
        finally:
            self._leave(ticket)

    @asynccontextmanager
    async def slot_of_request(self, sender: Sender) -> AsyncIterator[None]:
        """As ``slot``, for a task of an event loop, which leaves by being cancelled."""
        event, loop = asyncio.Event(), asyncio.get_running_loop()

        def granted() -> None:
            with suppress(RuntimeError):  # The loop has ended, and with it whoever waited.
                loop.call_soon_threadsafe(event.set)

        ticket = self._enter(sender, granted)
        try:
            await event.wait()
            yield
        finally:
            self._leave(ticket)

    @contextmanager
    def slot_now(self, sender: Sender) -> Iterator[bool]:
        """Whether a slot is free that nobody waits for; the block runs in it if so.

        It does not count as use: the camera's live view looks at a picture a moment.
        """
        ticket = _Ticket(sender, lambda: None, self._clock())
        with self._lock:
            free = not self._waiting and len(self._running) < self.settings.slots
            if free:
                self._running.append(ticket)
        try:
            yield free
        finally:
            with self._lock:
                if free:
                    self._running.remove(ticket)
                self._grant()

    def charge(self, sender: Sender) -> None:
        """Count a picture that may take long as use before it is decoded.

        Nothing stops a picture that is being decoded: were all slots given to such ones, whoever
        comes next would wait for them.
        """
        with self._lock:
            used = self._now_used(sender.device) + 2 * self.settings.device_allowance_s
            self._used[sender.device] = _Use(used, self._clock())

    def place(self, device: str) -> int:
        """The place of the device's photo that waits longest from now; 0 where none waits."""
        with self._lock:
            ordered = enumerate(self._ordered(), 1)
            return max((at for at, each in ordered if each.sender.device == device), default=0)

    def _enter(self, sender: Sender, granted: Callable[[], object]) -> _Ticket:
        ticket = _Ticket(sender, granted)
        with self._lock:
            self._forget()
            for name in (sender.device, sender.network):
                # Whoever is new comes before the one who had the last slot.
                self._last_slot.setdefault(name, self._slots_given - 1)
            self._waiting.append(ticket)
            self._grant()
        return ticket

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            elif ticket in self._running:
                self._note_use(ticket)
                self._running.remove(ticket)
            self._grant()

    def _grant(self) -> None:
        settings = self.settings
        while self._waiting and len(self._running) < settings.slots:
            ticket = self._ordered()[0]
            if self._has_used_much(ticket.sender):
                others = sum(self._has_used_much(each.sender) for each in self._running)
                if others >= max(1, settings.slots - 1):
                    return
            self._waiting.remove(ticket)
            self._running.append(ticket)
            self._slots_given += 1
            for name in (ticket.sender.device, ticket.sender.network):
                self._last_slot[name] = self._slots_given
            ticket.began = self._clock()
            ticket.granted()

    def _ordered(self) -> list[_Ticket]:
        """Who waits, the next one first; a device's second photo comes after all firsts."""
        ahead = Counter(each.sender.device for each in self._running)

        def key(ticket: _Ticket) -> tuple[bool, int, int, int]:
            sender = ticket.sender
            own = ahead[sender.device]
            ahead[sender.device] += 1
            last = self._last_slot
            return self._has_used_much(sender), own, last[sender.network], last[sender.device]

        return sorted(self._waiting, key=key)

    def _has_used_much(self, sender: Sender) -> bool:
        settings, now = self.settings, self._clock()
        running = sum(now - each.began for each in self._running if each.sender == sender)
        return (
            self._now_used(sender.device) + running > settings.device_allowance_s
            or self._now_used(sender.network) > settings.network_allowance_s
        )

    def _now_used(self, name: str) -> float:
        use = self._used.get(name)
        if use is None:
            return 0.0
        passed = self._clock() - use.at
        return float(use.seconds * 0.5 ** (passed / self.settings.half_life_s))

    def _note_use(self, ticket: _Ticket) -> None:
        now = self._clock()
        names = [ticket.sender.device]
        if self._now_used(ticket.sender.device) <= self.settings.device_allowance_s:
            names.append(ticket.sender.network)
        for name in names:
            self._used[name] = _Use(self._now_used(name) + now - ticket.began, now)

    def _forget(self) -> None:
        """What hardly counts any more, so that strangers don't fill this."""
        if len(self._last_slot) < _REMEMBERED:
            return
        waiting = {each.sender.device for each in self._waiting}
        waiting |= {each.sender.network for each in self._waiting}
        self._used = {name: use for name, use in self._used.items() if self._now_used(name) > 0.1}
        kept = waiting | self._used.keys()
        self._last_slot = {name: at for name, at in self._last_slot.items() if name in kept}
