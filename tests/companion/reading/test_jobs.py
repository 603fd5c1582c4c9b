"""Reading jobs: in this process, in workers, on Dask; what is refused, and why."""

from __future__ import annotations

import errno
import json
import math
import os
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import vision
from companion.languages import Language
from companion.reading import jobs as reading_jobs
from companion.reading.decoding import (
    Costly,
    decode_isolated,
    error_from_plain,
    error_to_plain,
)
from companion.reading.jobs import (
    Job,
    Outcome,
    error_record,
    outcome_of,
    photo_message,
    read_and_draw,
    read_isolated,
    read_job_isolated,
    read_photo,
    read_photos,
    worker_count,
)
from companion.reading.kingdomino import KINGDOMS, read_frame_isolated
from companion.reading.pip_dominoes import HANDS, read_hand_isolated
from companion.reading.pool import PoolSettings, WorkerPool
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.refit import sample_folder
from vision.kingdomino.result import PhotoReading
from vision.photo.errors import PhotoError
from vision.photo.headers import READ_FORMATS

SAMPLE = str(sample_folder() / "begun.jpg")
DEADLY = replace(KINGDOMS, task="tests.companion.reading.deadly_task")


def test_a_refusal_comes_back() -> None:
    error = PhotoError("too_small", width=3, height=4, reason=OSError("x"))
    back = error_from_plain(json.loads(json.dumps(error_to_plain(error))))
    assert back.code == "too_small"
    assert back.details == {"width": 3, "height": 4, "reason": "x"}


def test_a_worker_reads_just_what_this_process_reads(tmp_path: Path) -> None:
    with WorkerPool(KINGDOMS.task, PoolSettings(workers=1)) as pool:
        here = vision.read_kingdoms(SAMPLE)
        assert read_job_isolated(Job(SAMPLE), pool, KINGDOMS).reading == here
        missing = read_job_isolated(Job(str(tmp_path / "no.jpg")), pool, KINGDOMS)
        assert missing.refusal.code == "missing_file"


@pytest.mark.slow
def test_a_run_goes_on_over_a_photo_that_kills_its_worker() -> None:
    jobs = [Job(SAMPLE), Job("deadly.jpg"), Job(SAMPLE)]
    outcomes = list(read_isolated(jobs, DEADLY, workers=2))
    codes = {(each.photo, each.error.code if each.error else None) for each in outcomes}
    assert len(outcomes) == 3
    assert codes == {(SAMPLE, None), ("deadly.jpg", "crashed")}


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[WorkerPool]]:
    made: list[WorkerPool] = []

    def kept(task: str, settings: PoolSettings) -> WorkerPool:
        made.append(WorkerPool(task, settings))
        return made[-1]

    monkeypatch.setattr(reading_jobs, "WorkerPool", kept)
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
    assert pools[0].settings == PoolSettings(workers=2)
    running.close()  # type: ignore[attr-defined]
    assert pools[0].processes() == []
    assert read_job_isolated(Job("a.jpg"), pools[0], DEADLY).refusal.code == "crashed"


def test_one_photo_is_read_here_and_more_by_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []

    def isolated(jobs: list[Job], _: object, workers: int) -> Iterator[Outcome[PhotoReading]]:
        asked.append((len(jobs), workers))
        return iter(())

    monkeypatch.setattr(reading_jobs, "read_isolated", isolated)
    missing = Job("no such file.jpg")
    assert [each.refusal.code for each in read_photos([missing], KINGDOMS)] == ["missing_file"]
    assert asked == []
    assert list(read_photos([missing, missing], KINGDOMS, 3)) == []
    assert asked == [(2, 3)]


def written(size: tuple[int, int], picture_format: str) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", size, "white").save(buffer, picture_format)
    return buffer.getvalue()


def test_what_may_take_long_is_left_where_only_the_ordinary_is_asked_for() -> None:
    ordinary, costly = written((64, 48), "JPEG"), written((64, 48), "WEBP")
    assert decode_isolated(ordinary, only_ordinary=True).width == 64
    assert decode_isolated(costly).width == 64
    with pytest.raises(Costly):
        decode_isolated(costly, only_ordinary=True)


def test_a_worker_is_told_the_photo_its_options_and_the_form_of_the_drawing(
    tmp_path: Path,
) -> None:
    reader = KINGDOMS.with_options(giants=True)
    photo = tmp_path / "a.png"
    photo.write_bytes(written((64, 48), "PNG"))
    for drawing, form in (("b.jpg", "JPEG"), ("b.PNG", "PNG"), (None, None)):
        told = {"options": {"giants": True}, "photo": str(photo), "draw": form}
        assert reader.task_of(Job(str(photo), drawing)) == ({**told, "sent": False}, b"")
        sent = reader.task_of(Job(str(photo), drawing), sends=True)
        assert sent == ({**told, "sent": True}, photo.read_bytes())
    with pytest.raises(PhotoError, match="missing_file"):
        reader.task_of(Job(str(tmp_path / "none.png")), sends=True)


def test_a_process_is_made_ready_by_a_grey_picture_unless_the_game_knows_better() -> None:
    seen: list[object] = []

    def read(source: np.ndarray[Any, np.dtype[np.uint8]]) -> PhotoReading:
        seen.append((source.shape, source.dtype, np.unique(source).tolist()))
        raise PhotoError("no_kingdom")

    replace(KINGDOMS, read=read).warm_up()
    assert seen == [((480, 640, 3), np.uint8, [128])]
    replace(KINGDOMS, read=read, first_run=lambda: seen.append("by itself")).warm_up()
    assert seen[1:] == ["by itself"]


def test_what_is_known_of_a_photo_goes_to_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, dict[str, Any], bytes]] = []
    of_game = {KINGDOMS.task: KINGDOMS.codec.to_plain(photo_reading(kingdom_reading("w1 w c")))}

    def ask(
        task: str, record: dict[str, Any], photo: bytes, **how: object
    ) -> tuple[dict[str, Any], bytes]:
        asked.append((task, record, photo))
        return {
            "reading": of_game.get(
                task, {"dominoes": [], "set": 9, "warnings": [], "width": 4, "height": 3}
            )
        }, b""

    monkeypatch.setattr(reading_jobs, "ask_worker", ask)
    corners = ((0.0, 1.0), (2.0, 1.0), (2.0, 3.0), (0.0, 3.0))
    read_frame_isolated(b"a", corners, (1, 3), (40, 30), giants=True)
    frame = {"corners": [list(each) for each in corners], "grid": [1, 3], "size": [40, 30]}
    assert asked[0] == (KINGDOMS.task, {"options": {"giants": True, "frame": frame}}, b"a")
    read_hand_isolated(b"b", 9)
    assert asked[1] == (HANDS.task, {"options": {"highest": 9}}, b"b")


def test_outcomes_are_a_reading_or_a_refusal() -> None:
    with pytest.raises(ValueError, match="either a reading or an error"):
        Outcome("a.jpg")
    with pytest.raises(ValueError, match="either a reading or an error"):
        Outcome("a.jpg", photo_reading(), PhotoError("truncated"))
    with pytest.raises(ValueError, match=r"a\.jpg was read"):
        _ = Outcome("a.jpg", photo_reading()).refusal


@pytest.mark.parametrize(
    ("photos", "jobs", "workers"),
    [(1, None, 1), (7, None, 1), (15, None, 1), (1000, 3, 3), (2, 8, 2), (0, None, 1), (0, 4, 1)],
)
def test_workers_are_started_where_they_are_worth_it(
    photos: int, jobs: int | None, workers: int
) -> None:
    assert worker_count(photos, jobs) == workers


def test_a_photo_that_fails_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(source: bytes | str, **how: bool) -> PhotoReading:
        if source == "cut.jpg":
            raise PhotoError("truncated", format="JPEG")
        if source == "fault.jpg":
            raise ZeroDivisionError
        return photo_reading(kingdom_reading("w1 w c"))

    monkeypatch.setattr(vision, "read_kingdoms", read)
    monkeypatch.setattr(reading_jobs, "PHOTOS_READ_HERE", 10)
    jobs = [Job(name) for name in ("a.jpg", "cut.jpg", "fault.jpg", "b.jpg")]
    outcomes = list(read_photos(jobs, KINGDOMS))
    assert [outcome.photo for outcome in outcomes] == [job.photo for job in jobs]
    codes = [outcome.error.code if outcome.error else None for outcome in outcomes]
    assert codes == [None, "truncated", "unexpected", None]
    assert [bool(outcome.trace) for outcome in outcomes] == [False, False, True, False]
    assert read_and_draw("a", "a.jpg", None, KINGDOMS) == (replace(outcomes[0], photo="a"), b"")
    assert "ZeroDivisionError" in outcomes[2].trace


NAMED: dict[str, Any] = {"options": {}, "photo": "a.jpg", "draw": None, "sent": False}


def test_too_little_memory_is_a_refusal_where_nobody_tries_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(source: bytes | str, **how: bool) -> PhotoReading:
        raise MemoryError

    monkeypatch.setattr(vision, "read_kingdoms", read)
    (here,) = read_photos([Job("a.jpg")], KINGDOMS)
    assert here.refusal.code == "too_complex"
    with pytest.raises(MemoryError):  # The worker ends with it, and another one tries.
        KINGDOMS.carry_out(dict(NAMED), b"")


def test_a_reading_that_cannot_be_sent_costs_only_its_photo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endless = replace(photo_reading(kingdom_reading("w1 w c")), seconds={"decode": math.inf})
    monkeypatch.setattr(vision, "read_kingdoms", lambda source, **how: endless)
    outcome = outcome_of(Job("a.jpg"), *KINGDOMS.carry_out(dict(NAMED), b""), KINGDOMS)
    assert outcome.refusal.code == "unexpected"
    assert outcome.refusal.details == {"fault": "ValueError"}
    assert "ValueError" in outcome.trace


def _missing_photos(folder: Path) -> list[Job]:
    return [Job(str(folder / f"{number}.jpg")) for number in range(6)]


def _codes(outcomes: list[Outcome[PhotoReading]]) -> list[tuple[str, str]]:
    return [(Path(outcome.photo).name, outcome.refusal.code) for outcome in outcomes]


@pytest.mark.slow
def test_processes_give_the_same(tmp_path: Path) -> None:
    jobs = _missing_photos(tmp_path)
    (tmp_path / "3.jpg").write_bytes(b"")
    alone = [code for job in jobs for code in _codes(list(read_photos([job], KINGDOMS)))]
    assert ("3.jpg", "empty_file") in alone
    assert ("4.jpg", "missing_file") in alone
    assert sorted(_codes(list(read_photos(jobs, KINGDOMS, workers=2)))) == alone


@pytest.fixture
def photo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture, and a reader that takes any for a kingdom."""
    monkeypatch.setattr(
        vision, "read_kingdoms", lambda source, **how: photo_reading(kingdom_reading("w1 w c"))
    )
    path = tmp_path / "table.png"
    Image.fromarray(np.full((480, 640, 3), 127, np.uint8)).save(path)
    return path


def test_a_drawing_replaces_nothing_unasked(photo: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.jpg"
    there.write_bytes(b"the only copy")
    kept = read_photo(Job(str(photo), str(there)), KINGDOMS)
    assert kept.reading is not None
    assert kept.not_drawn == os.strerror(errno.EEXIST)
    assert there.read_bytes() == b"the only copy"
    assert read_photo(Job(str(photo), str(there), overwrite=True), KINGDOMS).not_drawn == ""
    assert there.read_bytes()[:2] == b"\xff\xd8"
    assert {path.name for path in tmp_path.iterdir()} == {"table.png", "there.jpg"}


def test_a_drawing_that_cannot_be_written_leaves_nothing_behind(
    photo: Path, tmp_path: Path
) -> None:
    (tmp_path / "there.jpg").mkdir()
    for overwrite in (False, True):
        outcome = read_photo(Job(str(photo), str(tmp_path / "there.jpg"), overwrite), KINGDOMS)
        assert outcome.reading is not None
        assert (outcome.drawing, bool(outcome.not_drawn)) == (str(tmp_path / "there.jpg"), True)
    assert {path.name for path in tmp_path.iterdir()} == {"table.png", "there.jpg"}


def test_a_drawing_that_replaces_keeps_the_link(photo: Path, tmp_path: Path) -> None:
    there, link = tmp_path / "there.jpg", tmp_path / "link.jpg"
    there.write_bytes(b"old")
    link.symlink_to(there)
    assert read_photo(Job(str(photo), str(link), overwrite=True), KINGDOMS).not_drawn == ""
    assert link.is_symlink()
    assert there.read_bytes()[:2] == b"\xff\xd8"


def test_a_drawing_with_a_name_too_long_is_told(photo: Path, tmp_path: Path) -> None:
    job = Job(str(photo), str(tmp_path / ("x" * 300 + ".jpg")))
    outcome = read_photo(job, KINGDOMS)
    assert outcome.reading is not None
    assert "too long" in outcome.not_drawn


@pytest.mark.parametrize("language", Language)
def test_a_refusal_fills_in_its_details(language: Language) -> None:
    message = photo_message(PhotoError("unexpected", fault="ZeroDivisionError"), language)
    assert "ZeroDivisionError" in message
    formats = photo_message(PhotoError("unsupported_format", format="TGA"), language)
    assert ", ".join(READ_FORMATS) in formats


@pytest.mark.parametrize("language", Language)
def test_the_line_of_a_refused_photo(language: Language) -> None:
    record = error_record("table.jpg", PhotoError("empty_file"), language)
    assert list(record) == ["photo", "error"]
    assert record["error"]["code"] == "empty_file"
    assert record["error"]["message"].startswith(
        {Language.ENGLISH: "The file is empty.", Language.GERMAN: "Die Datei ist leer."}[language]
    )
