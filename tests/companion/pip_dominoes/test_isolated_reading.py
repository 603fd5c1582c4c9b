"""Hands read in a worker process, as the web app and the command line do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vision
from companion.reading.jobs import Job, read_photos
from companion.reading.pip_dominoes import hand_reader, read_hand_isolated
from vision.photo.errors import PhotoError

SAMPLES = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
SAMPLE = SAMPLES / "double-blank.jpg"


@pytest.mark.parametrize("highest", [None, 15])
def test_a_worker_reads_just_what_this_process_reads(highest: int | None) -> None:
    here = vision.read_dominoes(SAMPLE, highest)
    there: Any = read_hand_isolated(SAMPLE.read_bytes(), highest)
    assert there.tiles == here.tiles
    assert (there.set, there.warnings) == (here.set, here.warnings)
    for one, other in zip(there.dominoes, here.dominoes, strict=True):
        np.testing.assert_allclose(one.likelihoods, other.likelihoods, rtol=1e-3, atol=1e-6)
        np.testing.assert_allclose(one.corners, other.corners, atol=0.05)


def test_refusals_keep_their_code() -> None:
    with pytest.raises(PhotoError, match="not_a_picture"):
        read_hand_isolated(b"a letter")
    with pytest.raises(PhotoError, match="no_dominoes"):
        read_hand_isolated((SAMPLES / "no-dominoes.jpg").read_bytes(), 6)


def test_photos_of_a_command_are_read_in_workers(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(SAMPLE.read_bytes()[:2000])
    jobs = [Job(str(SAMPLE)), Job(str(broken)), Job(str(SAMPLE))]
    first, second, third = read_photos(jobs, hand_reader(12))
    assert second.error is not None
    for outcome in (first, third):
        assert outcome.reading is not None
        assert outcome.reading.set == 12
