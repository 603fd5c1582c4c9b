"""Reading records: JSON objects that were kept earlier, or come from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar

from scorer.pip_dominoes.errors import NotationError

Record = Mapping[str, Any]
Kind = TypeVar("Kind")
Choice = TypeVar("Choice", bound=Enum)


def field_of(record: Any, name: str, kind: type[Kind]) -> Kind:
    """A field of the kind asked for; NotationError ``bad_record`` without it.

    A truth value is no number.
    """
    value = record.get(name) if isinstance(record, Mapping) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError("bad_record", field=name)
    return value


def optional_field(record: Any, name: str, kind: type[Kind]) -> Kind | None:
    """Like ``field_of``, or None where the field is missing or null."""
    if isinstance(record, Mapping) and record.get(name) is None:
        return None
    return field_of(record, name, kind)


def optional_number(record: Any, name: str) -> float | None:
    """A field that is a number, or None where it is missing or null."""
    value = optional_field(record, name, object)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotationError("bad_record", field=name)
    return float(value)


def names_of(record: Any, name: str) -> tuple[str, ...]:
    """A field that is a list of texts."""
    values = field_of(record, name, list)
    if not all(isinstance(value, str) for value in values):
        raise NotationError("bad_record", field=name)
    return tuple(values)


def objects_of(record: Any, name: str) -> Sequence[Record]:
    """A field that is a list of objects."""
    values = field_of(record, name, list)
    if not all(isinstance(value, Mapping) for value in values):
        raise NotationError("bad_record", field=name)
    return values


def whole_number(value: Any, name: str) -> int:
    """A whole number, no truth value; NotationError ``bad_record`` naming the field."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError("bad_record", field=name)
    return value


def choice_of(record: Any, name: str, default: Choice) -> Choice:
    """A field with the value of a member of the enumeration of ``default``, which may be left out.

    NotationError ``bad_record`` for a value that no member has.
    """
    value = optional_field(record, name, str)
    if value is None:
        return default
    for each in type(default):
        if each.value == value:
            return each
    raise NotationError("bad_record", field=name)
