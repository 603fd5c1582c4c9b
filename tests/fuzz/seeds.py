"""Small whole pictures of every format and coding, from which the mutations start."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

HEIC = Path(__file__).parents[1] / "vision" / "photo" / "data"
WIDTH, HEIGHT = 64, 48


@cache
def seeds() -> dict[str, list[bytes]]:
    """The pictures by format."""
    return {
        "JPEG": _jpegs(),
        "PNG": _pngs(),
        "GIF": _gifs(),
        "BMP": _bmps(),
        "WEBP": _webps(),
        "AVIF": _avifs(),
        "HEIF": [path.read_bytes() for path in sorted(HEIC.glob("*.heic"))],
    }


@cache
def large_seeds() -> dict[str, list[bytes]]:
    """Pictures of many megapixels in few bytes, near what is read; no HEIF, nothing writes it."""
    photo = _picture().resize((4000, 3000))
    drawn = _picture().quantize(16).resize(photo.size, Image.Resampling.NEAREST)
    clear = _picture("RGBA").resize((2400, 1800))
    grey = np.asarray(_picture("L").resize((4000, 3000))).astype(np.uint16) * 257
    made = {
        "JPEG": [
            _saved(photo, "JPEG", quality=30),
            _saved(photo, "JPEG", quality=30, progressive=True),
            _saved(clear.convert("CMYK"), "JPEG", quality=30, subsampling=0),
        ],
        "PNG": [
            _saved(drawn, "PNG"),
            _saved(drawn.convert("RGBA"), "PNG", compress_level=1),
            cv2.imencode(".png", grey)[1].tobytes(),
        ],
        "GIF": [_saved(drawn, "GIF")],
        "BMP": [_saved(_picture().resize((1150, 860)), "BMP")],
        "WEBP": [
            _saved(photo, "WEBP", quality=30, method=0),
            _saved(drawn.convert("RGBA"), "WEBP", lossless=True, method=0, quality=0),
        ],
        "AVIF": [
            _saved(photo, "AVIF", speed=10, quality=30),
            _saved(clear, "AVIF", speed=10, quality=30, subsampling="4:4:4"),
        ],
    }
    deep = np.asarray(clear).astype(np.uint16) << 4
    options = [cv2.IMWRITE_AVIF_DEPTH, 12, cv2.IMWRITE_AVIF_SPEED, 10, cv2.IMWRITE_AVIF_QUALITY, 30]
    written, coded = cv2.imencode(".avif", deep, options)
    if written:
        made["AVIF"].append(coded.tobytes())
    return made


def _saved(image: Image.Image, name: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, name, **options)
    return buffer.getvalue()


def _picture(mode: str = "RGB") -> Image.Image:
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    channels = [rows * 5, columns * 4, (rows * columns) % 251, 255 - columns * 2]
    rgba = np.dstack(channels).astype(np.uint8)
    return Image.fromarray(rgba).convert(mode) if mode != "CMYK" else Image.fromarray(rgba, "CMYK")


def _exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "camera"
    return exif


def _frames(mode: str = "RGB") -> dict[str, object]:
    others = [_picture(mode).rotate(90 * turn) for turn in (1, 2)]
    return {"save_all": True, "append_images": others, "duration": 40}


def _jpegs() -> list[bytes]:
    made = [_saved(_picture(mode), "JPEG", exif=_exif()) for mode in ("RGB", "L", "CMYK")]
    made += [_saved(_picture(mode), "JPEG", progressive=True) for mode in ("RGB", "L", "CMYK")]
    made.append(_saved(_picture(), "JPEG", restart_marker_blocks=2, subsampling=0))
    made.append(_saved(_picture().resize((1700, 40)), "JPEG", icc_profile=bytes(3000)))
    return made


def _pngs() -> list[bytes]:
    made = [_saved(_picture(mode), "PNG") for mode in ("RGB", "RGBA", "L", "LA", "P", "1", "I;16")]
    made.append(_saved(_picture(), "PNG", transparency=(0, 0, 0), exif=_exif()))
    made.append(_saved(_picture("RGBA"), "PNG", **_frames("RGBA")))
    deep = np.asarray(_picture("RGBA")).astype(np.uint16) * 257
    made.append(cv2.imencode(".png", deep)[1].tobytes())
    return made


def _gifs() -> list[bytes]:
    made = [_saved(_picture(mode), "GIF") for mode in ("L", "RGB")]
    made.append(_saved(_picture("P"), "GIF", transparency=3, comment=b"hello", interlace=1))
    made.append(_saved(_picture(), "GIF", **_frames()))
    return made


def _bmps() -> list[bytes]:
    made = [_saved(_picture(mode), "BMP") for mode in ("RGB", "RGBA", "L", "P", "1")]
    run_lengths = bytearray(_saved(_picture("L"), "BMP"))
    run_lengths[30:34] = (1).to_bytes(4, "little")
    made.append(bytes(run_lengths))
    return made


def _webps() -> list[bytes]:
    made = [_saved(_picture(), "WEBP", lossless=lossless) for lossless in (True, False)]
    made += [_saved(_picture("RGBA"), "WEBP", lossless=lossless) for lossless in (True, False)]
    made.append(_saved(_picture(), "WEBP", exif=_exif(), icc_profile=bytes(300)))
    made.append(_saved(_picture(), "WEBP", **_frames()))
    return made


def _avifs() -> list[bytes]:
    made = [_saved(_picture(mode), "AVIF", speed=10) for mode in ("RGB", "RGBA", "L")]
    made.append(_saved(_picture(), "AVIF", subsampling="4:4:4", exif=_exif(), speed=10))
    made.append(_saved(_picture(), "AVIF", speed=10, **_frames()))
    for bits in (10, 12):
        deep = (np.asarray(_picture("RGBA")).astype(np.uint16) << (bits - 8)).copy()
        options = [cv2.IMWRITE_AVIF_DEPTH, bits, cv2.IMWRITE_AVIF_SPEED, 10]
        written, coded = cv2.imencode(".avif", deep, options)
        if written:
            made.append(coded.tobytes())
    return made
