"""Why a photograph could not be read: one type with a code; the words are made in the app."""

from __future__ import annotations

__all__ = ["PhotoError"]


class PhotoError(ValueError):
    """A photograph that can't be read.

    ``code`` names the reason; ``details`` are the values that a message needs. The sentence
    that a person reads is made where it is shown, in their language.
    """

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code + "".join(f" {name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self.code, self.details)


def _rebuilt(code: str, details: dict[str, object]) -> PhotoError:
    """The same error on the other side of a process boundary."""
    return PhotoError(code, **details)
