"""What the values of the rules hold where a field is left out."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any


def defaults_of(kind: Any) -> dict[str, object]:
    """The fields of a dataclass or named tuple that may be left out, with their values then."""
    if issubclass(kind, tuple):
        return dict(kind._field_defaults)
    found: dict[str, object] = {}
    field: Field[Any]
    for field in fields(kind):
        if not field.init:
            continue
        if field.default is not MISSING:
            found[field.name] = field.default
        elif field.default_factory is not MISSING:
            found[field.name] = field.default_factory()
    return found
