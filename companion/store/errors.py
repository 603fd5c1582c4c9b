"""What the store refuses, as a code and its details; the words are made where they are shown."""

from __future__ import annotations

from typing import Literal, overload

StoreCode = Literal[
    "bad_backup", "bad_import", "bad_part", "bad_players", "bad_sequence", "bad_url", "bad_value",
    "change_id_reused", "deleted_game", "newer_database", "no_collision", "no_consent", "no_game",
    "no_photo", "not_empty", "nothing_to_redo", "nothing_to_undo", "photo_too_large", "too_large",
    "unknown_kind",
]  # fmt: skip
"""Why the store refuses something."""


class StoreError(ValueError):
    """An error with a ``code`` that names the reason and the values that a message needs.

    The signatures say which code has which; ``bad_value`` may have more by the rules of its game.
    """

    code: StoreCode
    details: dict[str, object]

    @overload
    def __init__(
        self, code: Literal["bad_value"], *, part: str, reason: str, **more: object
    ) -> None: ...
    @overload
    def __init__(self, code: Literal["bad_part"], *, part: str) -> None: ...
    @overload
    def __init__(
        self, code: Literal["bad_players"], *, reason: str, most: int = ..., name: str = ...
    ) -> None: ...
    @overload
    def __init__(
        self, code: Literal["bad_import", "bad_backup"], *, place: str, reason: str
    ) -> None: ...
    @overload
    def __init__(self, code: Literal["bad_sequence"], *, expected: int, actual: int) -> None: ...
    @overload
    def __init__(
        self,
        code: Literal["nothing_to_undo", "nothing_to_redo", "no_collision"],
        *,
        sequence: int,
    ) -> None: ...
    @overload
    def __init__(
        self, code: Literal["too_large"], *, part: str, limit: int, actual: int
    ) -> None: ...
    @overload
    def __init__(self, code: Literal["photo_too_large"], *, limit: int, actual: int) -> None: ...
    @overload
    def __init__(self, code: Literal["change_id_reused"], *, change_id: str) -> None: ...
    @overload
    def __init__(self, code: Literal["newer_database"], *, revision: str | None) -> None: ...
    @overload
    def __init__(self, code: Literal["unknown_kind"], *, kind: str) -> None: ...
    @overload
    def __init__(
        self,
        code: Literal["bad_url", "deleted_game", "no_consent", "no_game", "no_photo", "not_empty"],
    ) -> None: ...
    def __init__(self, code: StoreCode, **details: object) -> None:
        super().__init__(code + "".join(f" {name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details
