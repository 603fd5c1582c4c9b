from __future__ import annotations

from pathlib import Path

import pytest

import vision
from companion.kingdomino import many_photos
from companion.kingdomino.isolated_reading import read_job_isolated
from companion.kingdomino.many_photos import dask_backend, read_photos, worker_count
from companion.kingdomino.reading_jobs import Job, Outcome
from companion.kingdomino.samples import sample_folder
from companion.reading.pool import PoolSettings, WorkerPool
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError


@pytest.mark.parametrize(
    ("photos", "jobs", "workers"),
    [(1, None, 1), (7, None, 1), (1000, 3, 3), (2, 8, 2), (0, None, 1), (0, 4, 1)],
)
def test_workers_are_started_where_they_are_worth_it(
    photos: int, jobs: int | None, workers: int
) -> None:
    assert worker_count(photos, jobs) == workers


def test_a_photo_that_fails_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: bytes | str) -> PhotoReading:
        if source == "cut.jpg":
            raise PhotoError("truncated", format="JPEG")
        if source == "fault.jpg":
            raise ZeroDivisionError
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    monkeypatch.setattr(many_photos, "PHOTOS_READ_HERE", 10)
    jobs = [Job(name) for name in ("a.jpg", "cut.jpg", "fault.jpg", "b.jpg")]
    outcomes = list(read_photos(jobs))
    assert [outcome.photo for outcome in outcomes] == [job.photo for job in jobs]
    codes = [outcome.error.code if outcome.error else None for outcome in outcomes]
    assert codes == [None, "truncated", "unexpected", None]
    assert [bool(outcome.trace) for outcome in outcomes] == [False, False, True, False]
    assert "ZeroDivisionError" in outcomes[2].trace


def _missing_photos(folder: Path) -> list[Job]:
    return [Job(str(folder / f"{number}.jpg")) for number in range(6)]


def _codes(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    return [(Path(outcome.photo).name, outcome.refusal.code) for outcome in outcomes]


def test_processes_give_the_same_in_the_same_order(tmp_path: Path) -> None:
    jobs = _missing_photos(tmp_path)
    (tmp_path / "3.jpg").write_bytes(b"")
    alone = [code for job in jobs for code in _codes(list(read_photos([job])))]
    assert ("3.jpg", "empty_file") in alone
    assert ("4.jpg", "missing_file") in alone
    assert _codes(list(read_photos(jobs, workers=2))) == alone


def test_a_local_dask_cluster_gives_the_same(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is an optional extra")
    jobs = _missing_photos(tmp_path)
    with dask_backend("local") as backend:
        assert _codes(list(read_photos(jobs, backend=backend))) == _codes(list(read_photos(jobs)))


def _deadly_pool(workers: int) -> WorkerPool:
    task = "tests.companion.kingdomino.deadly_task"
    return WorkerPool(task, PoolSettings(workers=workers))


def test_a_run_goes_on_over_a_photo_that_kills_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_photos, "new_pool", _deadly_pool)
    sample = str(sample_folder() / "begun.jpg")
    outcomes = list(read_photos([Job(sample), Job("deadly.jpg"), Job(sample)], workers=2))
    codes = [outcome.error.code if outcome.error else None for outcome in outcomes]
    assert codes == [None, "crashed", None]


def test_a_run_that_is_left_leaves_no_process_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pools: list[WorkerPool] = []

    def kept_pool(workers: int) -> WorkerPool:
        pools.append(_deadly_pool(workers))
        return pools[-1]

    monkeypatch.setattr(many_photos, "new_pool", kept_pool)
    running = read_photos(_missing_photos(tmp_path), workers=2)
    next(running)
    assert pools[0].processes()
    running.close()  # type: ignore[attr-defined]
    assert pools[0].processes() == []
    assert read_job_isolated(Job("a.jpg"), pools[0]).refusal.code == "crashed"
