"""The loop of a worker, run in this process: limits, modules, memory, and how it ends."""

from __future__ import annotations

import os
import queue
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.reading import worker

Asked = tuple[dict[str, Any], bytes]


class Told:
    """Notes what a worker does, in order, and plays the system and two modules for it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tasks: list[Asked]) -> None:
        self.done: list[object] = []
        self.answers: list[Asked] = []
        self.tasks = tasks
        self.held = 1000
        self.spare = 0
        parts = {
            "_receive": self.receive,
            "_own_output": lambda: "stream",
            "_held_bytes": lambda: self.held,
            "_limit_time": lambda seconds: self.done.append(("time", seconds)),
            "_limit_memory": lambda held: self.done.append(("memory", held)),
            "give_spare_memory_back": self.give_back,
            "send": self.send,
        }
        for name, part in parts.items():
            monkeypatch.setattr(worker, name, part)
        monkeypatch.setattr("importlib.import_module", self.module)
        monkeypatch.setattr(signal, "signal", lambda *what: self.done.append(what))
        monkeypatch.setattr(os, "nice", lambda by: self.done.append(("nice", by)), raising=False)

    def receive(self, stream: object, tasks: queue.SimpleQueue[Asked]) -> None:
        for task in self.tasks:
            tasks.put(task)

    def module(self, name: str) -> Any:
        def warm_up() -> None:
            self.done.append(("warm", name))
            self.held += 100

        def carry_out(record: dict[str, Any], block: bytes) -> Asked:
            self.done.append((name, record, block))
            if record.get("fails"):
                raise MemoryError
            self.held += record.get("grows", 0)
            return {"said": name}, bytes(record.get("answers", 0))

        return SimpleNamespace(warm_up=warm_up, carry_out=carry_out)

    def give_back(self) -> None:
        self.done.append("gave back")
        self.held -= self.spare
        self.spare = 0

    def send(self, stream: object, answer: dict[str, Any], block: bytes = b"") -> None:
        assert stream == "stream"
        self.answers.append((answer, block))
        if len(self.answers) > len(self.tasks):
            raise OSError


def test_a_worker_limits_itself_and_answers_one_task_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tasks: list[Asked] = [({"n": 1}, b"a"), ({"task": "two", "n": 2}, b"b"), ({"fails": 1}, b"c")]
    told = Told(monkeypatch, tasks)
    worker.main("one", 500, 200, 9.5)
    assert told.answers == [
        ({}, b""),
        ({"said": "one"}, b""),
        ({"said": "two"}, b""),
        ({"failed": "memory"}, b""),
    ]
    limits = [("time", 9.5), ("memory", None)]
    assert told.done == [
        (signal.SIGINT, signal.SIG_IGN),
        ("nice", 5),
        ("warm", "one"),
        *(*limits, ("memory", 500), ("one", {"n": 1}, b"a")),
        *(*limits, ("warm", "two"), ("memory", 500), ("two", {"n": 2}, b"b")),
        *(*limits, ("memory", 500), ("one", {"fails": 1}, b"c")),
    ]


@pytest.mark.parametrize(
    ("grows", "answers", "spare", "worn"),
    [(200, 0, 0, None), (201, 0, 0, True), (201, 1, 0, None), (300, 0, 100, False)],
)
def test_a_worker_that_has_grown_for_good_says_so(
    monkeypatch: pytest.MonkeyPatch, grows: int, answers: int, spare: int, worn: bool | None
) -> None:
    """What another module took to load is no growth, nor is what is being sent."""
    loaded = {"task": "two"}
    record = {"grows": grows, "answers": answers}
    told = Told(monkeypatch, [(loaded, b""), (record, b"")])
    told.spare = spare
    worker.main("one", 500, 200, 9.5)
    answer, block = told.answers[-1]
    assert (answer.get("is_worn"), len(block)) == (worn, answers)
    assert told.done.count("gave back") == (0 if worn is None else 1)


def test_spare_memory_goes_back_while_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [({}, b"")])

    def send(stream: object, answer: dict[str, Any], block: bytes = b"") -> None:
        told.answers.append((answer, block))

    def give_back() -> None:
        told.done.append("gave back")
        raise SystemExit

    monkeypatch.setattr(worker, "send", send)
    monkeypatch.setattr(worker, "give_spare_memory_back", give_back)
    with pytest.raises(SystemExit):
        worker.main("one", 500, 200, 9.5)
    assert len(told.answers) == 2
    assert told.done[-1] == "gave back"


def test_systems_that_let_no_process_be_nice_read_too(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [({}, b"")])
    monkeypatch.delattr(os, "nice")
    worker.main("one", 500, 200, 9.5)
    assert len(told.answers) == 2


def test_a_worker_ends_with_what_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks: queue.SimpleQueue[Asked] = queue.SimpleQueue()
    given: list[Asked] = [({"n": 1}, b"a")]
    ended: list[int] = []

    def receive(stream: object) -> Asked:
        if not given:
            raise EOFError
        return given.pop(0)

    monkeypatch.setattr(worker, "receive", receive)
    monkeypatch.setattr(os, "_exit", ended.append)
    worker._receive("stream", tasks)  # type: ignore[arg-type]
    assert (tasks.get(), ended) == (({"n": 1}, b"a"), [0])


def test_the_memory_that_a_process_holds_is_what_the_system_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_text(path: object, encoding: str | None = None) -> str:
        assert str(path).replace("\\", "/") == "/proc/self/status"
        return "Name:\tpython\nVmRSS:\t   9 kB\nVmData:\t  12 kB\n"

    monkeypatch.setattr(Path, "read_text", read_text)
    assert worker._held_bytes() == 12 * 1024

    def missing(path: object, encoding: str | None = None) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", missing)
    assert worker._held_bytes() == 0
