"""Small files that once took gigabytes of memory or many seconds to open."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

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


def boxed(kind: bytes, body: bytes, version: int | None = None, flags: int = 0) -> bytes:
    """A box of ISO/IEC 14496-12; with a version it is a full one."""
    full = b"" if version is None else struct.pack(">I", version << 24 | flags)
    return struct.pack(">I", 8 + len(full) + len(body)) + kind + full + body


class CodedAvif:
    """What an encoder made of a picture: its configuration, sequence header and frame."""

    brand, item, configured = b"avif", b"av01", b"av1C"

    def __init__(self, size: tuple[int, int]) -> None:
        buffer = io.BytesIO()
        Image.linear_gradient("L").resize(size).convert("RGB").save(buffer, "AVIF", speed=10)
        data, self.size = buffer.getvalue(), size
        at = data.index(b"av1C")
        self.configuration = data[at + 4 : at - 4 + int.from_bytes(data[at - 4 : at])]
        self.units = data[data.index(b"mdat") + 4 :]
        # An open bitstream unit of type 1, with a length of one byte: the sequence header.
        start = self.units.index(b"\x0a")
        end = start + 2 + self.units[start + 1]
        self.sequence, self.frame = self.units[start:end], self.units[end:]


class CodedHeif:
    """The same of a picture that is kept, since nothing here writes HEIF; its header is a box."""

    brand, item, configured = b"heic", b"hvc1", b"hvcC"

    def __init__(self) -> None:
        data, self.size = (DATA / "red_left_blue_right.heic").read_bytes(), (64, 64)
        at = data.index(b"hvcC")
        self.configuration = data[at + 4 : at - 4 + int.from_bytes(data[at - 4 : at])]
        self.units = data[data.index(b"mdat") + 4 :]


def heif_of_tiles(coded: CodedHeif, columns: int, rows: int) -> bytes:
    """A grid whose tiles are all the same bytes. Source: ISO/IEC 23008-12, section 6.6.2.3."""
    width, height = columns * coded.size[0], rows * coded.size[1]
    grid = struct.pack(">BBBBII", 0, 1, rows - 1, columns - 1, width, height)
    tiles = range(2, 2 + columns * rows)
    infos = boxed(b"infe", struct.pack(">HH", 1, 0) + b"grid\0", 2) + b"".join(
        boxed(b"infe", struct.pack(">HH", tile, 0) + coded.item + b"\0", 2) for tile in tiles
    )
    whole, tile_size = (
        boxed(b"ispe", struct.pack(">II", *sides), 0) for sides in ((width, height), coded.size)
    )
    configuration = boxed(coded.configured, coded.configuration)
    used = struct.pack(">HBB", 1, 1, 1)
    used += b"".join(struct.pack(">HBBB", tile, 2, 2, 0x83) for tile in tiles)
    associations = boxed(b"ipma", struct.pack(">I", 1 + len(tiles)) + used, 0)
    refers = boxed(b"dimg", struct.pack(f">HH{len(tiles)}H", 1, len(tiles), *tiles))

    def file(start: int) -> bytes:
        places = struct.pack(">HHHII", 1, 0, 1, start, len(grid)) + b"".join(
            struct.pack(">HHHII", tile, 0, 1, start + len(grid), len(coded.units)) for tile in tiles
        )
        count = struct.pack(">H", 1 + len(tiles))
        meta = boxed(b"hdlr", bytes(4) + b"pict" + bytes(13), 0)
        meta += boxed(b"pitm", b"\0\x01", 0)
        meta += boxed(b"iloc", b"\x44\0" + count + places, 0)
        meta += boxed(b"iinf", count + infos, 0)
        meta += boxed(b"iprp", boxed(b"ipco", whole + tile_size + configuration) + associations)
        meta += boxed(b"iref", refers, 0)
        kind = boxed(b"ftyp", b"heic\0\0\0\0heicmif1")
        return kind + boxed(b"meta", meta, 0) + boxed(b"mdat", grid + coded.units)

    return file(len(file(0)) - len(grid + coded.units))


def picture_of(
    coded: CodedAvif | CodedHeif,
    content: bytes,
    extents: int = 1,
    auxiliaries: int = 0,
    references: int = 0,
) -> bytes:
    """A file of one picture, whose ``extents`` are all the whole of its content.

    So many further items are ``auxiliaries`` of it, and it refers to itself so many times.
    """
    kind = boxed(b"ftyp", coded.brand + bytes(4) + coded.brand + b"mif1miaf")
    numbers = range(1, 2 + auxiliaries)
    infos = b"".join(
        boxed(b"infe", struct.pack(">HH", number, 0) + coded.item + b"\0", 2) for number in numbers
    )
    ispe = boxed(b"ispe", struct.pack(">II", *coded.size), 0)
    pixi = boxed(b"pixi", b"\x03\x08\x08\x08", 0)
    auxiliary = boxed(b"auxC", b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", 0)
    configuration = boxed(coded.configured, coded.configuration)
    properties = boxed(b"ipco", ispe + pixi + configuration + auxiliary)
    used = b"".join(
        struct.pack(">HB", number, 3 + (number > 1)) + b"\x01\x02\x83" + b"\x84" * (number > 1)
        for number in numbers
    )
    associations = boxed(b"ipma", struct.pack(">I", len(numbers)) + used, 0)
    refers = b"".join(boxed(b"auxl", struct.pack(">HHH", number, 1, 1)) for number in numbers[1:])
    if references:
        refers += boxed(b"dimg", struct.pack(">HH", 1, references) + b"\0\x01" * references)

    def file(start: int) -> bytes:
        places = b"".join(
            struct.pack(">HHH", number, 0, extents)
            + struct.pack(">II", start, len(content)) * extents
            for number in numbers
        )
        meta = boxed(b"hdlr", bytes(4) + b"pict" + bytes(13), 0)
        meta += boxed(b"pitm", b"\0\x01", 0)
        meta += boxed(b"iloc", b"\x44\0" + struct.pack(">H", len(numbers)) + places, 0)
        meta += boxed(b"iinf", struct.pack(">H", len(numbers)) + infos, 0)
        meta += boxed(b"iprp", properties + associations)
        if refers:
            meta += boxed(b"iref", refers, 0)
        return kind + boxed(b"meta", meta, 0) + boxed(b"mdat", content)

    return file(len(file(0)) - len(content))


def avif_of_frames(count: int = 300, size: tuple[int, int] = (2000, 1500)) -> bytes:
    """One item of many frames, of which decoders give one and decode all."""
    coded = CodedAvif(size)
    return picture_of(coded, coded.sequence + coded.frame * count)


def avif_of_overlapping_extents(extents: int = 8000, content_bytes: int = 130_000) -> bytes:
    """A gigabyte, as the same bytes are told to follow themselves."""
    coded = CodedAvif((640, 480))
    return picture_of(coded, coded.units.ljust(content_bytes, b"\0"), extents)


def avif_of_references(auxiliaries: int = 20_000, references: int = 20_000) -> bytes:
    """To look each of them up among the others takes as long as one number times the other."""
    coded = CodedAvif((64, 48))
    return picture_of(coded, coded.units, auxiliaries=auxiliaries, references=references)


class _Bits:
    """Bits, the lowest of each byte first, as WebP stores them."""

    def __init__(self) -> None:
        self._value = self._length = 0
        self._done = bytearray()

    def put(self, value: int, count: int) -> None:
        self._value |= value << self._length
        self._length += count
        while self._length >= 8:
            self._done.append(self._value & 0xFF)
            self._value >>= 8
            self._length -= 8

    def all(self) -> bytes:
        return bytes(self._done) + bytes([self._value])


def webp_of_huffman_groups(columns: int = 240, rows: int = 234) -> bytes:
    """A lossless picture with codes of its own for each block of 4 by 4 pixels.

    A group of codes takes 20 bits of the file, and 12 kB of the decoder's memory.
    Source: RFC 9649, section 3.
    """
    bits = _Bits()
    bits.put(0x2F, 8)
    bits.put(4 * columns - 1, 14)
    bits.put(4 * rows - 1, 14)
    bits.put(0, 1 + 3 + 1 + 1)  # No transparency, version 0, no transform, no cache of colours.
    bits.put(1, 1)  # Codes by block, whose side is 2 to the power of 2.
    bits.put(0, 3)
    bits.put(0, 1)  # The picture of the groups' numbers has no cache either.
    for symbols in (256 + 24, 256):  # Green and red: all 256 values in eight bits each.
        bits.put(0, 1)
        # Lengths of code lengths, in the order 17, 18, 0, 1 ... 8: only 8 and 0 are there.
        bits.put(12 - 4, 4)
        for length in (17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8):
            bits.put(int(length in (0, 8)), 3)
        bits.put(0, 1)
        for symbol in range(symbols):
            bits.put(int(symbol < 256), 1)
    for _ in range(3):  # Blue, alpha and distance: one value, which takes no bits.
        bits.put(0b0001, 4)
    for group in range(columns * rows):
        for value in (group & 0xFF, group >> 8):
            bits.put(int(f"{value:08b}"[::-1], 2), 8)
    for _ in range(5 * columns * rows):
        bits.put(0b0001, 4)
    body = bits.all()
    part = b"VP8L" + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)
    return b"RIFF" + struct.pack("<I", 4 + len(part)) + b"WEBP" + part


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
    "PNG of 30,000 by 2,400 with alpha": (lambda: png(30_000, 2400, colour=6), "read"),
    "PNG of 64 megapixels of 16 bits with alpha": (
        lambda: png(8000, 8000, depth=16, colour=6),
        "too_complex",
    ),
    "RLE BMP of 3,000,000 by 25": (lambda: run_length_bmp(3_000_000, 25), "too_many_pixels"),
    "RLE BMP of 8,000 by 8,000": (lambda: run_length_bmp(8000, 8000), "truncated"),
    "BMP without its pixels": (huge_bmp, "too_many_pixels"),
    "AVIF, 41 megapixels of 12 bits with alpha": (
        lambda: (DATA / "41_megapixels_12_bit_alpha.avif").read_bytes(),
        "too_many_pixels",
    ),
    "AVIF larger than it says": (lying_avif, "truncated"),
    # A quick machine decodes them in the time that is allowed.
    "AVIF of 300 frames in one item": (avif_of_frames, "too_complex or read"),
    "AVIF of 5,000 frames in one item": (lambda: avif_of_frames(5000, (640, 480)), "too_complex"),
    "AVIF of extents that overlap": (avif_of_overlapping_extents, "truncated"),
    # It takes about as long as is allowed: either the limit ends it, or the decoder finds no end.
    "AVIF of references times auxiliaries": (avif_of_references, "too_complex or truncated"),
    "HEIC smaller than it says": (lying_heic, "truncated"),
    "JPEG of 5,000 scans": (jpeg_of_repeated_scans, "too_complex"),
    "JPEG of 80 more scans": (jpeg_of_some_repeated_scans, "read"),
    "JPEG with 60 MB of ff": (lambda: jpeg_with(b"\xff" * 60_000_000), "read"),
    "JPEG with 60 MB of restart markers": (
        lambda: jpeg_with(b"\xff\xd0" * 30_000_000),
        "too_complex",
    ),
    "JPEG of repeated starts of scan": (repeated_starts_of_scan, "too_complex"),
    "JPEG of 900 EXIF segments": (lambda: jpeg_with(exif_segment() * 900), "read"),
    "GIF of blocks of one byte": (gif_of_frames, "read"),
    "PNG of repeated EXIF": (lambda: png(64, 48, chunk(b"eXIf", repeated_exif()) * 900), "read"),
    "WebP of repeated EXIF": (webp_of_repeated_exif, "read"),
    "WebP of many chunks": (webp_of_frames, "read"),
    "WebP of 56,000 groups of Huffman codes": (webp_of_huffman_groups, "truncated"),
}
"""Each attack with what becomes of it: a code, or "read" where it is harmless now."""
