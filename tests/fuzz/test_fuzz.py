from __future__ import annotations

import pytest

from tests.fuzz.mutate import mutated
from tests.fuzz.run import BATCH, run_cases
from tests.fuzz.seeds import seeds
from tests.fuzz.structure import join, split
from vision.photo import decode
from vision.photo.formats import READ_FORMATS

FORMATS = sorted(READ_FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_seeds_are_read_and_come_together_from_their_parts(name: str) -> None:
    for data in seeds()[name]:
        assert join(split(data, name), name) == data
        assert len(split(data, name)) >= 2
    # The last bitmap says to have run lengths.
    for data in seeds()[name][: -1 if name == "BMP" else None]:
        assert min(decode(data).rgb.shape[:2]) >= 24


def test_the_same_seed_gives_the_same_case() -> None:
    assert [mutated(seed) for seed in range(20)] == [mutated(seed) for seed in range(20)]


def test_mutations_reach_every_format_and_beyond_its_first_bytes() -> None:
    """A fuzzer whose cases were all refused at the door would find nothing."""
    findings = run_cases(first=1, count=8 * BATCH)
    assert findings.all_well
    for name in FORMATS:
        assert findings.outcomes[name, "read"] + findings.outcomes[name, "truncated"] >= 10, name
        assert findings.outcomes[name, "read"] >= 1, name


def test_mutated_pictures_stay_within_the_limits() -> None:
    """Half a minute of `python -m tests.fuzz`, with a fixed seed."""
    findings = run_cases(first=20_261_121_000, count=2000, seconds=20)
    assert findings.cases >= 5 * BATCH
    assert findings.crashes == findings.hangs == findings.large == []
