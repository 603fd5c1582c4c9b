"""Changes that a decoder may stumble over: of parts, of numbers in them, and of plain bytes."""

from __future__ import annotations

import random

from tests.fuzz.seeds import large_seeds, seeds
from tests.fuzz.structure import join, split

__all__ = ["mutated"]

MAX_BYTES = 3_000_000
LARGE_SHARE = 0.03
"""Of the cases so many start from a picture of many megapixels, which takes longer."""

NUMBERS = (0, 1, 2, 7, 16, 127, 128, 255, 256, 4096, 16_383, 16_384, 30_000, 32_767, 65_535)
LARGE = (65_536, 1 << 20, 3_000_000, (1 << 24) - 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)


def mutated(seed: int) -> tuple[str, bytes]:
    """The format and the bytes of one case; the same seed gives the same case."""
    rng = random.Random(seed)
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
