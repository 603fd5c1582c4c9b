"""Errors with a code and its details, shared by the rules of every game.

What a person reads is made where it is shown, in their language; here it is English.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self


class CodedError(ValueError):
    """An error with a ``code`` that names the reason and the values that a message needs.

    Its text is the code and, where ``sentences`` has one for it, what it means in English. A
    subclass names in ``from_0`` the details that count from 0; people count from 1.
    """

    sentences: ClassVar[Mapping[str, str]] = {}
    from_0: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    @property
    def values(self) -> dict[str, object]:
        """The details as people say them, what counts from 0 counted from 1."""
        return {
            name: value + 1 if name in self.from_0 and isinstance(value, int) else value
            for name, value in self.details.items()
        }

    def __str__(self) -> str:
        sentence = self.sentences.get(self.code)
        if sentence is not None:
            values = {name: _in_words(value) for name, value in self.values.items()}
            try:
                return f"{self.code}: {sentence.format(**values)}"
            except (KeyError, IndexError):  # Made without a detail that the sentence has.
                pass
        return self.code + "".join(f" {name}={value!r}" for name, value in self.details.items())

    @classmethod
    def _rebuilt(cls, code: str, details: dict[str, object]) -> Self:
        return cls(code, **details)

    def __reduce__(self) -> tuple[object, ...]:
        """The same error on the other side of a process boundary."""
        return type(self)._rebuilt, (self.code, self.details)


def _in_words(value: object) -> object:
    """A number or text as it is, several as a list in a sentence."""
    if not isinstance(value, tuple):
        return value
    *before, last = map(str, value) if value else ("",)
    return f"{', '.join(before)} and {last}" if before else last
