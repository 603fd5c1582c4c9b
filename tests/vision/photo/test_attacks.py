"""Whatever a file holds, it is opened within 500 MB and 2 s of a core, or refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.reading.pool import PoolSettings, WorkerPool
from tests.vision.photo.attacks import ATTACKS

MAX_MB, MAX_S = 500, 2.0


@pytest.fixture(scope="module")
def child() -> Iterator[WorkerPool]:
    """A process of its own, so that an attack that works costs no more than a test."""
    settings = PoolSettings(workers=1, max_task_s=60, max_task_bytes=3_000_000_000, attempts=1)
    with WorkerPool("tests.fuzz.task", settings) as pool:
        yield pool


@pytest.mark.parametrize("name", ATTACKS)
def test_small_files_take_no_gigabytes_and_no_seconds(name: str, child: WorkerPool) -> None:
    attack, outcome = ATTACKS[name]
    ((_, _, found, seconds, peak_mb),) = child.carry_out({}, attack())[0]["cases"]
    assert found == outcome
    assert seconds < MAX_S
    assert peak_mb < MAX_MB
