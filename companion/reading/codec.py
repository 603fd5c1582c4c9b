"""Readings as plain data and back, the same way for the workers and for the store.

A dataclass becomes an object with one entry for each of its fields, by their types, so that no
field can be forgotten: what is added to a reading travels and is kept from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value")
Other = TypeVar("Other")


class Codec(Generic[Value]):
    """Objects of the dataclass ``kind`` as lists, objects, texts and numbers, and back.

    No number loses a digit. ``notations`` gives, for types that are written as a text, what parses
    it. ``makers`` gives, for a dataclass whose fields must fit each other, what makes it of
    them: it checks and completes what it is given. ValueError where it can't.
    """

    def __init__(
        self,
        kind: type[Value],
        notations: Mapping[type, Callable[[str], Any]],
        makers: Mapping[type, Callable[..., Any]] | None = None,
    ) -> None:
        self.kind = kind
        self.notations = notations
        self.makers = makers or {}

    def of(self, kind: type[Other]) -> Codec[Other]:
        """The codec of another dataclass by the same notations and makers."""
        return Codec(kind, self.notations, self.makers)

    def to_plain(self, value: Value) -> dict[str, Any]:
        """What JSON can express, NaN as null; ValueError for a number that is infinite."""
        plain: dict[str, Any] = self._plain(value)
        return plain

    def from_plain(self, plain: Any) -> Value:
        """What ``to_plain`` was given; ValueError for data of anything else.

        A field that the data lack has its default, because readings were kept before there was
        that field. Entries that are no field are left out.
        """
        try:
            made: Value = self._made(self.kind, plain, "reading")
        except RecursionError as error:
            raise ValueError("reading: expected fewer readings within each other") from error
        return made

    def _plain(self, value: Any) -> Any:
        if type(value) in self.notations:
            return str(value)
        match value:
            case None | str():
                return value
            case bool() | np.bool_():
                return bool(value)
            case int() | np.integer():
                return int(value)
            case float() | np.floating():
                return _finite(float(value), "number")
            case np.ndarray():
                return _plain_array(value)
            case tuple():
                return [self._plain(each) for each in value]
            case frozenset():
                return sorted(self._plain(each) for each in value)
            case Mapping():
                return {str(key): self._plain(each) for key, each in value.items()}
            case _ if is_dataclass(value):
                return {each.name: self._plain(getattr(value, each.name)) for each in fields(value)}
        raise TypeError(f"expected what a reading is made of, got {type(value).__name__}")

    def _made(self, hint: Any, plain: Any, name: str) -> Any:
        """The value of a type, from plain data; ``name`` is that of the field."""
        origin, arguments = get_origin(hint), get_args(hint)
        if hint in self.notations:
            return self.notations[hint](_checked(str, plain, name))
        if origin in (Union, UnionType):
            if plain is None and NoneType in arguments:
                return None
            # All else that a field may hold is written in one notation.
            return self._made(next(each for each in arguments if each is not NoneType), plain, name)
        if is_dataclass(hint):
            return self._made_of_fields(hint, plain, name)
        if origin is np.ndarray:
            (dtype,) = get_args(arguments[1])
            return _array(plain, dtype, name)
        if origin is tuple:
            return self._made_tuple(arguments, plain, name)
        if origin is frozenset:
            values = _checked(list, plain, name)
            return frozenset(self._made(arguments[0], each, name) for each in values)
        if origin is dict:
            entries = _checked(dict, plain, name).items()
            return {
                _checked(str, key, name): self._made(arguments[1], each, name)
                for key, each in entries
            }
        if hint is float:
            return _number(plain, name)
        if hint in (str, bool, int):
            return _checked(hint, plain, name)
        raise TypeError(f"{name}: expected a type that readings are made of, got {hint}")

    def _made_of_fields(self, kind: Any, plain: Any, name: str) -> Any:
        data, found = _checked(dict, plain, name), {}
        for field, hint in _typed_fields(kind):
            if field.name in data:
                found[field.name] = self._made(hint, data[field.name], field.name)
            elif field.default is MISSING and field.default_factory is MISSING:
                raise ValueError(f"{name}: expected the data of a reading, {field.name} is missing")
        return self.makers.get(kind, kind)(**found)

    def _made_tuple(self, arguments: tuple[Any, ...], plain: Any, name: str) -> tuple[Any, ...]:
        values = _checked(list, plain, name)
        if arguments[-1] is not Ellipsis and len(values) != len(arguments):
            raise ValueError(f"{name}: expected {len(arguments)} values, got {len(values)}")
        hints = arguments if arguments[-1] is not Ellipsis else arguments[:1] * len(values)
        return tuple(self._made(hint, each, name) for hint, each in zip(hints, values, strict=True))


@cache
def _typed_fields(kind: type) -> tuple[tuple[Field[Any], Any], ...]:
    hints = get_type_hints(kind)
    return tuple((each, hints[each.name]) for each in fields(kind))


def _checked(kind: type[Other], plain: Any, name: str) -> Other:
    """A value of just this type: what is true is no number."""
    if type(plain) is not kind:
        raise ValueError(f"{name}: expected {kind.__name__}, got {type(plain).__name__}")
    return plain


def _number(plain: Any, name: str) -> float:
    if type(plain) not in (int, float):
        raise ValueError(f"{name}: expected a number, got {type(plain).__name__}")
    try:
        return _finite(float(plain), name)
    except OverflowError as error:
        raise ValueError(f"{name}: expected a smaller number") from error


def _finite(number: float, name: str) -> float:
    if not isfinite(number):
        raise ValueError(f"{name}: expected a finite number, got {number}")
    return number


def _plain_array(array: NDArray[Any]) -> Any:
    if array.dtype.kind != "f":
        return array.tolist()
    if np.isinf(array).any():
        raise ValueError("array: expected finite numbers or NaN")
    objects = array.astype(np.object_)
    objects[np.isnan(array)] = None
    return objects.tolist()


def _array(plain: Any, dtype: Any, name: str) -> NDArray[Any]:
    """Nested lists of numbers, or of true and false, as an array; NaN for null."""
    try:
        array = np.array(_checked(list, plain, name), dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: expected rows of {np.dtype(dtype).name}, {error}") from error
    if np.isinf(array).any():
        raise ValueError(f"{name}: expected finite numbers")
    return array
