from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tests.fuzz.__main__ import main
from tests.fuzz.mutate import MAX_BYTES, STRUCTURES, mutated
from tests.fuzz.run import BATCH, LIMITS, Findings, run_cases
from tests.fuzz.seeds import large_seeds, seeds
from tests.fuzz.structure import join, split
from tests.vision.photo.attacks import CodedHeif, heif_of_tiles, picture_of
from vision.photo import decode
from vision.photo.headers import READ_FORMATS, picture_format

FORMATS = sorted(READ_FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_seeds_are_read_and_come_together_from_their_parts(name: str) -> None:
    for data in seeds()[name]:
        assert join(split(data, name), name) == data
        assert len(split(data, name)) >= 2
    # The last bitmap says to have run lengths.
    for data in seeds()[name][: -1 if name == "BMP" else None]:
        assert min(decode(data).rgb.shape[:2]) >= 24


@pytest.mark.slow
def test_the_same_seed_gives_the_same_case() -> None:
    assert [mutated(seed) for seed in range(20)] == [mutated(seed) for seed in range(20)]


@pytest.mark.slow
def test_mutations_reach_every_format_and_beyond_its_first_bytes() -> None:
    """A fuzzer whose cases were all refused at the door would find nothing."""
    findings = run_cases(first=1, count=8 * BATCH)
    assert findings.all_well
    for name in FORMATS:
        assert findings.outcomes[name, "read"] + findings.outcomes[name, "truncated"] >= 10, name
        assert findings.outcomes[name, "read"] >= 1, name


@pytest.mark.slow
def test_mutated_pictures_stay_within_the_limits() -> None:
    """At most a minute of `python -m tests.fuzz`, with a fixed seed."""
    findings = run_cases(first=20_261_121_000, count=2000, seconds=60)
    assert findings.cases >= 5 * BATCH
    assert findings.crashes == findings.hangs == findings.large == []


@pytest.mark.slow
def test_a_run_that_was_interrupted_is_gone_on_with(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    first = run_cases(first=5, count=BATCH, keep=kept)
    assert first.cases == BATCH
    both = run_cases(first=5, count=2 * BATCH, keep=kept)
    assert both.cases == 2 * BATCH
    assert both.seconds > first.seconds
    assert both.outcomes == run_cases(first=5, count=2 * BATCH).outcomes
    with pytest.raises(ValueError, match="expected a run from 6 on"):
        run_cases(first=6, count=BATCH, keep=kept)


def test_a_hang_is_judged_by_the_processor_and_not_by_the_clock() -> None:
    """Others may have the machine to themselves for a while."""
    assert LIMITS.max_core_s <= 60 < LIMITS.max_task_s
    findings = Findings()
    findings.add(1, "PNG", "read", 2.1, 100, 0)
    findings.add(2, "PNG", "took_too_long", 0.0, 0, 0)
    findings.add(3, "PNG", "crashed", 0.0, 0, 0)
    findings.add(4, "PNG", "read", 1.9, 501, 0)
    findings.add(5, "PNG", "memory", 0.0, 0, 0)
    findings.add(6, "HEIF", "decoder_fell", 0.0, 0, 0)
    found = (findings.hangs, findings.crashes, findings.large, findings.fell)
    assert found == ([1, 2], [3], [4, 5], [6])


@pytest.mark.parametrize("number", range(len(STRUCTURES)))
def test_what_is_built_is_a_picture_and_another_for_each_seed(number: int) -> None:
    name, build = STRUCTURES[number]
    made = [build(Random(seed)) for seed in range(3)]
    assert {picture_format(data) for data in made} == {name}
    assert all(len(data) <= MAX_BYTES for data in made)
    assert len(set(made)) == 3


def test_what_is_built_of_heif_is_decoded() -> None:
    """Else nothing built of it would reach what costs time behind the boxes."""
    coded = CodedHeif()
    assert decode(heif_of_tiles(coded, 3, 2)).rgb.shape == (128, 192, 3)
    alone = decode(picture_of(coded, coded.units)).rgb
    np.testing.assert_array_equal(decode(heif_of_tiles(coded, 1, 1)).rgb, alone)
    assert alone[32, 8:56:47, 0].tolist() != alone[32, 8:56:47, 2].tolist()


def test_what_is_dear_for_its_bytes_is_seen() -> None:
    findings = Findings()
    findings.add(1, "PNG", "read", 0.5, 100, 1_000_000)
    findings.add(2, "PNG", "read", 0.1, 100, 20_000)
    assert findings.dearest == {"PNG": 5.0}


def test_runs_over_different_cases_add_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = Findings(seconds=3.0), Findings(seconds=4.0)
    one.add(1, "PNG", "read", 0.5, 100, 1_000_000)
    one.add(2, "HEIF", "decoder_fell", 0.1, 90, 1_000_000)
    two.add(11, "PNG", "crashed", 0.25, 120, 1_000_000)
    one.keep(tmp_path / "one.json", 1)
    two.keep(tmp_path / "two.json", 11)
    assert (one + two).seconds == 7.0
    paths = [str(tmp_path / name) for name in ("one.json", "two.json")]
    assert main(["--sum", *paths]) == 1
    table = capsys.readouterr().out
    assert "# 3 mutated pictures" in table
    assert "--first 1 --cases 2` and `python -m tests.fuzz --first 11 --cases 1`, 7 s" in table
    assert "| PNG | 2 | 1 | 0 |" in table
    assert "| HEIF | 1 | 0 | 1 |" in table
    assert "| 0.50 | 0.5 | 120 |" in table
    assert "Seeds (crashes): [11]" in table
    assert "Seeds (decoder fell): [2]" in table


@pytest.mark.slow
def test_large_pictures_are_read_before_they_are_changed() -> None:
    for name, pictures in large_seeds().items():
        for data in pictures:
            assert decode(data).width >= 1000, name
