"""The boxes of an ISO base media file, as far as a still picture needs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vision.photo.errors import PhotoError

__all__ = ["Item", "Items", "read_items"]

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
