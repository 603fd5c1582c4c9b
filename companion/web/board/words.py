"""What people read on the board, by the codes that its modules ask for."""

from __future__ import annotations

from functools import cache

from companion.languages import Language, codes, say
from scorer.kingdomino import Terrain

__all__ = ["board_words"]

_PREFIX = "board."
_FIELDS = {
    name: f"{{{name}}}" for name in ("column", "columns", "count", "index", "row", "rows", "square")
}


@cache
def board_words(language: Language) -> dict[str, str]:
    """All words of the board in a language, by their code, {fields} left as they are."""
    words = {
        code.removeprefix(_PREFIX): say(code, language, **_FIELDS)
        for code in codes()
        if code.startswith(_PREFIX)
    }
    for terrain in Terrain:
        code = f"terrain.{terrain.letter}"
        name = say(code, language)
        words[code] = name[:1].upper() + name[1:]
    return words
