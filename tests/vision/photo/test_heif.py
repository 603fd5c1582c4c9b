"""The headers of HEIF and AVIF."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.vision.photo.attacks import DATA, lying_avif
from vision.photo.errors import PhotoError
from vision.photo.heif import (
    av1_sizes,
    avif_header,
    heif_header,
    hevc_parameter_sets,
    hevc_size,
    read_items,
)

HEIC = Path(DATA) / "red_left_blue_right.heic"


def avif(mode: str = "RGB", size: tuple[int, int] = (64, 48), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, "AVIF", speed=10, **options)
    return buffer.getvalue()


def test_items_of_a_file() -> None:
    items = read_items(avif("RGBA"), "AVIF")
    primary = items[items.primary]
    (alpha,) = (item for item in items.items.values() if item.auxiliary_of)
    assert primary.kind == alpha.kind == b"av01"
    assert alpha.auxiliary_of == [items.primary]
    assert primary.property(b"ispe") == struct.pack(">III", 0, 64, 48)
    assert primary.extents[0][1] > 10


def test_size_and_what_takes_more_memory() -> None:
    plain, clear = avif_header(avif()), avif_header(avif("RGBA"))
    assert (plain.width, plain.height) == (64, 48)
    assert clear.decoding_bytes > 1.4 * plain.decoding_bytes
    heic = heif_header(HEIC.read_bytes())
    assert (heic.width, heic.height) == (64, 64)  # Of which 48 rows are shown.


def test_what_is_coded_counts_and_not_what_is_said() -> None:
    header = avif_header(lying_avif())
    assert (header.width, header.height) == (64, 64)
    assert header.decoding_bytes > 16_384 * 16_384 * 10
    assert header.decoding_s > 6
    heic = HEIC.read_bytes()
    at = heic.index(b"ispe") + 8
    small = heif_header(heic[:at] + struct.pack(">II", 24, 24) + heic[at + 8 :])
    assert small.decoding_bytes >= 7 * 64 * 48


def test_deep_colours_are_seen_in_the_coding() -> None:
    deep = avif_header((DATA / "41_megapixels_12_bit_alpha.avif").read_bytes())
    assert deep.decoding_bytes / (deep.width * deep.height) == pytest.approx(21)


def test_a_tile_counts_each_time_it_is_laid() -> None:
    """A grid may name one large tile thousands of times."""
    data = avif(size=(640, 480))
    once = avif_header(data)
    items = read_items(data, "AVIF")
    # The primary becomes a grid of itself, named forty times.
    reference = struct.pack(">HH", items.primary, 40) + struct.pack(">H", items.primary) * 40
    box = struct.pack(">I", 8 + len(reference)) + b"dimg" + reference
    box = struct.pack(">I4sI", 12 + len(box), b"iref", 0) + box
    meta = data.index(b"meta") - 4
    size = int.from_bytes(data[meta : meta + 4])
    end = meta + size
    grown = (
        data[:meta] + struct.pack(">I", size + len(box)) + data[meta + 4 : end] + box + data[end:]
    )
    many = avif_header(grown)
    assert many.decoding_s > 20 * once.decoding_s


def test_metadata_gets_another_name_and_nothing_moves() -> None:
    exif = Image.Exif()
    exif[0x010F] = "camera"
    data = avif(exif=exif)
    header = avif_header(data)
    assert b"Exif" in data
    assert header.data == data.replace(b"Exif", b"skip", 1).replace(b"cdsc", b"skip")
    with Image.open(io.BytesIO(header.data)) as image:
        assert "exif" not in image.info


def test_another_coding_is_named() -> None:
    data = avif()
    kind_at = data.index(b"av01")
    with pytest.raises(PhotoError, match=r"unsupported_format.*AVIF, j2k1"):
        avif_header(data[:kind_at] + b"j2k1" + data[kind_at + 4 :])


def test_broken_boxes_are_refused() -> None:
    data = avif()
    end = data.index(b"mdat") - 4
    for length in range(12, end):
        with pytest.raises(PhotoError, match="truncated"):
            avif_header(data[:length])
    with pytest.raises(PhotoError, match="too_complex"):
        avif_header(data[:32] + b"\0\0\0\x08free" * 6000 + data[32:])


def test_an_item_that_is_never_introduced_is_refused() -> None:
    """Found by the fuzzer: pi_heif crashed the process on metadata without a type."""
    data = bytearray((DATA / "red_top_blue_bottom_turned.heic").read_bytes())
    heif_header(bytes(data))
    data[data.index(b"Exif") - 4] = 0xEF  # Item 2 is called by another number.
    with pytest.raises(PhotoError, match="truncated"):
        heif_header(bytes(data))


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
