"""One picture unpacked by Pillow and reduced: in this process, or as a program with limits.

    python -P vision/photo/unpack.py FORMAT LIMITS < PICTURE

The program takes no more memory and seconds of the processor than LIMITS, a JSON object with the
fields of ``Limits``, lets it take: the system ends it. It answers with a line of JSON and, where
the picture is read, its pixels: RGB, uint8. It loads nothing of the project, and only those of
Pillow's decoders that it needs, so that it starts in a tenth of a second.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import signal
import struct
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

# The classes themselves and not Image.open, which tries what it likes.
_DECODERS = {
    "AVIF": ("PIL.AvifImagePlugin", "AvifImageFile"),
    "BMP": ("PIL.BmpImagePlugin", "BmpImageFile"),
    "GIF": ("PIL.GifImagePlugin", "GifImageFile"),
    "HEIF": ("pi_heif", "HeifImageFile"),
    "JPEG": ("PIL.JpegImagePlugin", "JpegImageFile"),
    "PNG": ("PIL.PngImagePlugin", "PngImageFile"),
    "WEBP": ("PIL.WebPImagePlugin", "WebPImageFile"),
}
# HEIF is turned by its decoder, GIF and BMP tell nothing; JPEG and PNG come without what tells it.
_LEFT_AS_STORED = frozenset({"AVIF", "WEBP"})
# So many pixels are converted at once, since each conversion of a whole picture is one more copy.
_BAND_PX = 1 << 20
# No decoder holds less for a pixel of a picture that it does not decode row by row.
_LEAST_BYTES = 4
OUT_OF_MEMORY = re.compile(r"memory|alloc", re.IGNORECASE)
# What is out of memory has too many pixels from here on; below it is another thing that takes it.
_MANY_PX = 20_000_000


@dataclass(frozen=True)
class Limits:
    """Sides in pixels; bytes of memory and seconds of the processor that decoding may take."""

    target_long_side_px: int
    min_side_px: int
    max_side_px: int
    max_bytes: int
    max_s: float


class Refused(Exception):
    """A picture that is not decoded: the code and the details of a PhotoError."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


@dataclass(frozen=True)
class Unpacked:
    """A picture as stored, RGB and reduced, and its size (width, height) before it was reduced.

    ``orientation`` is that of EXIF, 1..8, as far as the decoder leaves it to others to apply.
    """

    image: Image.Image
    size: tuple[int, int]
    orientation: int = 1


def reduction(width: int, height: int, target_long_side_px: int, min_side_px: int) -> int:
    """How many times smaller, of 1, 2, 4 and 8, a picture may be decoded."""
    long_side, short_side = max(width, height), min(width, height)
    for factor in (8, 4, 2):
        if long_side >= factor * target_long_side_px and short_side >= factor * min_side_px:
            return factor
    return 1


def unpack(data: bytes, picture_format: str, limits: Limits) -> Unpacked:
    """Decode the first picture of a file. Refused for any reason, MemoryError included."""
    size = (0, 0)
    try:
        module, name = _DECODERS[picture_format]
        with getattr(importlib.import_module(module), name)(BytesIO(data)) as image:
            size = image.size
            _check_size(size, picture_format, limits)
            orientation = 1
            if picture_format in _LEFT_AS_STORED:
                exif, xmp = (image.info.get(name) or b"" for name in ("exif", "xmp"))
                orientation = max(exif_orientation(exif), xmp_orientation(xmp))
            return Unpacked(_reduced(image, picture_format, limits), size, orientation)
    except Refused:
        raise
    except Image.DecompressionBombError as error:
        raise Refused("too_many_pixels", format=picture_format) from error
    except Exception as error:  # Decoders raise any type on damaged files, and for want of memory.
        is_large = size[0] * size[1] >= _MANY_PX
        if isinstance(error, MemoryError) or OUT_OF_MEMORY.search(str(error)):
            code = "too_many_pixels" if is_large else "too_complex"
        else:  # The decoder of WebP says the same of every fault.
            code = "too_many_pixels" if is_large and picture_format == "WEBP" else "truncated"
        raise Refused(code, format=picture_format) from error


def _check_size(size: tuple[int, int], picture_format: str, limits: Limits) -> None:
    width, height = size
    if min(size) < limits.min_side_px:
        raise Refused("too_small", width=width, height=height, limit=limits.min_side_px)
    if max(size) > limits.max_side_px:
        raise Refused("too_many_pixels", width=width, height=height, limit=limits.max_side_px)
    if picture_format != "JPEG" and width * height * _LEAST_BYTES > limits.max_bytes:
        raise Refused("too_many_pixels", width=width, height=height, format=picture_format)


def _reduced(image: Image.Image, picture_format: str, limits: Limits) -> Image.Image:
    """The pixels of an opened picture of any mode, RGB, reduced and over white."""
    width, height = image.size
    factor = reduction(width, height, limits.target_long_side_px, limits.min_side_px)
    if picture_format == "JPEG" and factor > 1:
        # Reduced while decoding, which is faster than afterwards and takes no memory.
        image.draft(None, (width // factor, height // factor))
        factor = 1
    image.load()
    if image.mode == "RGB" and factor == 1 and not image.has_transparency_data:
        return image
    width, height = image.size
    rgb = Image.new("RGB", (-(-width // factor), -(-height // factor)))
    rows = factor * max(1, _BAND_PX // (factor * width))
    for top in range(0, height, rows):
        band = image.crop((0, top, width, min(top + rows, height)))
        rgb.paste(_eight_bit_rgb(band, factor), (0, top // factor))
    return rgb


def _eight_bit_rgb(image: Image.Image, factor: int) -> Image.Image:
    if image.mode.startswith("I;16"):
        high = 0 if image.mode.endswith("B") else 1
        image = Image.frombytes("L", image.size, image.tobytes()[high::2])
    elif image.has_transparency_data:
        image = image.convert("RGBA")
    else:
        image = image.convert("RGB")
    if factor > 1:
        image = image.reduce(factor)
    if image.mode == "RGBA":
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image)
    return image.convert("RGB")


_ORIENTATION = 0x0112
_KINDS = {1: "B", 3: "H", 4: "L"}
_IN_XMP = re.compile(rb"tiff:Orientation(?:=\"|>)([1-8])[\"<]")


def exif_orientation(exif: bytes) -> int:
    """How the stored picture is to be turned, 1..8, by EXIF tag 0x0112; 1 where it is unclear.

    Only the entries of the first directory are looked at: a decoder of all of EXIF can be led to
    copy the same bytes thousands of times. Source: TIFF 6.0, section 2; CIPA DC-008.
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return 1
    (start,) = struct.unpack_from(f"{order}L", tiff, 4)
    if start + 2 > len(tiff):
        return 1
    (count,) = struct.unpack_from(f"{order}H", tiff, start)
    for entry in range(start + 2, min(start + 2 + 12 * count, len(tiff) - 11), 12):
        tag, kind, _ = struct.unpack_from(f"{order}HHL", tiff, entry)
        if tag == _ORIENTATION and kind in _KINDS:
            (orientation,) = struct.unpack_from(f"{order}{_KINDS[kind]}", tiff, entry + 8)
            return orientation if 1 <= orientation <= 8 else 1
    return 1


def xmp_orientation(xmp: bytes) -> int:
    """The same by the XMP property tiff:Orientation."""
    found = _IN_XMP.search(xmp)
    return int(found[1]) if found else 1


def limit(limits: Limits) -> None:
    """From here on the system ends this process where it takes more, if it can limit that."""
    if hasattr(signal, "setitimer"):  # Counts the seconds of all threads; its signal is not caught.
        signal.setitimer(signal.ITIMER_PROF, limits.max_s)
    try:
        import resource

        status = Path("/proc/self/status").read_text(encoding="ascii")
    except (ImportError, OSError):
        return
    held_kib = next(int(line.split()[1]) for line in status.splitlines() if "VmData" in line)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limit = 1024 * held_kib + limits.max_bytes
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def answered(data: bytes, picture_format: str, limits: Limits) -> tuple[bytes, bytes]:
    """What ``unpack`` gives, as a line of JSON and pixels; a code alone where it refuses."""
    # Above twice this number Pillow refuses before it takes memory, above it it warns.
    Image.MAX_IMAGE_PIXELS = limits.max_bytes // _LEAST_BYTES // 2 + 1
    try:
        found = unpack(data, picture_format, limits)
        pixels = found.image.tobytes()
    except (Refused, MemoryError) as error:
        refused = error if isinstance(error, Refused) else Refused("too_complex")
        answer: dict[str, Any] = {
            "code": refused.code,
            "details": {"format": picture_format, **refused.details},
        }
        pixels = b""
    else:
        answer = {
            "reduced": found.image.size,
            "size": found.size,
            "orientation": found.orientation,
        }
    return json.dumps(answer).encode() + b"\n", pixels


def main(picture_format: str, limits: Limits) -> None:
    """Answer for the picture on the standard input; what decoders print goes to no answer."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    decoders = importlib.import_module(_DECODERS[picture_format][0])
    if picture_format == "AVIF":  # Each thread holds frames of its own.
        decoders.DEFAULT_MAX_THREADS = 1  # type: ignore[attr-defined]
    limit(limits)
    for part in answered(sys.stdin.buffer.read(), picture_format, limits):
        answers.write(part)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], Limits(**json.loads(sys.argv[2])))
