"""The pictures in a HEIF or AVIF file: its boxes, and the size that is coded in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vision.photo.bounds import Header
from vision.photo.errors import PhotoError

__all__ = [
    "CodedSize",
    "Item",
    "Items",
    "av1_sizes",
    "avif_header",
    "heif_header",
    "hevc_parameter_sets",
    "hevc_size",
    "read_items",
]

MAX_BOXES = 5000

_METADATA = frozenset({b"Exif", b"mime"})
_DESCRIPTIONS = frozenset({b"cdsc", b"thmb"})


@dataclass
class Item:
    """One item: its type, where its bytes are, its properties, and the items it is made of."""

    kind: bytes = b""
    extents: list[tuple[int, int]] = field(default_factory=list)
    properties: list[tuple[bytes, bytes]] = field(default_factory=list)
    made_of: list[int] = field(default_factory=list)
    auxiliary_of: list[int] = field(default_factory=list)

    def property(self, name: bytes) -> bytes | None:
        return next((body for kind, body in self.properties if kind == name), None)


@dataclass
class Items:
    """All items of a file by number, and the number of the primary one.

    ``names_at`` are the places in the file where metadata, and what refers to it and to
    thumbnails, are named.
    """

    primary: int = -1
    names_at: list[int] = field(default_factory=list)
    items: dict[int, Item] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Item:
        return self.items.setdefault(number, Item())


class _Reader:
    """Big-endian numbers, one after the other; IndexError behind the end."""

    def __init__(self, data: bytes, position: int, end: int) -> None:
        self.data, self.position, self.end = data, position, min(end, len(data))
        self.name_at = 0

    def number(self, size: int) -> int:
        start, self.position = self.position, self.position + size
        if self.position > self.end:
            raise IndexError
        return int.from_bytes(self.data[start : self.position])

    def take(self, size: int) -> bytes:
        start, self.position = self.position, self.position + size
        if self.position > self.end:
            raise IndexError
        return self.data[start : self.position]

    def boxes(self) -> Iterator[tuple[bytes, _Reader]]:
        """Kind and body of each box; ValueError where there are too many."""
        for _ in range(MAX_BOXES):
            if self.position + 8 > self.end:
                return
            start = self.position
            size, kind = self.number(4), self.take(4)
            if size == 1:
                size = self.number(8)
            elif size == 0:
                size = self.end - start
            if size < self.position - start or start + size > self.end:
                raise IndexError
            body = _Reader(self.data, self.position, start + size)
            body.name_at = start + 4
            yield kind, body
            self.position = start + size
        raise ValueError


def read_items(data: bytes, picture_format: str) -> Items:
    """The items of the file; PhotoError truncated or too_complex where they can't be told.

    Source: ISO/IEC 14496-12, section 8.11; ISO/IEC 23008-12, section 9.
    """
    items = Items()
    try:
        for kind, body in _Reader(data, 0, len(data)).boxes():
            if kind == b"meta":
                _read_meta(items, body)
                break
    except ValueError as error:
        raise PhotoError("too_complex", format=picture_format) from error
    except IndexError as error:
        raise PhotoError("truncated", format=picture_format) from error
    # An item that is mentioned and never introduced makes decoders fall over.
    if items.primary not in items.items or not all(
        item.kind.strip().isalnum() for item in items.items.values()
    ):
        raise PhotoError("truncated", format=picture_format)
    return items


def _read_meta(items: Items, meta: _Reader) -> None:
    meta.number(4)
    inside: dict[bytes, _Reader] = {}
    for kind, body in meta.boxes():
        inside.setdefault(kind, body)
    idat = inside[b"idat"].position if b"idat" in inside else 0
    readers = {
        b"pitm": _read_primary,
        b"iinf": _read_infos,
        b"iref": _read_references,
        b"iprp": _read_properties,
    }
    for kind, read in readers.items():
        if kind in inside:
            read(items, inside[kind])
    if b"iloc" in inside:
        _read_locations(items, inside[b"iloc"], idat)


def _read_primary(items: Items, box: _Reader) -> None:
    items.primary = box.number(4 if box.number(4) >> 24 else 2)


def _read_infos(items: Items, box: _Reader) -> None:
    box.number(4 if box.number(4) >> 24 else 2)
    for kind, info in box.boxes():
        if kind == b"infe" and (version := info.number(4) >> 24) >= 2:
            item = items[info.number(2 if version == 2 else 4)]
            info.number(2)
            item.kind = info.take(4)
            if item.kind in _METADATA:
                items.names_at.append(info.position - 4)


def _read_references(items: Items, box: _Reader) -> None:
    size = 4 if box.number(4) >> 24 else 2
    for kind, reference in box.boxes():
        item = items[reference.number(size)]
        to = [reference.number(size) for _ in range(reference.number(2))]
        if kind == b"dimg":
            item.made_of += to
        elif kind == b"auxl":
            item.auxiliary_of += to
        elif kind in _DESCRIPTIONS:
            items.names_at.append(reference.name_at)


def _read_properties(items: Items, box: _Reader) -> None:
    properties: list[tuple[bytes, bytes]] = []
    for kind, body in box.boxes():
        if kind == b"ipco":
            properties += [
                (name, each.take(min(each.end - each.position, 4096)))
                for name, each in body.boxes()
            ]
        elif kind == b"ipma":
            flags = body.number(4)
            for _ in range(body.number(4)):
                item = items[body.number(4 if flags >> 24 else 2)]
                for _ in range(body.number(1)):
                    index = body.number(2) & 0x7FFF if flags & 1 else body.number(1) & 0x7F
                    if 0 < index <= len(properties):
                        item.properties.append(properties[index - 1])
                    if len(item.properties) > MAX_BOXES:
                        raise ValueError


def _read_locations(items: Items, box: _Reader, idat: int) -> None:
    version, sizes = box.number(4) >> 24, box.number(2)
    offset_size, length_size = sizes >> 12, sizes >> 8 & 15
    base_size, index_size = sizes >> 4 & 15, sizes & 15 if version else 0
    extents = 0
    for _ in range(box.number(4 if version == 2 else 2)):
        item = items[box.number(4 if version == 2 else 2)]
        method = box.number(2) & 15 if version else 0
        box.number(2)
        base = box.number(base_size) + (idat if method == 1 else 0)
        for _ in range(box.number(2)):
            box.number(index_size)
            start, length = base + box.number(offset_size), box.number(length_size)
            item.extents.append((start, length or len(box.data) - start))
            extents += 1
            if extents > MAX_BOXES:
                raise ValueError


CodedSize = tuple[int, int, int]
"""Width and height in pixels, bits a sample."""

_SEQUENCE_HEADER = 1
_HEVC_SPS = 33


class _Bits:
    """Bits from the most significant on; zeros behind the end."""

    def __init__(self, data: bytes) -> None:
        self._number = int.from_bytes(data)
        self._left = 8 * len(data)

    def take(self, count: int) -> int:
        self._left -= count
        if self._left < 0:
            return 0
        return self._number >> self._left & ((1 << count) - 1)

    def exponential(self) -> int:
        """An unsigned Exp-Golomb number; zero behind the end."""
        zeros = 0
        while zeros < 32 and self._left > 0 and not self.take(1):
            zeros += 1
        return (1 << zeros) - 1 + self.take(zeros)


def av1_sizes(data: bytes) -> Iterator[CodedSize]:
    """The size in each sequence header among the units of ``data``.

    Source: AV1 bitstream specification, sections 5.3 to 5.5.
    """
    position = 0
    while position < len(data):
        head = data[position]
        position += 2 if head & 4 else 1
        size = len(data) - position
        if head & 2:
            size, shift = 0, 0
            while position < len(data) and shift < 56:
                byte = data[position]
                size |= (byte & 0x7F) << shift
                position, shift = position + 1, shift + 7
                if byte < 0x80:
                    break
        if head >> 3 & 15 == _SEQUENCE_HEADER:
            yield _av1_size(data[position : position + min(size, 512)])
        position += size


def _av1_size(header: bytes) -> CodedSize:
    bits = _Bits(header)
    profile, _, reduced = bits.take(3), bits.take(1), bits.take(1)
    if reduced:
        bits.take(5)
    else:
        _skip_operating_points(bits)
    wide_bits, high_bits = bits.take(4) + 1, bits.take(4) + 1
    width, height = bits.take(wide_bits) + 1, bits.take(high_bits) + 1
    if not reduced:
        # A frame may be larger than the sequence says, as far as its number of bits goes.
        return 1 << wide_bits, 1 << high_bits, 12
    bits.take(3 + 3)  # Superblocks, filters; superresolution, deringing, restoration.
    deep = bits.take(1)
    return width, height, (12 if profile == 2 and bits.take(1) else 10) if deep else 8


def _skip_operating_points(bits: _Bits) -> None:
    decoder_model, delay_bits = 0, 0
    if bits.take(1):
        bits.take(64)
        if bits.take(1):
            bits.exponential()
        decoder_model = bits.take(1)
        if decoder_model:
            delay_bits = bits.take(5) + 1
            bits.take(32 + 5 + 5)
    display_delay = bits.take(1)
    for _ in range(bits.take(5) + 1):
        bits.take(12)
        if bits.take(5) > 7:
            bits.take(1)
        if decoder_model and bits.take(1):
            bits.take(2 * delay_bits + 1)
        if display_delay and bits.take(1):
            bits.take(4)


def hevc_parameter_sets(configuration: bytes) -> Iterator[bytes]:
    """The sequence parameter sets in a decoder configuration record.

    Source: ISO/IEC 14496-15, section 8.3.3.1.
    """
    position = 23
    for _ in range(configuration[22] if len(configuration) > 22 else 0):
        kind = configuration[position] & 0x3F if position < len(configuration) else 0
        count = int.from_bytes(configuration[position + 1 : position + 3])
        position += 3
        for _ in range(min(count, 64)):
            length = int.from_bytes(configuration[position : position + 2])
            if kind == _HEVC_SPS:
                yield configuration[position + 2 : position + 2 + length]
            position += 2 + length


def hevc_size(unit: bytes) -> CodedSize:
    """The size in a sequence parameter set. Source: ITU-T H.265, section 7.3.2.2."""
    bits = _Bits(unit[2:514].replace(b"\0\0\3", b"\0\0"))
    bits.take(4)
    layers = bits.take(3)
    bits.take(1 + 88 + 8)
    present = [(bits.take(1), bits.take(1)) for _ in range(layers)]
    if layers:
        bits.take(2 * (8 - layers))
    for profile, level in present:
        bits.take(88 * profile + 8 * level)
    bits.exponential()
    if bits.exponential() == 3:
        bits.take(1)
    width, height = bits.exponential(), bits.exponential()
    if bits.take(1):
        for _ in range(4):
            bits.exponential()
    return width, height, 8 + max(bits.exponential(), bits.exponential())


MAX_UNITS = 20_000
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
