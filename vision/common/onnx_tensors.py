"""Stored tensors of ONNX files, read and replaced by others of the same size, without a library.

The layout is that of Protocol Buffers: a model (field 7: its graph) of a graph (field 5: its stored
tensors) of tensors (1: sides, 8: name, 9: values as little-endian bytes).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_tensor", "with_tensors"]

Floats = NDArray[np.float32]
_GRAPH, _STORED, _SIDES, _NAME, _VALUES = 7, 5, 1, 8, 9
_VARINT, _BYTES = 0, 2
_SIZES = {1: 8, 5: 4}


def read_tensor(model: bytes, name: str) -> Floats:
    """A stored tensor of 32-bit floats. KeyError where there is none of this name."""
    begin, end, shape = _places(model)[name]
    return np.frombuffer(model[begin:end], "<f4").astype(np.float32).reshape(shape)


def with_tensors(model: bytes, tensors: Mapping[str, Floats]) -> bytes:
    """The model with other values in these tensors.

    KeyError for a name that is not there, ValueError for a tensor of another shape.
    """
    places, changed = _places(model), bytearray(model)
    for name, values in tensors.items():
        begin, end, shape = places[name]
        if values.shape != shape:
            raise ValueError(f"{name}: expected shape {shape}, got {values.shape}")
        changed[begin:end] = np.ascontiguousarray(values, "<f4").tobytes()
    return bytes(changed)


def _places(model: bytes) -> dict[str, tuple[int, int, tuple[int, ...]]]:
    """Where the values of each stored tensor begin and end, and its shape."""
    found = {}
    for field, begin, end in _fields(model, 0, len(model)):
        if field == _GRAPH:
            for inner, first, last in _fields(model, begin, end):
                if inner == _STORED:
                    name, place = _tensor(model, first, last)
                    found[name] = place
    return found


def _tensor(model: bytes, begin: int, end: int) -> tuple[str, tuple[int, int, tuple[int, ...]]]:
    """Its name and place; one whose values are stored in another way has none."""
    name, values, sides = "", (begin, begin), list[int]()
    for field, first, last in _fields(model, begin, end):
        if field == _NAME:
            name = model[first:last].decode()
        elif field == _VALUES:
            values = (first, last)
        elif field == _SIDES:
            at = first
            while at < last:
                side, at = _varint(model, at)
                sides.append(side)
    return name, (*values, tuple(sides))


def _fields(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message: number, and where their content begins and ends."""
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        begin = at
        if kind == _VARINT:
            _, at = _varint(data, at)
        elif kind == _BYTES:
            size, begin = _varint(data, at)
            at = begin + size
        elif kind in _SIZES:
            at += _SIZES[kind]
        else:
            raise ValueError(f"ONNX: expected a field of a known kind, got {kind}")
        if at > end:
            raise ValueError("ONNX: expected a whole message, it ends too early")
        yield key >> 3, begin, at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("ONNX: expected a whole message, it ends too early")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
