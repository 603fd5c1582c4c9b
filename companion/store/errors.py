"""What the store refuses, as a code and its details; the words are made where they are shown."""

from __future__ import annotations


class StoreError(ValueError):
    """An error with a ``code`` that names the reason and the values that a message needs.

    ``no_game``, ``deleted_game``, ``unknown_kind``, ``bad_part``, ``bad_value`` (details ``part``,
    ``reason``), ``too_large``, ``bad_players`` (``reason``), ``bad_sequence`` (``expected``,
    ``actual``), ``change_id_reused``, ``nothing_to_undo`` and ``nothing_to_redo`` (``sequence``),
    ``no_collision``, ``no_consent``, ``no_photo``, ``photo_too_large``, ``newer_database``,
    ``bad_url``, ``bad_import`` and ``bad_backup`` (``place``, ``reason``), ``not_empty``.
    """

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code + "".join(f" {name}={value!r}" for name, value in details.items()))
        self.code = code
        self.details = details
