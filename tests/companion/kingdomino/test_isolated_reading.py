from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import vision
from companion.kingdomino.isolated_reading import (
    new_pool,
    read_job_isolated,
    read_upload_isolated,
)
from companion.kingdomino.reading_jobs import Job
from companion.kingdomino.samples import sample_folder
from companion.reading.pool import PoolSettings, WorkerPool
from vision.photo import decode
from vision.photo.errors import PhotoError

SAMPLE = sample_folder() / "begun.jpg"


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with new_pool(1) as pool:
        yield pool


def test_a_worker_reads_just_what_this_process_reads(pool: WorkerPool) -> None:
    here, photo = vision.read_kingdoms(SAMPLE), decode(SAMPLE)
    there, rgb = read_upload_isolated(SAMPLE.read_bytes(), pool)
    assert there == here
    np.testing.assert_array_equal(rgb, photo.rgb)
    for one, other in zip(there.kingdoms, here.kingdoms, strict=True):
        np.testing.assert_array_equal(one.homography, other.homography)
    outcome = read_job_isolated(Job(str(SAMPLE)), pool)
    assert outcome.reading == here


def test_refusals_keep_their_code(pool: WorkerPool, tmp_path: Path) -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_upload_isolated(b"a letter", pool)
    assert read_job_isolated(Job(str(tmp_path / "no.jpg")), pool).refusal.code == "missing_file"


def test_a_photo_that_kills_its_worker_is_refused_and_the_next_one_is_read() -> None:
    task = "tests.companion.kingdomino.deadly_task"
    with WorkerPool(task, PoolSettings(workers=1)) as pool:
        assert read_job_isolated(Job("deadly.jpg"), pool).refusal.code == "crashed"
        assert read_job_isolated(Job(str(SAMPLE)), pool).reading is not None
