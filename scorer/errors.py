"""Errors with a code and its details, shared by the rules of every game.

The sentence that a person reads is made where it is shown, in their language.
"""

from __future__ import annotations

from typing import Self

__all__ = ["CodedError"]


class CodedError(ValueError):
    """An error with a ``code`` that names the reason and the values that a message needs."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code + "".join(f" {name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details

    @classmethod
    def _rebuilt(cls, code: str, details: dict[str, object]) -> Self:
        return cls(code, **details)

    def __reduce__(self) -> tuple[object, ...]:
        """The same error on the other side of a process boundary."""
        return type(self)._rebuilt, (self.code, self.details)
