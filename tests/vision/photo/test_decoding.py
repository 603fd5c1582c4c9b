"""Every kind of picture is read rightly or refused, within its bounds, whatever the file holds."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.reading.pool import PoolSettings, WorkerPool
from tests.vision.photo.attacks import ATTACKS, png
from vision.common.network import slowness
from vision.photo import Photo, decode, decoding
from vision.photo.errors import PhotoError
from vision.photo.headers import (
    Header,
    PhotoSettings,
    check_bounds,
    jpeg_header,
    may_be_decoded_twice,
)
from vision.photo.unpack import Limits, Refused, Unpacked, unpack

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[3]
RED, BLUE, WHITE = (200, 30, 30), (30, 60, 200), (255, 255, 255)


def halves(width: int = 64, height: int = 48) -> NDArray[np.uint8]:
    """Red on the left, blue on the right."""
    rgb = np.empty((height, width, 3), np.uint8)
    rgb[:, : width // 2] = RED
    rgb[:, width // 2 :] = BLUE
    return rgb


def saved(image: Image.Image, picture_format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, picture_format, **options)
    return buffer.getvalue()


def jpeg(**options: object) -> bytes:
    return saved(Image.fromarray(halves()), "JPEG", **{"quality": 95, **options})


def code_of(source: bytes | str | Path, settings: PhotoSettings | None = None) -> str:
    with pytest.raises(PhotoError) as refused:
        decode(source, settings)
    return refused.value.code


def assert_left_and_right(
    photo: Photo, left: tuple[int, int, int] = RED, right: tuple[int, int, int] = BLUE
) -> None:
    middle, quarter = photo.rgb.shape[0] // 2, photo.rgb.shape[1] // 4
    np.testing.assert_allclose(photo.rgb[middle, quarter], left, atol=12)
    np.testing.assert_allclose(photo.rgb[middle, -quarter], right, atol=12)


@pytest.mark.parametrize("picture_format", ["JPEG", "PNG", "WEBP", "BMP", "GIF", "AVIF"])
def test_each_format_gives_the_same_rgb(picture_format: str) -> None:
    photo = decode(saved(Image.fromarray(halves()), picture_format))
    assert (photo.width, photo.height, photo.scale) == (64, 48, 1.0)
    assert_left_and_right(photo)


def test_heic() -> None:
    photo = decode(DATA / "red_left_blue_right.heic")
    assert (photo.width, photo.height) == (64, 48)
    assert_left_and_right(photo)


def test_heic_of_a_turned_phone_is_upright() -> None:
    photo = decode(DATA / "red_top_blue_bottom_turned.heic")
    assert (photo.width, photo.height) == (48, 64)
    assert_left_and_right(Photo(photo.rgb.transpose(1, 0, 2), 64, 48))


def test_a_path_and_its_bytes_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "kingdom.jpg"
    path.write_bytes(jpeg())
    from_bytes = decode(jpeg())
    for source in (path, str(path)):
        np.testing.assert_array_equal(decode(source).rgb, from_bytes.rgb)


def test_the_format_is_taken_from_the_content_not_from_the_name(tmp_path: Path) -> None:
    path = tmp_path / "kingdom.jpg"
    path.write_bytes(saved(Image.fromarray(halves()), "PNG"))
    assert_left_and_right(decode(path))


# Where the stored top left corner and the stored top right corner are to be seen.
UPRIGHT_CORNERS = {
    1: ((0, 0), (0, -1)),
    2: ((0, -1), (0, 0)),
    3: ((-1, -1), (-1, 0)),
    4: ((-1, 0), (-1, -1)),
    5: ((0, 0), (-1, 0)),
    6: ((0, -1), (-1, -1)),
    7: ((-1, -1), (0, -1)),
    8: ((-1, 0), (0, 0)),
}


@pytest.mark.parametrize("picture_format", ["JPEG", "PNG", "WEBP", "AVIF"])
@pytest.mark.parametrize("orientation", UPRIGHT_CORNERS)
def test_exif_orientation(orientation: int, picture_format: str) -> None:
    stored = np.full((48, 64, 3), 255, np.uint8)
    stored[:16, :16], stored[:16, -16:] = RED, BLUE
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = decode(saved(Image.fromarray(stored), picture_format, exif=exif, quality=95))
    assert (photo.width, photo.height) == ((48, 64) if orientation >= 5 else (64, 48))
    assert photo.rgb.shape == (photo.height, photo.width, 3)
    inner = {0: 5, -1: -6}
    for colour, (row, column) in zip((RED, BLUE), UPRIGHT_CORNERS[orientation], strict=True):
        np.testing.assert_allclose(photo.rgb[inner[row], inner[column]], colour, atol=12)


def test_turned_grey_and_cmyk_jpegs_are_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    for mode in ("L", "CMYK"):
        image = Image.fromarray(halves()).convert(mode)
        photo = decode(saved(image, "JPEG", exif=exif))
        assert (photo.width, photo.height, *photo.rgb.shape) == (48, 64, 64, 48, 3)


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_senseless_orientation_counts_as_none(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    assert_left_and_right(decode(jpeg(exif=exif)))


def test_broken_exif_does_not_hinder() -> None:
    assert_left_and_right(decode(jpeg(exif=b"Exif\0\0MM\0*\xff\xff\xff\xff broken")))


def test_grey() -> None:
    for picture_format in ("JPEG", "PNG"):
        rgb = decode(saved(Image.fromarray(halves()).convert("L"), picture_format)).rgb
        np.testing.assert_array_equal(rgb[..., 0], rgb[..., 1])
        np.testing.assert_array_equal(rgb[..., 0], rgb[..., 2])
        assert rgb[24, 8, 0] != rgb[24, 56, 0]


def test_cmyk_is_not_inverted() -> None:
    photo = decode(saved(Image.fromarray(halves()).convert("CMYK"), "JPEG", quality=95))
    assert_left_and_right(photo)


@pytest.mark.parametrize("options", [{"progressive": True}, {"subsampling": 2}, {"subsampling": 0}])
def test_jpeg_codings(options: dict[str, object]) -> None:
    assert_left_and_right(decode(jpeg(**options)))


@pytest.mark.parametrize("size", [(64, 48), (3201, 2003), (6405, 901)])
@pytest.mark.parametrize("subsampling", [0, 2])
def test_opencv_and_pillow_decode_plain_jpegs_to_the_same_pixels(
    size: tuple[int, int], subsampling: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rgb = np.random.default_rng(4).integers(0, 255, (size[1] // 9, size[0] // 9, 3), np.uint8)
    image = Image.fromarray(rgb).resize(size)
    exif = Image.Exif()
    exif[0x0112] = 6
    data = saved(image, "JPEG", quality=90, subsampling=subsampling, exif=exif)
    by_opencv = decode(data)
    monkeypatch.setattr(decoding, "_decoded_by_opencv", lambda *_: None)
    by_pillow = decode(data)
    np.testing.assert_array_equal(by_opencv.rgb, by_pillow.rgb)
    assert (by_opencv.width, by_opencv.height) == (by_pillow.width, by_pillow.height)


@pytest.mark.parametrize("options", [{}, {"progressive": True}])
def test_only_a_jpeg_of_one_scan_and_three_components_is_plain(options: dict[str, object]) -> None:
    assert jpeg_header(jpeg(**options)).is_plain is not bool(options)
    grey = saved(Image.fromarray(halves()).convert("L"), "JPEG", **options)
    assert not jpeg_header(grey).is_plain


def test_sixteen_bits_a_channel_keep_their_brightness() -> None:
    grey = np.full((48, 64), 200 * 257, np.uint16)
    grey[:, 32:] = 30 * 257
    photo = decode(saved(Image.fromarray(grey), "PNG"))
    assert_left_and_right(photo, (200, 200, 200), (30, 30, 30))


def test_sixteen_bit_colour() -> None:
    import cv2

    bgr = halves()[..., ::-1].astype(np.uint16) * 257
    alpha = np.full((48, 64, 1), 65535, np.uint16)
    for pixels in (bgr, np.concatenate([bgr, alpha], axis=2)):
        assert_left_and_right(decode(cv2.imencode(".png", pixels)[1].tobytes()))


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_transparent_parts_become_white(mode: str) -> None:
    image = Image.fromarray(np.dstack([halves(), np.full((48, 64), 255, np.uint8)]))
    image.paste((0, 255, 0, 0), (0, 0, 32, 48))
    photo = decode(saved(image.convert(mode), "PNG"))
    np.testing.assert_allclose(photo.rgb[24, 8], WHITE, atol=3)
    assert photo.rgb[24, 56].max() < 250


def test_transparency_given_by_one_colour() -> None:
    data = saved(Image.fromarray(halves()), "PNG", transparency=RED)
    assert_left_and_right(decode(data), WHITE, BLUE)


def test_palette_and_black_and_white() -> None:
    assert_left_and_right(decode(saved(Image.fromarray(halves()).quantize(8), "PNG")))
    bilevel = Image.fromarray(halves()).convert("L").point(lambda grey: 255 * (grey > 75), "1")
    assert_left_and_right(decode(saved(bilevel, "PNG")), WHITE, (0, 0, 0))


@pytest.mark.parametrize("picture_format", ["GIF", "PNG", "WEBP"])
def test_an_animated_picture_gives_its_first_frame(picture_format: str) -> None:
    frames = [Image.fromarray(halves()), Image.fromarray(np.full((48, 64, 3), 128, np.uint8))]
    data = saved(frames[0], picture_format, save_all=True, append_images=frames[1:], duration=50)
    assert_left_and_right(decode(data))


@pytest.mark.parametrize("picture_format", ["JPEG", "PNG"])
@pytest.mark.parametrize(
    ("long_side", "reduced"), [(399, 399), (400, 200), (1600, 200), (1700, 213), (4000, 500)]
)
def test_reduced_by_eight_at_most_and_never_below_the_target(
    picture_format: str, long_side: int, reduced: int
) -> None:
    image = Image.fromarray(halves(long_side, 300))
    photo = decode(saved(image, picture_format), PhotoSettings(target_long_side_px=200))
    assert (photo.width, photo.height) == (long_side, 300)
    assert photo.rgb.shape[1] == reduced
    assert photo.scale == pytest.approx(reduced / long_side)
    assert_left_and_right(photo)


def test_a_reduced_transparent_picture_has_no_dark_fringe() -> None:
    rgba = np.zeros((400, 400, 4), np.uint8)
    rgba[:, 201:] = (*WHITE, 255)
    photo = decode(saved(Image.fromarray(rgba), "PNG"), PhotoSettings(target_long_side_px=100))
    assert photo.rgb.min() >= 250


def test_an_empty_file_a_folder_and_a_missing_one(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jpg"
    empty.touch()
    assert code_of(empty) == code_of(b"") == "empty_file"
    assert code_of(tmp_path) == "is_folder"
    assert code_of(tmp_path / "nowhere.jpg") == "missing_file"
    assert code_of("a\0b.jpg") == code_of("x" * 5000) == "missing_file"


def test_a_text_named_jpg(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("w1 w f . c\n")
    assert code_of(path) == "not_a_picture"
    assert code_of(b"BMW is a car, not a bitmap") == "not_a_picture"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (saved(Image.fromarray(halves()), "TIFF"), "TIFF"),
        (saved(Image.fromarray(halves()), "PDF"), "PDF"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0", "mp42"),
    ],
)
def test_a_known_format_that_is_not_read_is_named(data: bytes, name: str) -> None:
    with pytest.raises(PhotoError) as refused:
        decode(data)
    assert (refused.value.code, refused.value.details) == ("unsupported_format", {"format": name})


@pytest.mark.parametrize("coding", ["baseline", "progressive", "cmyk"])
@pytest.mark.parametrize("kept", [0.01, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_jpeg_is_never_read_half_grey(coding: str, kept: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)
    image = Image.fromarray(noise).convert("CMYK" if coding == "cmyk" else "RGB")
    data = saved(image, "JPEG", progressive=coding == "progressive")
    assert decode(data).width == 160
    assert code_of(data[: int(len(data) * kept)]) == "truncated"
    zeros_at_the_end = data[: int(len(data) * kept)].ljust(len(data), b"\0")
    assert code_of(zeros_at_the_end) == "truncated"


def test_what_follows_a_jpeg_is_ignored() -> None:
    """Phones append short films and depth maps after the end of the picture."""
    assert_left_and_right(decode(jpeg() + b"\0\0\0\x18ftypmp42" + bytes(500)))
    assert_left_and_right(decode(jpeg() + jpeg()[:200]))


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_picture() -> None:
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0" + jpeg()
    whole = jpeg(exif=exif)
    assert_left_and_right(decode(whole))
    assert code_of(whole[: whole.rindex(b"\xff\xd9")]) == "truncated"


@pytest.mark.parametrize("picture_format", ["PNG", "WEBP", "GIF", "BMP", "AVIF"])
def test_other_formats_truncated(picture_format: str) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)
    data = saved(Image.fromarray(noise), picture_format)
    for kept in (0.02, 0.9):
        assert code_of(data[: int(len(data) * kept)]) == "truncated"


def test_heic_truncated() -> None:
    data = (DATA / "red_left_blue_right.heic").read_bytes()
    for kept in (0.1, 0.5, 0.95):
        assert code_of(data[: int(len(data) * kept)]) == "truncated"


@pytest.mark.parametrize("size", [(10, 10), (23, 400), (400, 1)])
def test_too_small(size: tuple[int, int]) -> None:
    for picture_format in ("JPEG", "PNG"):
        assert code_of(saved(Image.new("RGB", size), picture_format)) == "too_small"


def test_a_file_larger_than_any_photo_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.bmp"
    with path.open("wb") as file:
        file.write(b"BM" + bytes(62))
        file.truncate(1_000_000_000)
    assert code_of(path) == "too_many_bytes"


def test_many_pixels_in_a_small_file(tmp_path: Path) -> None:
    """Refused by the header: 400 million pixels are never unfolded, in any format."""
    import zlib

    def chunk(name: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4) + name + body + zlib.crc32(name + body).to_bytes(4)

    header = (20_000).to_bytes(4) * 2 + b"\x08\0\0\0\0"
    rows = zlib.compress(bytes(20_001)) * 10
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    assert len(png) < 10_000
    assert code_of(png) == "too_many_pixels"
    tall = jpeg().replace((48).to_bytes(2) + (64).to_bytes(2), (20_000).to_bytes(2) * 2, 1)
    assert code_of(tall) == "too_many_pixels"
    small = PhotoSettings(max_decoding_bytes=64 * 48 * 3)
    for picture_format in ("PNG", "GIF", "WEBP", "AVIF"):
        data = saved(Image.fromarray(halves()), picture_format)
        assert code_of(data, small) == "too_many_pixels"


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is told on Linux")
def test_memory_for_the_largest_pictures_stays_bounded(tmp_path: Path) -> None:
    """The peak of a fresh process that reads 45 MP with transparency and 160 MP of JPEG."""
    (tmp_path / "large.png").write_bytes(saved(Image.new("RGBA", (7500, 6000)), "PNG"))
    (tmp_path / "large.jpg").write_bytes(saved(Image.new("L", (16000, 10000)), "JPEG", quality=5))
    program = (
        "import sys\n"
        "from vision.photo import decode\n"
        "for path in sys.argv[1:]: print(decode(path).width)\n"
        # What the kernel reports as resource usage may include the process that started it.
        "status = dict(line.split(':', 1) for line in open('/proc/self/status'))\n"
        "print(status['VmHWM'].split()[0])\n"
    )
    paths = [str(tmp_path / "large.png"), str(tmp_path / "large.jpg")]
    command = [sys.executable, "-c", program, *paths]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    png_width, jpeg_width, peak_kib = map(int, run.stdout.split())
    assert (png_width, jpeg_width) == (7500, 16000)
    assert peak_kib < 500 * 1024


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The bytes with some changed, cut out or doubled."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 3, 30])):
        position = rng.randrange(len(changed))
        match rng.randrange(4):
            case 0:
                changed[position] = rng.randrange(256)
            case 1:
                del changed[position : position + rng.randrange(1, 40)]
            case 2:
                changed[position:position] = changed[position : position + rng.randrange(1, 40)]
            case _:
                changed[position : position + 4] = b"\xff" * 4
        if not changed:
            return b""
    return bytes(changed)


@pytest.mark.parametrize("picture_format", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "AVIF", "HEIC"])
def test_damaged_files_are_read_or_refused(picture_format: str) -> None:
    if picture_format == "HEIC":
        data = (DATA / "red_left_blue_right.heic").read_bytes()
    else:
        exif = Image.Exif()
        exif[0x0112] = 6
        options = {} if picture_format in ("GIF", "BMP") else {"exif": exif}
        data = saved(Image.fromarray(halves()), picture_format, **options)
    rng = random.Random(20261120)
    outcomes = set()
    # Others have a process each; `tests.fuzz` goes on for hours.
    for _ in range(100 if picture_format in ("JPEG", "PNG") else 5):
        try:
            photo = decode(damaged(data, rng))
        except PhotoError as error:
            outcomes.add(error.code)
        else:
            outcomes.add("read")
            assert max(photo.rgb.shape[:2]) <= max(photo.width, photo.height)
    assert outcomes & {"truncated", "not_a_picture"}


def test_random_bytes_are_refused() -> None:
    rng = random.Random(7)
    for start in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\0\0\0\x18ftypheic"):
        for _ in range(50 if start[:1] in (b"", b"\xff", b"\x89") else 2):
            code = code_of(start + rng.randbytes(rng.randrange(1, 400)))
            assert code in {"truncated", "not_a_picture", "too_many_pixels", "too_small"}


def test_photo_checks_its_picture() -> None:
    with pytest.raises(ValueError, match=r"expected shape \(h, w, 3\) uint8, got \(4, 4\) float64"):
        Photo(np.zeros((4, 4)), 4, 4)  # type: ignore[arg-type]


MAX_MB, MAX_S = 500, 2.0


@pytest.fixture(scope="module")
def child() -> Iterator[WorkerPool]:
    """A process of its own, so that an attack that works costs no more than a test."""
    settings = PoolSettings(workers=1, max_task_s=60, max_task_bytes=3_000_000_000, attempts=1)
    with WorkerPool("tests.fuzz.task", settings) as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_small_files_take_no_gigabytes_and_no_seconds(name: str, child: WorkerPool) -> None:
    attack, outcome = ATTACKS[name]
    ((_, _, found, seconds, peak_mb, _),) = child.carry_out({}, attack())[0]["cases"]
    assert found in outcome.split(" or ")
    assert seconds < MAX_S * slowness()
    assert peak_mb < MAX_MB


LIMITS = PhotoSettings(min_side_px=10, max_side_px=100, max_decoding_bytes=1000, max_decoding_s=0.5)


@pytest.mark.parametrize(
    ("header", "file_bytes", "code"),
    [
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 200), 300, None),
        (Header("PNG", 100, 10, 501, 0.5, b"x" * 200), 300, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 201), 300, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.5, b"x" * 200), 301, "too_many_pixels"),
        (Header("PNG", 100, 10, 500, 0.51, b""), 300, "too_complex"),
        (Header("PNG", 10, 101, 500, 0.5, b""), 300, "too_many_pixels"),
        (Header("PNG", 9, 100, 500, 0.5, b""), 300, "too_small"),
        (Header("PNG", 100, 9, 500, 0.5, b""), 300, "too_small"),
    ],
)
def test_each_bound(header: Header, file_bytes: int, code: str | None) -> None:
    if code is None:
        check_bounds(header, file_bytes, LIMITS)
        return
    with pytest.raises(PhotoError) as refused:
        check_bounds(header, file_bytes, LIMITS)
    assert refused.value.code == code


def test_pixels_are_reduced_as_those_of_a_file() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (200, 300, 3), np.uint8)
    settings = PhotoSettings(target_long_side_px=100)
    before = rgb.copy()
    photo = decode(rgb, settings)
    assert photo.rgb.shape == (100, 150, 3)
    assert (photo.width, photo.height, photo.scale) == (300, 200, 0.5)
    np.testing.assert_allclose(photo.rgb[0, 0], rgb[:2, :2].mean((0, 1)), atol=1)
    np.testing.assert_array_equal(rgb, before)
    np.testing.assert_array_equal(decode(rgb).rgb, rgb)
    assert decode(photo) is photo
    with pytest.raises(ValueError, match="expected RGB uint8"):
        decode(rgb[..., :2])
    with pytest.raises(PhotoError, match="too_small"):
        decode(rgb[:20])


def test_a_decoder_that_finds_more_than_the_header_said_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Unpacked(Image.new("RGB", (64, 48)), (64, 49))
    monkeypatch.setattr(decoding, "unpack", lambda *_: found)
    assert code_of(png(64, 48)) == "truncated"
    assert decode(png(64, 49)).height == 49


def test_what_is_refused_for_its_pixels_says_how_many() -> None:
    limits = Limits(1600, 24, 30_000, 4 * 64 * 48 - 1, 1.0)
    with pytest.raises(Refused) as refused:
        unpack(saved(Image.new("RGB", (64, 48)), "BMP"), "BMP", limits)
    assert refused.value.code == "too_many_pixels"
    assert refused.value.details == {"width": 64, "height": 48, "format": "BMP"}


def test_a_file_may_have_just_so_many_bytes() -> None:
    data = jpeg()
    decode(data, replace(PhotoSettings(), max_file_bytes=len(data)))
    with pytest.raises(PhotoError, match="too_many_bytes") as refused:
        decode(data, replace(PhotoSettings(), max_file_bytes=len(data) - 1))
    assert refused.value.details == {"limit": len(data) - 1}


@pytest.mark.parametrize(
    ("decoding_bytes", "decoding_s", "twice"),
    [(400, 0.5, True), (401, 0.5, False), (400, 0.51, False)],
)
def test_two_decoders_at_once_have_the_bounds_of_one(
    decoding_bytes: float, decoding_s: float, twice: bool
) -> None:
    settings = replace(PhotoSettings(), max_decoding_bytes=1000, max_decoding_s=1.0)
    header = Header("JPEG", 640, 480, decoding_bytes, decoding_s, bytes(100))
    assert may_be_decoded_twice(header, 100, settings) is twice


@pytest.mark.parametrize(
    ("code", "raised"), [("truncated", PhotoError), ("too_complex", MemoryError)]
)
def test_what_an_ordinary_picture_is_refused_for_keeps_its_code(
    code: str, raised: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> Unpacked:
        raise Refused(code, format="JPEG")

    monkeypatch.setattr(decoding, "unpack", refuse)
    monkeypatch.setattr(decoding, "_decoded_by_opencv", lambda *_: None)
    with pytest.raises(raised) as refused:
        decode(jpeg())
    if isinstance(refused.value, PhotoError):
        assert (refused.value.code, refused.value.details) == (code, {"format": "JPEG"})
