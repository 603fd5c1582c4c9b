from __future__ import annotations

import os

import pytest

from benchmarks.kills import kill_many


@pytest.mark.skipif(os.name == "nt", reason="links of Unix")
def test_two_processes_killed_at_random_moments_lose_nothing() -> None:
    """A short form of `python -m benchmarks.kills --runs 1000`."""
    counts = kill_many(runs=15, seed=20_261_121)
    assert counts.told > 20
    assert counts.refused >= 5
    assert (counts.lost, counts.twice, counts.unreadable) == (0, 0, 0)
