from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.photo.attacks import DATA
from vision.photo.heif import av1_sizes, hevc_parameter_sets, hevc_size, read_items


def content(data: bytes) -> bytes:
    items = read_items(data, "AVIF")
    ((start, length),) = items[items.primary].extents
    return data[start : start + length]


@pytest.mark.parametrize("size", [(64, 48), (65, 3), (1000, 30)])
def test_size_in_an_av1_sequence_header(size: tuple[int, int]) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", size).save(buffer, "AVIF", speed=10)
    assert list(av1_sizes(content(buffer.getvalue()))) == [(*size, 8)]


@pytest.mark.parametrize("bits", [10, 12])
def test_bits_in_an_av1_sequence_header(bits: int) -> None:
    options = [cv2.IMWRITE_AVIF_DEPTH, bits, cv2.IMWRITE_AVIF_SPEED, 10]
    written, coded = cv2.imencode(".avif", np.zeros((48, 64, 3), np.uint16), options)
    assert written
    assert list(av1_sizes(content(coded.tobytes()))) == [(64, 48, bits)]


def test_a_header_for_films_counts_as_large_as_a_frame_may_be() -> None:
    buffer = io.BytesIO()
    frames = [Image.new("RGB", (64, 48), "red")]
    Image.new("RGB", (64, 48)).save(
        buffer, "AVIF", speed=10, save_all=True, append_images=frames, duration=40
    )
    ((width, height, _),) = av1_sizes(content(buffer.getvalue()))
    assert (width, height) == (64, 64)


def test_size_in_an_hevc_parameter_set() -> None:
    items = read_items((DATA / "red_left_blue_right.heic").read_bytes(), "HEIF")
    configuration = items[items.primary].property(b"hvcC")
    assert configuration is not None
    ((width, height, bits),) = map(hevc_size, hevc_parameter_sets(configuration))
    assert width >= 64
    assert height >= 48
    assert width * height < 2 * 64 * 48
    assert bits == 8


def test_broken_units_end_somewhere() -> None:
    rng = np.random.default_rng(5)
    for length in range(200):
        data = rng.bytes(length)
        assert len(list(av1_sizes(data))) <= length
        assert all(min(hevc_size(unit)) >= 0 for unit in hevc_parameter_sets(data))
        assert min(hevc_size(data)) >= 0
