from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision
from companion.reading import jobs as isolated
from companion.reading.jobs import (
    Isolation,
    Job,
    error_from_plain,
    error_to_plain,
    read_isolated,
    read_job_isolated,
)
from companion.reading.kingdomino import ISOLATION, reading_from_plain
from companion.reading.pool import PoolSettings, WorkerPool
from vision.kingdomino.samples import sample_folder
from vision.photo.errors import PhotoError

SAMPLE = str(sample_folder() / "begun.jpg")
DEADLY = Isolation("tests.companion.kingdomino.deadly_task", reading_from_plain)


def test_a_refusal_comes_back() -> None:
    error = PhotoError("too_small", width=3, height=4, reason=OSError("x"))
    back = error_from_plain(json.loads(json.dumps(error_to_plain(error))))
    assert back.code == "too_small"
    assert back.details == {"width": 3, "height": 4, "reason": "x"}


def test_a_worker_reads_just_what_this_process_reads(tmp_path: Path) -> None:
    with WorkerPool(ISOLATION.task, PoolSettings(workers=1)) as pool:
        assert read_job_isolated(Job(SAMPLE), pool, ISOLATION).reading == vision.read_kingdoms(
            SAMPLE
        )
        missing = read_job_isolated(Job(str(tmp_path / "no.jpg")), pool, ISOLATION)
        assert missing.refusal.code == "missing_file"


def test_a_run_goes_on_over_a_photo_that_kills_its_worker() -> None:
    jobs = [Job(SAMPLE), Job("deadly.jpg"), Job(SAMPLE)]
    outcomes = list(read_isolated(jobs, DEADLY, workers=2))
    codes = [outcome.error.code if outcome.error else None for outcome in outcomes]
    assert codes == [None, "crashed", None]


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[WorkerPool]]:
    made: list[WorkerPool] = []

    def kept(task: str, settings: PoolSettings) -> WorkerPool:
        made.append(WorkerPool(task, settings))
        return made[-1]

    monkeypatch.setattr(isolated, "WorkerPool", kept)
    yield made
    for pool in made:
        pool.close()


def test_a_run_that_is_left_leaves_no_process_behind(
    pools: list[WorkerPool], tmp_path: Path
) -> None:
    jobs = [Job(str(tmp_path / f"{number}.jpg")) for number in range(6)]
    running = read_isolated(jobs, DEADLY, workers=2)
    next(running)
    assert pools[0].processes()
    running.close()  # type: ignore[attr-defined]
    assert pools[0].processes() == []
    assert read_job_isolated(Job("a.jpg"), pools[0], DEADLY).refusal.code == "crashed"
