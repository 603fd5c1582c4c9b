"""A few worker processes that read photos and may die of one without harm, and the messages they
are sent.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal, Self, cast

from vision.common.network import slowness

MAX_MESSAGE_BYTES = 256_000_000

_LENGTHS = struct.Struct(">II")


def send(stream: BinaryIO, record: dict[str, Any], block: bytes = b"") -> None:
    """Write one message; OSError where nobody reads any more."""
    text = json.dumps(record).encode()
    stream.write(_LENGTHS.pack(len(text), len(block)))
    stream.write(text)
    stream.write(block)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes]:
    """Read one message; EOFError where the other side has ended, ValueError for anything else."""
    text_length, block_length = _LENGTHS.unpack(_exactly(stream, _LENGTHS.size))
    if text_length + block_length > MAX_MESSAGE_BYTES:
        raise ValueError(f"expected a message of at most {MAX_MESSAGE_BYTES} bytes")
    record = json.loads(_exactly(stream, text_length))
    if not isinstance(record, dict):
        raise ValueError(f"expected an object, got {type(record).__name__}")
    return record, _exactly(stream, block_length)


def _exactly(stream: BinaryIO, length: int) -> bytes:
    data = stream.read(length)
    if data is None or len(data) < length:
        raise EOFError
    return data


_PROCESSOR_TIME_IS_UP = -getattr(signal, "SIGXCPU", 0) or None


@dataclass(frozen=True)
class PoolSettings:
    """Limits of the workers and of a task.

    - ``workers``: processes at most, each started when it is first needed.
    - ``max_task_s``: seconds by the clock that a task may take.
    - ``max_core_s``: seconds of a core that it may take, more on a slower machine.
    - ``max_start_s``: seconds that a worker may take to start.
    - ``max_task_bytes``: memory that a task may take beyond what its worker holds before it.
    - ``max_growth_bytes``: a worker that has grown by more since it was new is replaced.
    - ``attempts``: how often a task is given to a worker, as one may be killed for other reasons.
    - ``threads``: how many threads numeric libraries may use in a worker.

    The slowest photograph measured took 2.5 s of a core: ``max_core_s`` is four times that.
    """

    workers: int = 2
    max_task_s: float = 20
    max_core_s: float = 10
    max_start_s: int = 60
    max_task_bytes: int = 700_000_000
    max_growth_bytes: int = 300_000_000
    attempts: int = 2
    threads: int = 1


DeathCode = Literal["crashed", "took_too_long", "too_complex", "no_memory"]
"""More memory than is allowed is too_complex, or no_memory of a worker that had tasks before: then
the task is given to a new one."""


class WorkerDied(Exception):
    """A task that its worker did not survive."""

    def __init__(self, code: DeathCode) -> None:
        super().__init__(code)
        self.code = code


@dataclass(eq=False)
class _Worker:
    """A process, and whether it has said that it is ready."""

    process: subprocess.Popen[bytes]
    warm: bool = False
    is_new: bool = True
    timed_out: threading.Event = field(default_factory=threading.Event)

    def ask(
        self, record: dict[str, Any], block: bytes, settings: PoolSettings
    ) -> tuple[dict[str, Any], bytes]:
        """The answer to a task; WorkerDied where there is none, and the worker has ended then."""
        try:
            if not self.warm:
                self._within(settings.max_start_s, lambda: receive(self._output))
                self.warm = True
            answer, result = self._within(
                settings.max_task_s * slowness(), lambda: self._exchange(record, block)
            )
        except (EOFError, OSError, ValueError) as error:
            self.end()
            late = self.timed_out.is_set() or self.process.returncode == _PROCESSOR_TIME_IS_UP
            raise WorkerDied("took_too_long" if late else "crashed") from error
        except BaseException:  # An interruption: the answer would be taken for the next one's.
            self.end()
            raise
        is_first, self.is_new = self.is_new, False
        if answer.get("failed") == "memory":
            self.end()
            # What others have left in the worker is no fault of the task.
            raise WorkerDied("too_complex" if is_first else "no_memory")
        if answer.pop("is_worn", False):
            self.end()
        return answer, result

    def _exchange(self, record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
        send(cast(BinaryIO, self.process.stdin), record, block)
        return receive(self._output)

    def _within(
        self, seconds: float, call: Callable[[], tuple[dict[str, Any], bytes]]
    ) -> tuple[dict[str, Any], bytes]:
        watchdog = threading.Timer(seconds, self._time_out)
        watchdog.daemon = True
        watchdog.start()
        try:
            return call()
        finally:
            watchdog.cancel()

    def _time_out(self) -> None:
        self.timed_out.set()
        self.process.kill()

    @property
    def _output(self) -> BinaryIO:
        return cast(BinaryIO, self.process.stdout)

    def end(self) -> None:
        """Kill the process and wait until it has ended."""
        self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self.process.wait()


class WorkerPool:
    """Carries out tasks of one module in worker processes; safe to share between threads.

    Tasks beyond the number of workers wait for their turn in the order they came.
    """

    def __init__(self, module: str, settings: PoolSettings | None = None) -> None:
        self.module = module
        self.settings = settings or PoolSettings()
        self._turn = threading.Condition()
        self._queue: deque[object] = deque()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._busy = 0
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def carry_out(self, record: dict[str, Any], block: bytes = b"") -> tuple[dict[str, Any], bytes]:
        """The answer of the module to a task, once a worker is free.

        A record with another module as its ``task`` is carried out by that one. WorkerDied where
        the task ended its worker; another worker takes the place of that one.
        """
        crashes, new = 0, False
        while True:
            try:
                return self._attempt(record, block, new)
            except WorkerDied as died:
                crashes += died.code == "crashed"
                new = new or died.code == "no_memory"
                may_try = died.code == "no_memory" or 0 < crashes < self.settings.attempts
                if died.code not in ("crashed", "no_memory") or not may_try or self._closed:
                    raise

    def _attempt(
        self, record: dict[str, Any], block: bytes, new: bool
    ) -> tuple[dict[str, Any], bytes]:
        worker = self._taken(new)
        try:
            return worker.ask(record, block, self.settings)
        finally:
            with self._turn:
                self._busy -= 1
                serves_on = worker.process.poll() is None and not self._closed
                if serves_on:
                    self._idle.append(worker)
                else:
                    self._all.discard(worker)
                self._turn.notify_all()
            if not serves_on:
                worker.end()

    def processes(self) -> list[int]:
        """The numbers of the processes that run now."""
        with self._turn:
            return [worker.process.pid for worker in self._all]

    def close(self) -> None:
        """End all workers; whoever waits for one gets WorkerDied."""
        with self._turn:
            self._closed = True
            ending = list(self._all)
            self._turn.notify_all()
        for worker in ending:
            worker.process.kill()
            worker.process.wait()
        with self._turn:
            idle, self._idle = self._idle, []
            self._all.clear()
        for worker in idle:
            worker.end()

    def _taken(self, new: bool) -> _Worker:
        """The next worker for this thread, idle if there is one and it need not be ``new``."""
        ticket = object()
        with self._turn:
            self._queue.append(ticket)
            try:
                while not self._closed:
                    if self._queue[0] is ticket and self._busy < self.settings.workers:
                        worker = self._idle_or_new(new)
                        self._busy += 1
                        return worker
                    self._turn.wait()
                raise WorkerDied("crashed")
            finally:
                self._queue.remove(ticket)
                self._turn.notify_all()

    def _idle_or_new(self, new: bool) -> _Worker:
        while self._idle and (not new or len(self._all) >= self.settings.workers):
            worker = self._idle.pop()
            if worker.process.poll() is None and not new:
                return worker
            self._all.discard(worker)
            worker.end()
        return self._started()

    def _started(self) -> _Worker:
        settings = self.settings
        # The imports of this process, wherever they come from; threads as many as are useful.
        threads = dict.fromkeys(
            ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(settings.threads)
        )
        path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
        command = [sys.executable, "-m", "companion.reading.worker", self.module]
        command += [str(settings.max_task_bytes), str(settings.max_growth_bytes)]
        command += [str(settings.max_core_s * slowness())]
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **threads, "PYTHONPATH": path},
        )
        worker = _Worker(process)
        self._all.add(worker)
        return worker
