"""The worker process: carries out one task after the other until the other side ends.

    python -m companion.reading.worker MODULE MAX_TASK_BYTES MAX_GROWTH_BYTES MAX_CORE_SECONDS

MODULE has ``warm_up()`` and ``carry_out(record, block)``, which gives a record and a block. A
record with the name of another such module as its ``task`` is for that one, which is made ready
when it is first asked for. What the other side writes is read by a thread of its own, so that this
process ends with the one that started it even in the middle of a task.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from companion.reading.memory import give_spare_memory_back
from companion.reading.pool import receive, send

_NICENESS = 5

Task = tuple[dict[str, Any], bytes]


def main(module: str, max_task_bytes: int, max_growth_bytes: int, max_core_s: float) -> None:
    """Serve the standard streams until they end."""
    # Ctrl-C reaches the whole group; when to end is for the process that started this one to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whoever started this one answers others meanwhile.
    with contextlib.suppress(AttributeError, OSError):  # Windows, or a system that does not let it.
        os.nice(_NICENESS)
    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    answers = _own_output()
    ready: dict[str, ModuleType] = {}
    threading.Thread(target=_receive, args=(sys.stdin.buffer, tasks), daemon=True).start()
    _made_ready(module, ready)
    send(answers, {})  # It is ready.
    most_held = _held_bytes() + max_growth_bytes
    while True:
        record, block = tasks.get()
        _limit_time(max_core_s)
        try:
            _limit_memory(None)
            before = _held_bytes()
            work = _made_ready(record.pop("task", module), ready)
            most_held += _held_bytes() - before
            _limit_memory(max_task_bytes)
            answer, result = work.carry_out(record, block)
        except MemoryError:
            answer, result = {"failed": "memory"}, b""
        del block
        if _held_bytes() - len(result) > most_held:
            give_spare_memory_back()
            answer["is_worn"] = _held_bytes() - len(result) > most_held
        try:
            send(answers, answer, result)
        except OSError:
            return
        del answer, result
        if tasks.empty():
            give_spare_memory_back()


def _made_ready(name: str, ready: dict[str, ModuleType]) -> ModuleType:
    """A module with its libraries and weights loaded; these don't count as memory of a task."""
    if name not in ready:
        work = importlib.import_module(name)
        work.warm_up()
        ready[name] = work
    return ready[name]


def _own_output() -> BinaryIO:
    """The standard output for answers alone; what libraries print goes to the error stream."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def _receive(stream: BinaryIO, tasks: queue.SimpleQueue[Task]) -> None:
    try:
        while True:
            tasks.put(receive(stream))
    except (EOFError, ValueError, OSError, MemoryError):
        os._exit(0)


def _held_bytes() -> int:
    """What the system counts as this process's own memory; 0 where it does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next(1024 * int(line.split()[1]) for line in status.splitlines() if "VmData" in line)


def _limit_memory(max_task_bytes: int | None) -> None:
    """Beyond what is held by now, so much is given; where the system can limit it.

    None for as much as the system gives.
    """
    held = _held_bytes()
    if not held:
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = hard if max_task_bytes is None else held + max_task_bytes
    if hard in (resource.RLIM_INFINITY, -1) or limit <= hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _limit_time(max_core_s: float) -> None:
    """So many seconds of the processor for the next task; the other side watches the clock."""
    try:
        import resource
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(usage.ru_utime + usage.ru_stime + max_core_s)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard in (resource.RLIM_INFINITY, -1) or limit < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
