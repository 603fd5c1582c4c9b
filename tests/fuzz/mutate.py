"""Changes that a decoder may stumble over: of parts, of numbers in them, and of plain bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from tests.fuzz.seeds import large_seeds, seeds
from tests.fuzz.structure import join, split
from tests.vision.photo.attacks import (
    CodedAvif,
    CodedHeif,
    heif_of_tiles,
    picture_of,
    png,
    webp_of_huffman_groups,
)

MAX_BYTES = 3_000_000
LARGE_SHARE = 0.03
"""Of the cases so many start from a picture of many megapixels, which takes longer."""

BUILT_SHARE = 0.02
"""Of the cases so many are built to cost much for their bytes."""

NUMBERS = (0, 1, 2, 7, 16, 127, 128, 255, 256, 4096, 16_383, 16_384, 30_000, 32_767, 65_535)
LARGE = (65_536, 1 << 20, 3_000_000, (1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)


def mutated(seed: int) -> tuple[str, bytes]:
    """The format and the bytes of one case; the same seed gives the same case."""
    rng = random.Random(seed)
    if rng.random() < BUILT_SHARE:
        name, build = rng.choice(STRUCTURES)
        data = build(rng)
        return name, _changed_in_place(data, rng) if rng.random() < 0.5 else data
    name = rng.choice(sorted(seeds()))
    large = rng.random() < LARGE_SHARE and name in large_seeds()
    data = rng.choice((large_seeds() if large else seeds())[name])
    parts = split(data, name)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        parts = _changed_parts(parts, name, rng)
    whole = join(parts, name) if rng.random() < 0.8 else b"".join(parts)
    if rng.random() < 0.1:
        whole = whole[: rng.randrange(len(whole) + 1)]
    return name, whole[:MAX_BYTES]


@cache
def _coded(side: int) -> CodedAvif:
    return CodedAvif((side, side * 3 // 4))


def _many(rng: random.Random, most: int) -> int:
    """A number of any order of magnitude."""
    return int(most ** rng.random())


@cache
def _coded_heif() -> CodedHeif:
    return CodedHeif()


def _frames(rng: random.Random) -> bytes:
    coded = _coded(rng.choice((64, 640, 2000)))
    count = min(_many(rng, 5000), MAX_BYTES // len(coded.frame))
    return picture_of(coded, coded.sequence + coded.frame * count)


def _extents_and_references(coded: CodedAvif | CodedHeif, rng: random.Random) -> bytes:
    content = coded.units.ljust(_many(rng, 100_000), b"\0")
    auxiliaries = _many(rng, 20_000)
    extents = _many(rng, 20_000 // auxiliaries)
    return picture_of(coded, content, extents, auxiliaries, _many(rng, 60_000))


def _heif_frames(rng: random.Random) -> bytes:
    coded = _coded_heif()
    return picture_of(coded, coded.units * _many(rng, MAX_BYTES // len(coded.units)))


def _heif_tiles(rng: random.Random) -> bytes:
    columns = _many(rng, 256)
    return heif_of_tiles(_coded_heif(), columns, min(_many(rng, 256), 20_000 // columns))


def _huffman_groups(rng: random.Random) -> bytes:
    return webp_of_huffman_groups(rng.randrange(6, 240), rng.randrange(6, 240))


def _wide_or_deep_png(rng: random.Random) -> bytes:
    width = _many(rng, 32_000)
    height = max(1, min(_many(rng, 32_000), 8_000_000 // width))
    sides = rng.choice(((width, height), (height, width)))
    return png(*sides, depth=rng.choice((8, 16)), colour=rng.choice((0, 2, 6)))


STRUCTURES: tuple[tuple[str, Callable[[random.Random], bytes]], ...] = (
    ("AVIF", _frames),
    ("AVIF", lambda rng: _extents_and_references(_coded(64), rng)),
    ("HEIF", _heif_frames),
    ("HEIF", lambda rng: _extents_and_references(_coded_heif(), rng)),
    ("HEIF", _heif_tiles),
    ("WEBP", _huffman_groups),
    ("PNG", _wide_or_deep_png),
)
"""What costs as much as one number in the file times another: frames, extents that overlap,
references, tiles, groups of codes, wide rows, deep channels."""


def _changed_parts(parts: list[bytes], name: str, rng: random.Random) -> list[bytes]:
    parts = list(parts) or [b""]
    at = rng.randrange(len(parts))
    if at == 0 and rng.random() < 0.9:  # Else it is soon no picture at all.
        at = rng.randrange(len(parts))
    if name in ("AVIF", "HEIF") and rng.random() < 0.8:  # Their offsets stand far from the data.
        parts[at] = _changed_in_place(parts[at], rng)
        return parts
    match rng.randrange(10):
        case 0:
            times = rng.choice((2, 5, 50, 5000))
            parts[at:at] = [parts[at]] * min(times, MAX_BYTES // max(len(parts[at]), 1))
        case 1:
            del parts[at]
        case 2:
            other = rng.randrange(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        case 3:
            parts.insert(at, rng.choice(split(rng.choice(seeds()[name]), name)))
        case 4:
            fill = rng.choice(
                (b"\0", b"\xff", b"\xff\x00", b"\xff\xd0", bytes([rng.randrange(256)]))
            )
            parts.insert(at, fill * rng.choice((1, 100, 100_000)))
        case _:
            parts[at] = _changed_bytes(parts[at], rng)
    return parts


def _changed_bytes(part: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.7:
        return _changed_in_place(part, rng)
    changed = bytearray(part)
    at = rng.randrange(len(part) + 1)
    if rng.random() < 0.5:
        del changed[at : at + rng.randrange(1, 20)]
    else:
        changed[at:at] = rng.randbytes(rng.randrange(1, 20))
    return bytes(changed)


def _changed_in_place(part: bytes, rng: random.Random) -> bytes:
    """Other bits, bytes or numbers; the length stays."""
    changed = bytearray(part)
    if not changed:
        return part
    # Sizes and counts stand near the start of a part.
    near = min(len(changed), 40) if rng.random() < 0.6 else len(changed)
    for _ in range(rng.choice((1, 1, 2, 10))):
        at = rng.randrange(near)
        match rng.randrange(4):
            case 0:
                changed[at] ^= 1 << rng.randrange(8)
            case 1:
                changed[at] = rng.randrange(256)
            case _:
                size = min(rng.choice((1, 2, 2, 4, 4)), len(changed) - at)
                number = rng.choice(NUMBERS if size < 4 else NUMBERS + LARGE)
                number &= (1 << 8 * size) - 1
                little = rng.random() < 0.5
                changed[at : at + size] = number.to_bytes(size, "little" if little else "big")
    return bytes(changed)
