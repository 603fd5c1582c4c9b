"""The pictures in a HEIF or AVIF file."""

from __future__ import annotations

from collections.abc import Iterator

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError
from vision.photo.headers.boxes import Item, Items, read_items
from vision.photo.headers.coded_size import CodedSize, av1_sizes, hevc_parameter_sets, hevc_size

__all__ = ["avif_header", "heif_header"]

MAX_UNITS = 20_000
_HEVC_SPS = 33
_CODED = frozenset({b"av01", b"hvc1"})

# Measured: bytes per pixel by (8 bits, more than 8 bits), time per pixel and byte of the file.
_BYTES = {"AVIF": (10.5, 14.0), "HEIF": (7.2, 7.5)}
_BYTES_OF_ALPHA = (6.0, 7.0)
_NS = {"AVIF": 25.0, "HEIF": 20.0}
_NS_PER_BYTE = {"AVIF": 75.0, "HEIF": 100.0}


def avif_header(data: bytes) -> Header:
    """The primary picture of an AVIF file, by what is coded and not by what is said of it.

    Source: AV1 image file format 1.1.
    """
    return _header(data, "AVIF", b"av01")


def heif_header(data: bytes) -> Header:
    """The same of a HEIF file of HEVC pictures. Source: ISO/IEC 23008-12."""
    return _header(data, "HEIF", b"hvc1")


def _header(data: bytes, picture_format: str, coding: bytes) -> Header:
    items = read_items(data, picture_format)
    primary = items[items.primary]
    if primary.kind not in (coding, b"grid"):
        kind = "".join(c for c in primary.kind.decode("ascii", "replace") if c.isalnum())
        raise PhotoError("unsupported_format", format=f"{picture_format}, {kind}")
    parts = [items.primary, *primary.made_of]
    alpha = [
        number
        for number, item in list(items.items.items())
        if any(of in set(parts) for of in item.auxiliary_of) and _is_alpha(item)
    ]
    parts += [*alpha, *(part for number in alpha for part in items[number].made_of)]
    coded = [
        size
        for number in parts
        if items[number].kind in _CODED
        for size in [_largest(items[number], data)]
    ]
    said = [_said_size(items[number]) for number in (items.primary, *alpha)]
    width, height = said[0]
    # Tiles are decoded one by one, each into its place in the whole.
    held = max(w * h for w, h, _ in [*coded, *((w, h, 8) for w, h in said)])
    decoded = max(sum(w * h for w, h, _ in coded), held)
    deep = any(bits > 8 for _, _, bits in coded)
    per_pixel = _BYTES[picture_format][deep] + bool(alpha) * _BYTES_OF_ALPHA[deep]
    nanoseconds = _NS[picture_format] * decoded + _NS_PER_BYTE[picture_format] * len(data)
    bare = _without_metadata(data, items)
    return Header(picture_format, width, height, per_pixel * held, nanoseconds / 1e9, bare)


def _is_alpha(item: Item) -> bool:
    return b"alpha" in (item.property(b"auxC") or b"alpha") or b"auxid:1" in (
        item.property(b"auxC") or b""
    )


def _said_size(item: Item) -> tuple[int, int]:
    extent = item.property(b"ispe") or bytes(12)
    return int.from_bytes(extent[4:8]), int.from_bytes(extent[8:12])


def _largest(item: Item, data: bytes) -> CodedSize:
    """The largest size that any header of the item tells."""
    sizes = [(*_said_size(item), 8), *_coded_sizes(item, data)]
    return max(s[0] for s in sizes), max(s[1] for s in sizes), max(s[2] for s in sizes)


def _coded_sizes(item: Item, data: bytes) -> Iterator[CodedSize]:
    content = b"".join(data[start : start + length] for start, length in item.extents)
    if item.kind == b"av01":
        yield from av1_sizes((item.property(b"av1C") or b"")[4:])
        yield from av1_sizes(content)
        return
    configuration = item.property(b"hvcC") or b""
    yield from (hevc_size(unit) for unit in hevc_parameter_sets(configuration))
    size = (configuration[21] & 3) + 1 if len(configuration) > 21 else 4
    position = 0
    for _ in range(MAX_UNITS):
        if position + size >= len(content):
            return
        length = int.from_bytes(content[position : position + size])
        position += size
        if content[position] >> 1 & 0x3F == _HEVC_SPS:
            yield hevc_size(content[position : position + length])
        position += length
    raise PhotoError("too_complex", format="HEIF")


def _without_metadata(data: bytes, items: Items) -> bytes:
    """The file with EXIF, XMP and thumbnails called by a name that no decoder looks for.

    How a picture is to be turned is told by its properties, which the decoders apply.
    """
    if not items.names_at:
        return data
    changed = bytearray(data)
    for place in items.names_at:
        changed[place : place + 4] = b"skip"
    return bytes(changed)
