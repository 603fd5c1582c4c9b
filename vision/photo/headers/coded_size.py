"""The size that a coded picture has, whatever the file around it says."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["CodedSize", "av1_sizes", "hevc_parameter_sets", "hevc_size"]

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
