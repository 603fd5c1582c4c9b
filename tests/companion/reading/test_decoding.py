"""The workers that everybody shares: how many, what they are asked, and what their answers mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.reading import decoding, worker
from companion.reading.decoding import (
    DECODING,
    Costly,
    ask_worker,
    decode_isolated,
    memory_bytes,
    pool_settings,
    read_or_refuse,
    refused_or,
)
from companion.reading.jobs import Job, fetched, is_address, pictures_below
from companion.reading.kingdomino import KINGDOMS
from companion.reading.pool import PoolSettings, WorkerDied
from vision.photo import PhotoError, PhotoSettings


class Asked:
    """A pool that answers one thing, and keeps what it was asked."""

    def __init__(self, answer: dict[str, Any], block: bytes = b"") -> None:
        self.answer, self.block = answer, block
        self.tasks: list[tuple[dict[str, Any], bytes]] = []

    def carry_out(self, record: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
        self.tasks.append((record, block))
        if "died" in self.answer:
            raise WorkerDied(self.answer["died"])
        return self.answer, self.block


def test_a_small_computer_has_one_worker_that_takes_a_third_of_it() -> None:
    assert pool_settings(None) == pool_settings(1_500_000_000) == PoolSettings(workers=2)
    small = PoolSettings(workers=1, max_task_bytes=499_999_999)
    assert pool_settings(1_499_999_999) == small


def test_the_memory_is_the_least_that_anybody_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    container, older = tmp_path / "memory.max", tmp_path / "older"
    monkeypatch.setattr(decoding, "_LIMITS", (str(container), str(older)))
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.__getitem__)
    assert memory_bytes() == 4_096_000
    container.write_text("max\n", encoding="ascii")
    older.write_text("4000000\n", encoding="ascii")
    assert memory_bytes() == 4_000_000
    container.write_text("3000000\n", encoding="ascii")
    assert memory_bytes() == 3_000_000

    def unknown(_: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr(os, "sysconf", unknown)
    monkeypatch.setattr(decoding, "_LIMITS", ())
    assert memory_bytes() is None


def test_the_task_goes_with_what_is_asked_and_an_error_comes_back_whole() -> None:
    pool = Asked({"reading": 1}, b"block")
    assert ask_worker("some.task", {"a": 1}, b"photo", pool=pool) == ({"reading": 1}, b"block")  # type: ignore[arg-type]
    assert pool.tasks == [({"a": 1, "task": "some.task"}, b"photo")]
    error = {"code": "too_small", "details": {"width": 3}}
    for answer, expected in (
        ({"error": error}, ("too_small", {"width": 3})),
        ({"died": "took_too_long"}, ("took_too_long", {})),
    ):
        with pytest.raises(PhotoError) as refused:
            ask_worker("some.task", {}, b"", pool=Asked(answer))  # type: ignore[arg-type]
        assert (refused.value.code, refused.value.details) == expected


def test_a_photo_is_decoded_by_the_shared_workers_at_the_size_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rgb = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    pool = Asked({"shape": [3, 4, 3], "size": [40, 30]}, rgb.tobytes())
    monkeypatch.setattr(decoding, "shared_pool", lambda: pool)
    photo = decode_isolated(b"photo", PhotoSettings(target_long_side_px=77))
    np.testing.assert_array_equal(photo.rgb, rgb)
    assert (photo.width, photo.height) == (40, 30)
    asked = {"long_side_px": 77, "only_ordinary": False, "task": DECODING}
    assert pool.tasks == [(asked, b"photo")]
    pool.answer = {"costly": True}
    with pytest.raises(Costly):
        decode_isolated(b"photo", only_ordinary=True)
    asked = {"long_side_px": 1600, "only_ordinary": True, "task": DECODING}
    assert pool.tasks[1] == (asked, b"photo")


def test_a_worker_that_decodes_has_loaded_the_decoder_of_jpegs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bytes] = []

    def broken(data: bytes) -> None:
        asked.append(data)
        raise PhotoError("truncated")

    monkeypatch.setattr(decoding, "decode", broken)
    decoding.warm_up()
    assert asked == [b"\xff\xd8\xff"]


def test_the_workers_that_everybody_shares_end_with_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_exit: list[object] = []
    monkeypatch.setattr("atexit.register", at_exit.append)
    monkeypatch.setattr(decoding, "memory_bytes", lambda: 900_000_000)
    pool = decoding.shared_pool.__wrapped__()
    assert (pool.module, pool.settings) == (DECODING, pool_settings(900_000_000))
    assert at_exit == [pool.close]


def picture(size: tuple[int, int], form: str) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", size, "red").save(buffer, form)
    return buffer.getvalue()


def test_a_worker_answers_with_the_pixels_or_that_they_would_take_long() -> None:
    task = {"long_side_px": 40, "only_ordinary": True}
    answer, pixels = decoding.carry_out(task, picture((160, 120), "JPEG"))
    assert answer == {"shape": [30, 40, 3], "size": [160, 120]}
    assert len(pixels) == 30 * 40 * 3
    assert decoding.carry_out(task, picture((64, 48), "BMP")) == ({"costly": True}, b"")
    answer, pixels = decoding.carry_out(task, b"no picture")
    assert (answer["error"]["code"], pixels) == ("not_a_picture", b"")


def raising(error: Exception) -> Callable[..., Any]:
    def call(*_: object, **__: object) -> Any:
        raise error

    return call


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (PhotoError("truncated"), "truncated"),
        (MemoryError(), MemoryError),
        (RuntimeError("Failed to allocate memory for requested buffer"), MemoryError),
        (RuntimeError("bad alloc"), MemoryError),
        (KeyError("x"), "unexpected"),
    ],
)
def test_a_fault_of_the_program_is_told_as_such_and_want_of_memory_is_none(
    error: Exception, expected: object, capsys: pytest.CaptureFixture[str]
) -> None:
    if expected is MemoryError:
        with pytest.raises(MemoryError):
            read_or_refuse(b"", raising(error))
        return
    with pytest.raises(PhotoError) as refused:
        read_or_refuse(b"", raising(error))
    assert refused.value.code == expected
    answer, block = refused_or(raising(error))
    assert (answer["error"]["code"], block) == (expected, b"")
    # The stack of a fault is told where the worker was started.
    assert bool(capsys.readouterr().err) == (expected == "unexpected")
    if expected == "unexpected":
        assert answer["error"]["details"] == {"fault": "KeyError"}


class System:
    """Limits as the module ``resource`` keeps them: soft and hard."""

    RLIM_INFINITY, RLIMIT_DATA, RLIMIT_CPU, RUSAGE_SELF = -1, 1, 2, 0

    def __init__(self, hard: int) -> None:
        self.hard = hard
        self.limits: dict[int, tuple[int, int]] = {}

    def getrlimit(self, which: int) -> tuple[int, int]:
        return self.limits.get(which, (self.hard, self.hard))

    def setrlimit(self, which: int, limits: tuple[int, int]) -> None:
        self.limits[which] = limits

    def getrusage(self, _: int) -> Any:
        return type("Usage", (), {"ru_utime": 1.25, "ru_stime": 0.5})


@pytest.mark.parametrize(
    ("hard", "data", "seconds"),
    [(-1, (1500, -1), (12, -1)), (2000, (1500, 2000), (12, 2000)), (12, None, None)],
)
def test_a_worker_sets_its_limits_beyond_what_it_has_taken_and_within_those_of_the_system(
    hard: int, data: object, seconds: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = System(hard)
    monkeypatch.setitem(sys.modules, "resource", system)
    monkeypatch.setattr(worker, "_held_bytes", lambda: 1000)
    worker._limit_memory(500)
    worker._limit_time(10.0)
    assert system.limits.get(System.RLIMIT_DATA) == data
    assert system.limits.get(System.RLIMIT_CPU) == seconds
    worker._limit_memory(None)
    assert system.getrlimit(System.RLIMIT_DATA) == (hard, hard)
    monkeypatch.setattr(worker, "_held_bytes", lambda: 0)
    before = dict(system.limits)
    worker._limit_memory(7)
    assert system.limits == before


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("s3://bucket/a.jpg", True),
        ("FILE:///a.jpg", True),
        ("abfs+x.y-z://a", True),
        ("c://a.jpg", False),
        ("C:\\a.jpg", False),
        ("/a/s3://b.jpg", False),
        ("a.jpg", False),
    ],
)
def test_what_is_an_address_and_what_a_path(name: str, address: bool) -> None:
    assert is_address(name) is address


def test_photos_behind_an_address() -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in ("b.JPG", "a.png", "notes.txt"):
        memory.pipe(f"/evening/{name}", b"12345")
    memory.makedirs("/evening/c.jpg/inside")
    assert fetched("memory://evening/a.png") == b"12345"
    settings = PhotoSettings(max_file_bytes=5)
    assert fetched("memory://evening/a.png", settings) == b"12345"
    with pytest.raises(PhotoError, match="too_many_bytes") as refused:
        fetched("memory://evening/a.png", PhotoSettings(max_file_bytes=4))
    assert refused.value.details == {"limit": 4}
    record, sent = KINGDOMS.task_of(Job("memory://evening/a.png"), sends=True)
    assert (record["photo"], record["sent"], sent) == ("memory://evening/a.png", True, b"12345")
    found = pictures_below("memory://evening", {".jpg", ".png"})
    assert found == ["memory:///evening/a.png", "memory:///evening/b.JPG"]
    assert pictures_below("memory://evening/a.png", {".png"}) == []
    assert pictures_below("nothing://evening", {".png"}) == []


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (FileNotFoundError(), "missing_file", None),
        (PermissionError(), "not_permitted", None),
        (OSError("no route"), "not_readable", "OSError: no route"),
        (KeyError("bucket"), "not_readable", "KeyError: 'bucket'"),
    ],
)
def test_why_nothing_came_from_an_address(
    error: Exception, code: str, reason: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setattr(fsspec, "open", raising(error))
    with pytest.raises(PhotoError) as refused:
        fetched("s3://bucket/a.jpg")
    assert refused.value.code == code
    expected: dict[str, object] = {"path": "s3://bucket/a.jpg"}
    assert refused.value.details == expected | ({"reason": reason} if reason else {})
