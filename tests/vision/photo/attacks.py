"""Small files that once took gigabytes of memory or many seconds to open."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

__all__ = ["ATTACKS", "Attack"]

DATA = Path(__file__).parent / "data"
Attack = Callable[[], bytes]


def saved(size: tuple[int, int], name: str, mode: str = "RGB", **options: object) -> bytes:
    noise = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(noise).convert(mode).save(buffer, name, **options)
    return buffer.getvalue()


def chunk(name: bytes, body: bytes = b"") -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, between: bytes = b"", depth: int = 8, colour: int = 2) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    channels = {0: 1, 2: 3, 6: 4}[colour]
    pack = zlib.compressobj(1)
    row = bytes(1 + width * channels * depth // 8)
    rows = b"".join(pack.compress(row) for _ in range(height)) + pack.flush()
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + between + chunk(b"IDAT", rows) + chunk(b"IEND")


def run_length_bmp(width: int, height: int) -> bytes:
    palette = bytes(range(256)) * 4
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 1, 0, 0, 0, 256, 0)
    start = b"BM" + struct.pack("<IHHI", 0, 0, 0, 14 + 40 + 1024)
    return start + header + palette + b"\xff\x07" * 40 + b"\0\x01"


def huge_bmp() -> bytes:
    """An uncompressed bitmap that says to have far more pixels than bytes."""
    data = bytearray(saved((64, 48), "BMP"))
    data[18:26] = struct.pack("<ii", 20_000, 20_000)
    return bytes(data)


def progressive(size: tuple[int, int]) -> bytes:
    return saved(size, "JPEG", progressive=True, quality=30)


def jpeg_of_repeated_scans(times: int = 5000) -> bytes:
    data = progressive((1600, 1200))
    start = data.rindex(b"\xff\xda")
    # An empty scan of the coefficients that the last one refines costs a walk over all blocks.
    length = int.from_bytes(data[start + 2 : start + 4])
    scan = data[start : start + 2 + length] + bytes(160)
    return data[:start] + scan * times + data[start:]


def jpeg_of_some_repeated_scans() -> bytes:
    """Fewer scans than any limit on their number, over many pixels."""
    return jpeg_of_repeated_scans(80)


def jpeg_with(filling: bytes) -> bytes:
    data = saved((64, 48), "JPEG")
    return data[:2] + filling + data[2:]


def repeated_starts_of_scan() -> bytes:
    data = saved((640, 480), "JPEG")
    start = data.index(b"\xff\xda")
    length = int.from_bytes(data[start + 2 : start + 4])
    return data[:start] + data[start : start + 2 + length] * 2_000_000 + data[start:]


def exif_segment(entries: int = 5000) -> bytes:
    """A directory each of whose entries claims the whole segment for its value."""
    directory = struct.pack(">H", entries) + b"".join(
        struct.pack(">HHLL", 0x8000 + number, 7, 60_000, 8) for number in range(entries)
    )
    body = b"Exif\0\0MM\0*\0\0\0\x08" + directory
    body += bytes(65_000 - len(body))
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def png_with_exif() -> bytes:
    entries = 65_535
    directory = struct.pack(">H", entries) + b"".join(
        struct.pack(">HHLL", number, 7, 4_000_000, 8) for number in range(entries)
    )
    exif = b"MM\0*\0\0\0\x08" + directory + bytes(4_000_000)
    return png(64, 48, chunk(b"eXIf", exif))


def gif_of_frames(count: int = 300_000) -> bytes:
    data = saved((64, 48), "GIF", "P")
    image = data.index(b"\x2c\0\0\0\0")
    comment = b"\x21\xfe" + b"\x01x" * 10 + b"\0"
    return data[:image] + comment * count + data[image:-1] * 20 + b"\x3b"


def webp_of_frames(count: int = 200_000) -> bytes:
    data = saved((64, 48), "WEBP", lossless=False)
    body = data[12:] + b"junk\x02\0\0\0xx" * count
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def repeated_exif(entries: int = 5000) -> bytes:
    """A directory of many entries, none of which tells the orientation."""
    return b"MM\0*\0\0\0\x08" + struct.pack(">H", entries) + bytes(12 * entries)


def webp_of_repeated_exif() -> bytes:
    exif = repeated_exif()
    part = b"EXIF" + struct.pack("<I", len(exif)) + exif
    body = saved((64, 48), "WEBP", lossless=False)[12:] + part * 900
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def lying_avif() -> bytes:
    """268 megapixels under a header that says 64 by 64."""
    data = (DATA / "268_megapixels.avif").read_bytes()
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", 64, 64) + data[at + 8 :]


def lying_heic() -> bytes:
    """A parameter set that says 32,768 by 32,768 behind a header of 64 by 48."""
    data = (DATA / "red_left_blue_right.heic").read_bytes()
    at = data.index(b"ispe") + 8
    return data[:at] + struct.pack(">II", 32_768, 32_768) + data[at + 8 :]


ATTACKS: dict[str, tuple[Attack, str]] = {
    "PNG of 3,000,000 by 25": (lambda: png(3_000_000, 25, colour=0), "too_many_pixels"),
    "PNG of 20,000 by 20,000": (lambda: png(20_000, 20_000, depth=8, colour=0), "too_many_pixels"),
    "PNG of many empty chunks": (
        lambda: png(64, 48, chunk(b"IDAT") * 1_000_000),
        "too_complex",
    ),
    "PNG with a text that unpacks": (
        lambda: png(64, 48, chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**8), 1)) * 5),
        "read",
    ),
    "PNG whose EXIF repeats itself": (png_with_exif, "read"),
    "RLE BMP of 3,000,000 by 25": (lambda: run_length_bmp(3_000_000, 25), "unsupported_format"),
    "RLE BMP of 8,000 by 8,000": (lambda: run_length_bmp(8000, 8000), "unsupported_format"),
    "BMP without its pixels": (huge_bmp, "truncated"),
    "AVIF, 41 megapixels of 12 bits with alpha": (
        lambda: (DATA / "41_megapixels_12_bit_alpha.avif").read_bytes(),
        "too_many_pixels",
    ),
    "AVIF larger than it says": (lying_avif, "too_many_pixels"),
    "HEIC smaller than it says": (lying_heic, "too_many_pixels"),
    "JPEG of 5,000 scans": (jpeg_of_repeated_scans, "too_complex"),
    "JPEG of 80 more scans": (jpeg_of_some_repeated_scans, "read"),
    "JPEG with 60 MB of ff": (lambda: jpeg_with(b"\xff" * 60_000_000), "read"),
    "JPEG with 60 MB of restart markers": (
        lambda: jpeg_with(b"\xff\xd0" * 30_000_000),
        "too_complex",
    ),
    "JPEG of repeated starts of scan": (repeated_starts_of_scan, "too_complex"),
    "JPEG of 900 EXIF segments": (lambda: jpeg_with(exif_segment() * 900), "read"),
    "GIF of blocks of one byte": (gif_of_frames, "too_complex"),
    "PNG of repeated EXIF": (lambda: png(64, 48, chunk(b"eXIf", repeated_exif()) * 900), "read"),
    "WebP of repeated EXIF": (webp_of_repeated_exif, "read"),
    "WebP of many chunks": (webp_of_frames, "too_complex"),
}
"""Each attack with what becomes of it: a code, or "read" where it is harmless now."""
