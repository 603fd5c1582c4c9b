"""What people read on the board, by the codes that its modules ask for."""

from __future__ import annotations

from functools import cache

from companion.languages import Language, codes, say
from scorer.domino_duell import Colour, Symbol, SymbolColour

__all__ = ["board_words"]

_PREFIX = "duell_board."
_FIELDS = {name: f"{{{name}}}" for name in ("hollow", "piece", "count", "name", "points")}


@cache
def board_words(language: Language) -> dict[str, str]:
    """All words of the board in a language, {fields} left as they are."""
    words = {
        code.removeprefix(_PREFIX): say(code, language, **_FIELDS)
        for code in codes()
        if code.startswith(_PREFIX)
    }
    for kind, values in (("colour", Colour), ("symbol", Symbol), ("ink", SymbolColour)):
        for each in values:
            name = each.german if language is Language.GERMAN else each.english
            words[f"{kind}.{each.letter}"] = name
    return words
