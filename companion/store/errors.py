"""What the store refuses, as a code and its details; the words are made where they are shown."""

from __future__ import annotations

from typing import Literal

StoreCode = Literal[
    "bad_backup", "bad_import", "bad_part", "bad_players", "bad_sequence", "bad_url", "bad_value",
    "change_id_reused", "deleted_game", "newer_database", "no_collision", "no_consent", "no_game",
    "no_photo", "not_empty", "nothing_to_redo", "nothing_to_undo", "photo_too_large", "too_large",
    "unknown_kind",
]  # fmt: skip
"""Why the store refuses something."""


class StoreError(ValueError):
    """An error with a ``code`` that names the reason and the values that a message needs.

    These are ``part`` and ``reason`` of ``bad_part`` and ``bad_value``, ``reason`` of
    ``bad_players``, ``expected`` and ``actual`` of ``bad_sequence``, ``sequence`` of
    ``nothing_to_undo`` and ``nothing_to_redo``, ``place`` and ``reason`` of ``bad_import`` and
    ``bad_backup``.
    """

    def __init__(self, code: StoreCode, **details: object) -> None:
        super().__init__(code + "".join(f" {name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details
