"""Worker processes: how they start, answer, are bounded, die and are replaced."""

from __future__ import annotations

import io
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.reading import memory
from companion.reading.memory import give_large_blocks_back, give_spare_memory_back
from companion.reading.pool import (
    MAX_MESSAGE_BYTES,
    PoolSettings,
    WorkerDied,
    WorkerPool,
    _Worker,
    receive,
    send,
)

TASK = "tests.companion.reading.odd_task"
ROOT = Path(__file__).parents[3]


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    settings = PoolSettings(workers=1, max_task_s=5, max_task_bytes=200_000_000)
    with WorkerPool(TASK, settings) as pool:
        yield pool


def code_of(pool: WorkerPool, **record: object) -> str:
    with pytest.raises(WorkerDied) as died:
        pool.carry_out(dict(record))
    return died.value.code


def is_running(pid: int) -> bool:
    if os.name == "nt":  # There os.kill(pid, 0) would interrupt it.
        listed = ["tasklist", "/NH", "/FI", f"PID eq {pid}"]
        return str(pid) in subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # One that has ended and that nobody has asked about counts as ended.
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return os.path.isdir("/proc") is False


def test_a_warm_worker_carries_out_one_task_after_the_other(pool: WorkerPool) -> None:
    first, block = pool.carry_out({"do": "echo", "say": "ä"}, b"abc")
    assert (first["said"], block) == ("ä", b"cba")
    assert first["pid"] != os.getpid()
    second, _ = pool.carry_out({"do": "echo"})
    assert second["pid"] == first["pid"]


def test_a_worker_learns_another_module_when_it_is_asked_for(pool: WorkerPool) -> None:
    first, _ = pool.carry_out({"do": "echo"})
    record = {"task": "tests.companion.reading.another_task", "said": "there"}
    assert pool.carry_out(record)[0] == {"another": "there", "pid": first["pid"]}
    assert pool.carry_out(record)[0] == {"another": "there", "pid": first["pid"]}
    assert pool.carry_out({"do": "echo"})[0]["pid"] == first["pid"]


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is limited on Linux")
def test_what_another_module_loads_is_no_memory_of_a_task_and_wears_out_no_worker() -> None:
    settings = PoolSettings(workers=1, max_task_bytes=200_000_000, max_growth_bytes=150_000_000)
    with WorkerPool(TASK, settings) as pool:
        pool.carry_out({"task": "tests.companion.reading.another_task", "said": ""})
        (pid,) = pool.processes()
        assert pool.carry_out({"do": "echo"})[0]["pid"] == pid
        assert pool.carry_out({"do": "fill", "bytes": 120_000_000})[0] == {"filled": 120_000_000}


def test_a_task_that_kills_its_worker_costs_only_itself(pool: WorkerPool) -> None:
    before, _ = pool.carry_out({"do": "echo"})
    assert code_of(pool, do="crash") == "crashed"
    after, _ = pool.carry_out({"do": "echo"})
    assert after["pid"] != before["pid"]
    assert not is_running(before["pid"])


def test_a_worker_killed_for_no_fault_of_the_task_costs_nothing(
    pool: WorkerPool, tmp_path: Path
) -> None:
    answer, _ = pool.carry_out({"do": "crash once", "file": str(tmp_path / "tried")})
    assert answer == {"done": "crash once"}
    pid = pool.carry_out({"do": "echo"})[0]["pid"]
    os.kill(pid, signal.SIGTERM)
    time.sleep(0.2)
    assert pool.carry_out({"do": "echo"})[0]["pid"] != pid


@pytest.mark.parametrize("attempts", [1, 3])
def test_a_task_is_given_to_so_many_workers_and_no_more(attempts: int, tmp_path: Path) -> None:
    notes = tmp_path / "tried"
    with WorkerPool(TASK, PoolSettings(workers=1, attempts=attempts)) as pool:
        assert code_of(pool, do="crash and note", file=str(notes)) == "crashed"
    assert notes.read_bytes() == b"x" * attempts


def test_an_interrupted_task_leaves_no_answer_for_the_next_one(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with Ctrl-C while a worker reads: its answer must not be taken for another photo's."""
    pid = pool.carry_out({"do": "echo"})[0]["pid"]

    def interrupted(stream: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("companion.reading.pool.receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            pool.carry_out({"do": "echo", "say": "interrupted"})
    assert not is_running(pid)
    assert pool.carry_out({"do": "echo", "say": "next"})[0]["said"] == "next"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_an_interruption_is_for_the_process_that_started_a_worker(pool: WorkerPool) -> None:
    pid = pool.carry_out({"do": "echo"})[0]["pid"]
    os.kill(pid, signal.SIGINT)
    time.sleep(0.2)
    assert pool.carry_out({"do": "echo"})[0]["pid"] == pid


@pytest.mark.parametrize(
    ("settings", "threads"), [(PoolSettings(), "1"), (PoolSettings(threads=3), "3")]
)
def test_a_worker_has_the_threads_it_is_given(settings: PoolSettings, threads: str) -> None:
    with WorkerPool(TASK, settings) as pool:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            assert pool.carry_out({"do": "environment", "name": name})[0] == {"value": threads}


def test_a_worker_that_is_not_ready_in_time_is_ended() -> None:
    with WorkerPool(TASK, PoolSettings(workers=1, max_start_s=0)) as pool:
        assert code_of(pool, do="echo") == "took_too_long"
        assert pool.processes() == []


def test_a_task_that_takes_too_long_is_ended() -> None:
    settings = PoolSettings(workers=1, max_task_s=1)
    with WorkerPool(TASK, settings) as pool:
        pool.carry_out({"do": "echo"})
        started = time.monotonic()
        assert code_of(pool, do="sleep", seconds=60) == "took_too_long"
        assert code_of(pool, do="spin") == "took_too_long"
        assert time.monotonic() - started < 15


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is limited on Linux")
def test_a_task_that_takes_too_much_memory_is_ended(pool: WorkerPool) -> None:
    assert pool.carry_out({"do": "fill", "bytes": 100_000_000})[0] == {"filled": 100_000_000}
    assert code_of(pool, do="fill", bytes=300_000_000) == "too_complex"
    assert pool.carry_out({"do": "fill", "bytes": 10})[0] == {"filled": 10}


def test_for_want_of_memory_a_task_is_tried_once_more_in_a_new_worker(
    pool: WorkerPool, tmp_path: Path
) -> None:
    once = {"do": "no memory once", "file": str(tmp_path / "first")}
    assert code_of(pool, **once) == "too_complex"
    before, _ = pool.carry_out({"do": "echo"})
    once = {"do": "no memory once", "file": str(tmp_path / "later")}
    assert pool.carry_out(once)[0] == {"done": "no memory once"}
    assert pool.carry_out({"do": "echo"})[0]["pid"] != before["pid"]
    assert len(pool.processes()) == 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is limited on Linux")
def test_what_earlier_tasks_have_left_behind_is_no_memory_of_a_task() -> None:
    settings = PoolSettings(workers=1, max_task_bytes=200_000_000, max_growth_bytes=250_000_000)
    with WorkerPool(TASK, settings) as pool:
        pids = [pool.carry_out({"do": "keep", "bytes": 100_000_000})[0]["pid"] for _ in range(6)]
        assert pool.carry_out({"do": "fill", "bytes": 150_000_000})[0] == {"filled": 150_000_000}
    # The third of them makes a worker hold too much, so that another takes its place.
    assert [pids.index(pid) for pid in pids] == [0, 0, 0, 3, 3, 3]


@pytest.mark.slow
def test_the_clock_and_the_core_have_their_own_limits() -> None:
    settings = PoolSettings(workers=1, max_task_s=60, max_core_s=1)
    with WorkerPool(TASK, settings) as pool:
        assert pool.carry_out({"do": "sleep", "seconds": 1.5})[0] == {"done": "sleep"}
        if os.name != "nt":
            started = time.monotonic()
            assert code_of(pool, do="spin") == "took_too_long"
            # By the core's limit, long before the clock's.
            assert time.monotonic() - started < 45


def test_no_more_tasks_at_once_than_workers() -> None:
    with WorkerPool(TASK, PoolSettings(workers=2)) as pool, ThreadPoolExecutor(6) as threads:
        # One that is idle is taken before another is started.
        pids = {pool.carry_out({"do": "echo"})[0]["pid"] for _ in range(2)}
        assert pool.processes() == [*pids]

        def ask(_: int) -> int:
            pool.carry_out({"do": "sleep", "seconds": 0.1})
            return len(pool.processes())

        assert max(threads.map(ask, range(6))) == 2


def test_tasks_are_carried_out_in_the_order_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    with WorkerPool(TASK, PoolSettings(workers=1)) as pool:
        order: list[str] = []
        take = pool._idle_or_new

        def noted(new: bool) -> Any:
            order.append(threading.current_thread().name)
            return take(new)

        monkeypatch.setattr(pool, "_idle_or_new", noted)
        pool._busy = 1  # As if another task were being carried out.
        threads = [
            threading.Thread(target=pool.carry_out, args=({"do": "echo"},), name=name)
            for name in "abcde"
        ]
        for number, thread in enumerate(threads, 1):
            thread.start()
            while len(pool._queue) < number:
                time.sleep(0.001)
        with pool._turn:
            pool._busy = 0
            pool._turn.notify_all()
        for thread in threads:
            thread.join()
        assert "".join(order) == "abcde"


def test_a_closed_pool_leaves_nothing_behind_and_takes_nothing_more() -> None:
    pool = WorkerPool(TASK, PoolSettings(workers=1))
    pid = pool.carry_out({"do": "echo"})[0]["pid"]
    assert pool.processes() == [pid]
    pool.close()
    assert not is_running(pid)
    assert pool.processes() == []
    assert code_of(pool, do="echo") == "crashed"


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("busy", [True, False])
def test_workers_end_with_the_process_that_started_them(number: str, busy: bool) -> None:
    program = (
        "import sys, threading\n"
        "from companion.reading.pool import PoolSettings, WorkerPool\n"
        f"pool = WorkerPool({TASK!r}, PoolSettings(workers=1))\n"
        "print(pool.carry_out({'do': 'echo'})[0]['pid'], flush=True)\n"
        f"pool.carry_out({{'do': 'sleep', 'seconds': {60 if busy else 0}}})\n"
        "threading.Event().wait()\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.send_signal(getattr(signal, number))
        parent.wait()
    deadline = time.monotonic() + 5
    while is_running(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(worker)


def test_a_worker_that_answers_while_the_pool_closes_is_ended_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = WorkerPool(TASK)
    asked: list[_Worker] = []

    def ask(worker: _Worker, *given: Any) -> tuple[dict[str, Any], bytes]:
        asked.append(worker)
        pool.close()
        return {}, b""

    monkeypatch.setattr(_Worker, "ask", ask)
    pool.carry_out({})
    assert asked[0].process.poll() is not None
    assert asked[0].process.stdin is not None
    assert asked[0].process.stdin.closed
    assert asked[0].process.stdout is not None
    assert asked[0].process.stdout.closed


class Process:
    """A worker's process that has answered already, and what was done to it."""

    def __init__(self, *answers: dict[str, Any], returncode: int = 0) -> None:
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO()
        for answer in answers:
            send(self.stdout, answer, b"block")
        self.stdout.seek(0)
        self.returncode = returncode
        self.done: list[str] = []

    def kill(self) -> None:
        self.done.append("killed")

    def wait(self) -> None:
        self.done.append("waited for")


def asked(process: Process, *, times: int = 1) -> dict[str, Any]:
    """The last answer of a warm worker."""
    worker = _Worker(process, warm=True)  # type: ignore[arg-type]  # all that is asked of one
    for _ in range(times):
        answer, block = worker.ask({"do": "this"}, b"photo", PoolSettings())
        assert block == b"block"
    return answer


ENDED = ["killed", "waited for"]


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([], "crashed"),
        ([{}], "crashed"),
        ([{"failed": "memory"}], "too_complex"),
        ([{}, {"failed": "memory"}], "no_memory"),
    ],
)
def test_a_worker_without_an_answer_is_ended(answers: list[dict[str, Any]], code: str) -> None:
    process = Process(*answers)
    with pytest.raises(WorkerDied) as died:
        asked(process, times=2)
    assert (died.value.code, str(died.value)) == (code, code)
    assert process.done == ENDED
    assert process.stdin.closed
    assert process.stdout.closed


@pytest.mark.skipif(os.name == "nt", reason="limits of Unix")
@pytest.mark.parametrize(("number", "code"), [("SIGXCPU", "took_too_long"), ("SIGKILL", "crashed")])
def test_a_worker_whose_time_of_the_core_is_up_took_too_long(number: str, code: str) -> None:
    with pytest.raises(WorkerDied) as died:
        asked(Process(returncode=-getattr(signal, number)))
    assert died.value.code == code


def test_a_worn_worker_answers_and_is_ended() -> None:
    process = Process({"said": 1}, {"said": 2, "is_worn": True}, {"said": 3, "is_worn": False})
    assert asked(process) == {"said": 1}
    assert process.done == []
    assert asked(process) == {"said": 2}
    assert process.done == ENDED
    last = Process({"said": 3, "is_worn": False})
    assert asked(last) == {"said": 3}
    assert last.done == []
    received = io.BytesIO(last.stdin.getvalue())
    assert receive(received) == ({"do": "this"}, b"photo")


def test_a_worker_has_so_long_to_start_and_so_long_for_a_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers: list[Any] = []

    class Timer(threading.Timer):
        def start(self) -> None:
            timers.append(self)

    monkeypatch.setattr("companion.reading.pool.slowness", lambda: 1.5)
    monkeypatch.setattr("companion.reading.pool.threading.Timer", Timer)
    process = Process({}, {"said": 1})
    worker = _Worker(process)  # type: ignore[arg-type]
    assert worker.ask({}, b"", PoolSettings(max_start_s=7, max_task_s=4)) == ({"said": 1}, b"block")
    assert [(each.interval, each.daemon) for each in timers] == [(7, True), (6.0, True)]
    assert all(each.finished.is_set() for each in timers)
    assert process.done == []
    timers[1].function()
    assert process.done == ["killed"]
    with pytest.raises(WorkerDied, match="took_too_long"):
        worker.ask({}, b"", PoolSettings())


def test_a_stream_that_cannot_be_closed_keeps_no_worker_alive() -> None:
    process = Process()

    def broken() -> None:
        raise OSError

    process.stdin.close = broken  # type: ignore[method-assign]
    with pytest.raises(WorkerDied):
        asked(process)
    assert process.done == ENDED
    assert process.stdout.closed


def test_a_worker_is_started_with_its_limits_and_the_imports_of_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[list[str], dict[str, Any]]] = []

    def start(command: list[str], **how: Any) -> Process:
        started.append((command, how))
        return Process({}, {})

    monkeypatch.setattr("companion.reading.pool.slowness", lambda: 2)
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(sys, "path", ["/a", "", "/b"])
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    pool = WorkerPool("some.task")
    worker = pool._started()
    assert (worker.warm, worker.is_new) == (False, True)
    ((command, how),) = started
    assert command == [
        *(sys.executable, "-m", "companion.reading.worker", "some.task"),
        *("700000000", "300000000", "20"),
    ]
    assert (how["stdin"], how["stdout"]) == (subprocess.PIPE, subprocess.PIPE)
    assert how["env"] == {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(("/a", os.getcwd(), "/b")),
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    }


@pytest.mark.parametrize(
    ("deaths", "end", "new"),
    [
        ("", "answered", [False]),
        ("crashed", "answered", [False, False]),
        ("crashed crashed", "crashed", [False, False]),
        ("no_memory", "answered", [False, True]),
        ("no_memory too_complex", "too_complex", [False, True]),
        ("no_memory crashed", "answered", [False, True, True]),
        ("crashed no_memory crashed", "crashed", [False, False, True]),
        ("took_too_long", "took_too_long", [False]),
        ("too_complex", "too_complex", [False]),
    ],
)
def test_which_deaths_are_tried_again_and_in_what_worker(
    monkeypatch: pytest.MonkeyPatch, deaths: str, end: str, new: list[bool]
) -> None:
    left, given = deaths.split(), []

    def attempt(record: object, block: bytes, is_new: bool) -> object:
        given.append(is_new)
        if left:
            raise WorkerDied(left.pop(0))  # type: ignore[arg-type]  # of the table above
        return "answered"

    pool = WorkerPool(TASK)
    monkeypatch.setattr(pool, "_attempt", attempt)
    try:
        told: object = pool.carry_out({})
    except WorkerDied as died:
        told = died.code
    assert (told, given) == (end, new)
    pool._closed = True
    left[:] = ["crashed"]
    with pytest.raises(WorkerDied):
        pool.carry_out({})
    assert left == []


def test_what_is_sent_is_received() -> None:
    stream = io.BytesIO()
    send(stream, {"photo": "ä\n.jpg", "number": 0.1}, b"\0\n\xff")
    send(stream, {})
    stream.seek(0)
    assert receive(stream) == ({"photo": "ä\n.jpg", "number": 0.1}, b"\0\n\xff")
    assert receive(stream) == ({}, b"")
    with pytest.raises(EOFError):
        receive(stream)


def test_a_message_that_breaks_off_is_none() -> None:
    stream = io.BytesIO()
    send(stream, {"a": 1}, b"block")
    with pytest.raises(EOFError):
        receive(io.BytesIO(stream.getvalue()[:-1]))


@pytest.mark.parametrize("more", [0, 1])
def test_a_message_has_at_most_so_many_bytes(more: int) -> None:
    lengths = (2).to_bytes(4) + (MAX_MESSAGE_BYTES - 2 + more).to_bytes(4)
    # Below the bound it is the rest that is missing.
    with pytest.raises(ValueError if more else EOFError):
        receive(io.BytesIO(lengths + b"{}"))


@pytest.mark.parametrize("data", [b"\xff" * 8, b"\0\0\0\x02\0\0\0\0[]", b"\0\0\0\x01\0\0\0\0?"])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"expected|Expecting"):
        receive(io.BytesIO(data))


def held_kib() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked")
def test_what_lies_between_things_in_use_goes_back() -> None:
    # Below the size from which on each block is given back by itself.
    blocks = [np.ones(12_000, np.uint8) for _ in range(8_000)]
    kept = blocks[::40]
    del blocks
    before = held_kib()
    assert give_spare_memory_back()
    assert held_kib() < before - 40_000
    assert len(kept) == 200


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked")
def test_a_server_keeps_nothing_of_the_large_photos_that_its_threads_held() -> None:
    """In a process of its own, as the bound holds for all of one."""
    program = """
import sys, threading
from pathlib import Path
from companion.reading.memory import give_large_blocks_back

def held():
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)

def hold(barrier):
    for _ in range(3):
        block = b"a" * 25_000_000
        barrier.wait()
        del block

if sys.argv[1] == "back":
    assert give_large_blocks_back()
before, barrier = held(), threading.Barrier(4)
threads = [threading.Thread(target=hold, args=(barrier,)) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(held() - before)
"""

    def left_kib(how: str) -> int:
        command = [sys.executable, "-c", program, how]
        return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    assert left_kib("back") < 3_000
    assert left_kib("keep") > 20_000


def test_other_systems_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_of_c_library", lambda name: None)
    assert not give_spare_memory_back()
    assert not give_large_blocks_back()


@pytest.mark.parametrize("answer", [0, 1])
def test_the_c_library_says_whether_large_blocks_go_back(
    answer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def call(*given: int) -> int:
        asked.append(given)
        return answer

    monkeypatch.setattr(memory, "_of_c_library", {"mallopt": call, "malloc_trim": call}.get)
    assert give_large_blocks_back() is bool(answer)
    assert give_spare_memory_back()
    # M_MMAP_THRESHOLD of malloc.h, and a megabyte; as much as there is to trim.
    assert asked == [(-3, 1 << 20), (0,)]
