"""Work shared out to threads, times of the steps, and memory that is kept."""

from __future__ import annotations

import multiprocessing
import platform
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import cv2
import pytest

from vision.common import network
from vision.common.network import Clock, count_threads, loaded_once, map_in_threads, start_beside
from vision.domino_duell.weights import shipped
from vision.kingdomino.reader import default_reader as kingdomino_reader
from vision.pip_dominoes.reader import default_reader as pip_reader


@pytest.fixture
def two_threads() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize("count", [0, 1, 4, 7])
@pytest.mark.usefixtures("two_threads")
def test_results_keep_the_order_of_their_items(count: int) -> None:
    assert map_in_threads(str, list(range(count))) == [str(k) for k in range(count)]


@pytest.mark.usefixtures("two_threads")
def test_two_threads_share_the_work() -> None:
    meeting = threading.Barrier(2, timeout=5)

    def meet(item: int) -> str:
        if item < 2:
            meeting.wait()
        return threading.current_thread().name

    assert len(set(map_in_threads(meet, list(range(6))))) == 2


@pytest.mark.usefixtures("two_threads")
def test_one_thread_where_opencv_has_one() -> None:
    cv2.setNumThreads(1)
    names = map_in_threads(lambda _: threading.current_thread().name, list(range(6)))
    assert set(names) == {threading.current_thread().name}


@pytest.mark.usefixtures("two_threads")
def test_an_error_is_raised_where_it_is_asked_for() -> None:
    with pytest.raises(ZeroDivisionError):
        map_in_threads(lambda item: 1 // (item - 3), list(range(6)))


@pytest.mark.usefixtures("two_threads")
def test_what_is_beside_runs_while_its_caller_goes_on_and_is_alone_there() -> None:
    meeting = threading.Barrier(2, timeout=5)
    task = start_beside(meeting.wait)
    assert task is not None
    assert start_beside(int) is None
    meeting.wait()
    task.result(5)
    after = start_beside(lambda: 1 // 0)
    assert after is not None
    with pytest.raises(ZeroDivisionError):
        after.result(5)
    assert start_beside(int) is not None


def test_a_thread_that_could_not_be_had_takes_no_core(
    two_threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing() -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(network, "_beside", threading.BoundedSemaphore(1))
    with monkeypatch.context() as without:
        without.setattr(network, "_shared_pool", failing)
        with pytest.raises(RuntimeError, match="new thread"):
            start_beside(lambda: 1)
    task = start_beside(lambda: 1)
    assert task is not None
    assert task.result() == 1


def test_nothing_is_beside_where_opencv_has_one_thread(two_threads: None) -> None:
    assert count_threads() == 2
    cv2.setNumThreads(1)
    assert count_threads() == 1
    assert start_beside(int) is None


@pytest.mark.usefixtures("two_threads")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    map_in_threads(str, list(range(6)))
    going_on = threading.Event()
    assert start_beside(going_on.wait) is not None
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_work_in_threads)
    child.start()
    child.join(10)
    going_on.set()
    assert child.exitcode == 0


def _work_in_threads() -> None:
    map_in_threads(str, list(range(6)))
    task = start_beside(int)
    assert task is not None
    task.result(5)


def test_steps_of_one_name_are_counted_together_even_where_they_fail() -> None:
    clock = Clock()
    with clock.step("read"):
        pass
    first = clock.seconds["read"]
    with pytest.raises(ValueError, match="broken"), clock.step("read"):
        raise ValueError("broken")
    with clock.step("settle"):
        pass
    assert list(clock.seconds) == ["read", "settle"]
    assert clock.seconds["read"] > first >= 0


ROOT = Path(__file__).parents[3]
# How many fresh pages a block that is taken and freed again and again costs, on average.
PROGRAM = """
import sys, resource, numpy as np
from vision.common.network import keep_freed_memory
if "keep" in sys.argv:
    keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for round in range(10):
    if round == 5:
        before = faults()
    blocks = [bytearray(b"x" * 9_000_000) for _ in range(3)]
    del blocks
print((faults() - before) // 5)
"""


def pages_taken(*arguments: str) -> int:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(run.stdout)


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc learns what is freed")
def test_freed_blocks_are_taken_again() -> None:
    assert pages_taken("keep") < 100 < 2000 < pages_taken()


def test_threads_that_ask_together_load_once_what_is_loaded_once() -> None:
    both = threading.Barrier(2)

    @loaded_once
    def load() -> object:
        with suppress(threading.BrokenBarrierError):
            both.wait(0.1)  # Passed where the other thread loads as well.
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = (task.result() for task in [pool.submit(load) for _ in range(2)])
    assert first is second


@pytest.mark.parametrize("load", [kingdomino_reader, pip_reader, shipped])
def test_the_weights_of_every_game_are_loaded_once(load: object) -> None:
    assert isinstance(load, loaded_once)
