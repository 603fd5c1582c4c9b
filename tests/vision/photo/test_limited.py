"""What is no ordinary JPEG or PNG is decoded in a process that the system limits."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.vision.photo.attacks import ATTACKS, avif_of_frames, webp_of_huffman_groups
from vision.photo import PhotoError, PhotoSettings, decode, decoding, unpack
from vision.photo.decoding import understood

limits_memory = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is limited on Linux"
)
limits_time = pytest.mark.skipif(os.name == "nt", reason="Windows limits no seconds")


def saved(name: str, mode: str = "RGB", **options: object) -> bytes:
    noise = np.random.default_rng(2).integers(0, 256, (90, 120, 4), np.uint8)
    picture = Image.fromarray(noise).resize((480, 360)).convert(mode)
    buffer = io.BytesIO()
    picture.save(buffer, name, **options)
    return buffer.getvalue()


def refusal(data: bytes, settings: PhotoSettings | None = None) -> PhotoError:
    with pytest.raises(PhotoError) as refused:
        decode(data, settings)
    return refused.value


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that decoding has started."""
    processes: list[subprocess.Popen[bytes]] = []

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **options)
            processes.append(self)

    monkeypatch.setattr(decoding.subprocess, "Popen", Counted)  # type: ignore[attr-defined]
    return processes


@pytest.mark.parametrize(
    ("name", "mode", "options", "processes"),
    [
        ("JPEG", "RGB", {}, 0),
        ("JPEG", "RGB", {"progressive": True}, 0),
        ("PNG", "RGBA", {}, 0),
        ("WEBP", "RGB", {}, 1),
        ("GIF", "RGB", {}, 1),
        ("AVIF", "RGB", {}, 1),
        ("BMP", "RGB", {}, 1),
    ],
)
def test_only_ordinary_jpegs_and_pngs_are_decoded_here(
    name: str,
    mode: str,
    options: dict[str, object],
    processes: int,
    started: list[subprocess.Popen[bytes]],
) -> None:
    data = saved(name, mode, **options)
    assert decode(data).width == 480
    assert len(started) == processes
    assert all(process.returncode == 0 for process in started)
    one_pixel_too_many = PhotoSettings(ordinary_bytes=0)
    assert decode(data, one_pixel_too_many).width == 480
    assert len(started) == processes + 1


@pytest.mark.parametrize("target_px", [1600, 100])
@pytest.mark.parametrize(
    ("name", "mode", "options"),
    [
        ("JPEG", "RGB", {}),
        ("JPEG", "CMYK", {"progressive": True}),
        ("PNG", "RGBA", {}),
        ("PNG", "P", {}),
        ("PNG", "I;16", {}),
    ],
)
def test_both_ways_give_the_same_pixels(
    name: str, mode: str, options: dict[str, object], target_px: int
) -> None:
    data = saved(name, mode, **options) if mode != "I;16" else saved_in_16_bits()
    settings = PhotoSettings(target_long_side_px=target_px)
    here, there = (decode(data, each) for each in (settings, replace(settings, ordinary_s=0)))
    np.testing.assert_array_equal(here.rgb, there.rgb)
    assert (here.width, here.height) == (there.width, there.height)


def saved_in_16_bits() -> bytes:
    buffer = io.BytesIO()
    grey = np.random.default_rng(3).integers(0, 65_536, (360, 480), np.uint16)
    Image.fromarray(grey).save(buffer, "PNG")
    return buffer.getvalue()


@limits_time
def test_the_system_ends_what_takes_too_long() -> None:
    started = time.monotonic()
    error = refusal(avif_of_frames(300, (640, 480)), PhotoSettings(max_decoding_s=0.01))
    assert error.code == "too_complex"
    assert time.monotonic() - started < 10


def test_nobody_waits_for_ever_for_a_decoder(
    started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock: one that waits itself takes no seconds of the processor."""
    limits = unpack.Limits(1600, 24, 30_000, 400_000_000, 5.0)
    assert decoding.unpack_limited(saved("WEBP"), "WEBP", limits).size == (480, 360)
    monkeypatch.setattr(decoding, "_MOST_WAITING_S", -5 * limits.max_s)
    with pytest.raises(PhotoError, match="too_complex"):
        decoding.unpack_limited(saved("WEBP"), "WEBP", limits)
    assert [process.poll() is not None for process in started] == [True, True]


@limits_memory
def test_the_system_gives_no_more_memory() -> None:
    assert refusal(webp_of_huffman_groups()).code == "truncated"
    plenty = PhotoSettings(max_decoding_bytes=2_000_000_000)
    assert decode(webp_of_huffman_groups(), plenty).width == 960
    attack, _ = ATTACKS["AVIF, 41 megapixels of 12 bits with alpha"]
    assert refusal(attack()).code == "too_many_pixels"


@limits_memory
def test_what_the_program_holds_already_is_not_taken_from_the_picture() -> None:
    program = (
        "import sys, runpy\n"
        f"unpack = runpy.run_path({unpack.__file__!r})\n"
        "held = bytearray(64_000_000)\n"
        "unpack['limit'](unpack['Limits'](1600, 24, 30_000, 50_000_000, 20.0))\n"
        "for wanted in (40_000_000, 60_000_000):\n"
        "    try: print(len(bytearray(wanted)))\n"
        "    except MemoryError: print('no more')\n"
    )
    command = [sys.executable, "-P", "-c", program]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.split("\n")[:2] == ["40000000", "no more"]


def test_a_decoder_that_falls_over_costs_the_picture_only() -> None:
    for code, answer in ((-11, b""), (-11, b'{"size"'), (0, b""), (1, b"{}\n")):
        with pytest.raises(PhotoError, match="too_complex"):
            understood(code, answer, "AVIF")


def test_no_process_outlives_the_answer(started: list[subprocess.Popen[bytes]]) -> None:
    refusal(saved("WEBP")[:-900])
    decode(saved("WEBP"))
    assert [process.poll() is not None for process in started] == [True, True]


def test_the_program_loads_nothing_of_the_project() -> None:
    """It would take seconds to start, and hold what a decoder must not reach."""
    program = (
        "import sys, runpy\n"
        f"runpy.run_path({unpack.__file__!r})\n"
        "print([name for name in ('vision', 'numpy', 'cv2') if name in sys.modules])\n"
    )
    command = [sys.executable, "-P", "-c", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
