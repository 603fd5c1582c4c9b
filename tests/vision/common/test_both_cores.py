"""Work shared out to threads."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Iterator

import cv2
import pytest

from vision.common.both_cores import map_in_threads


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
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    map_in_threads(str, list(range(6)))
    context = multiprocessing.get_context("fork")
    child = context.Process(target=map_in_threads, args=(str, list(range(6))))
    child.start()
    child.join(10)
    assert child.exitcode == 0
