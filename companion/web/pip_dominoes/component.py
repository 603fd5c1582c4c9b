"""The pieces of a page that answer at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.languages import Language, say
from companion.web.parts import words_of
from companion.web.shell.bridge import Component, Message

__all__ = ["piece", "piece_words"]


def _newest(message: Message) -> list[tuple[int, Message]]:
    """A piece sends all that it holds, so the newest message is the change."""
    return [(message.seq, message)]


_PIECE = Component("domino_piece", "pip_dominoes/static/pieces.mjs", _newest)

_WORDS = {
    "hand": ("hand.",),
    "keypad": ("keypad.", "hand.erase"),
    "clock": ("clock.",),
}
_SHARED = {
    "undo": "page.undo",
    "sheet.close": "page.close",
    "sync.late": "domino_page.sync_late",
    "points.unit.one": "domino_page.point",
    "points.unit.several": "domino_page.points",
}
_FIELDS = ("count", "name", "number", "pips", "points", "tile")


def piece_words(name: str, language: Language) -> dict[str, str]:
    """The words of a piece by their codes, {fields} left as they are."""
    shared = {code: say(asked, language) for code, asked in _SHARED.items()}
    return {**words_of(_WORDS[name], language, _FIELDS), **shared}


def piece(
    name: str,
    data: Mapping[str, Any],
    *,
    key: str,
    language: Language,
    on_change: Callable[[Message], None],
) -> None:
    """Draw the piece ``hand``, ``keypad`` or ``clock`` with what it shows.

    ``on_change`` gets what a person did, before the page is drawn again; what it holds then must
    be safe, because drawing answers it. Where it raises, the phone sends again.
    """
    words = piece_words(name, language)
    _PIECE.show({**data, "piece": name, "words": words}, key=key, on_change=on_change)
