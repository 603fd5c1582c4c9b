"""Find quests by their key or by their name in any language."""

from __future__ import annotations

import re
import unicodedata

from companion.languages import Language, say
from scorer.kingdomino import Goal, Quest, RulesError, Terrain

__all__ = ["quest_of"]


def quest_of(text: str) -> Quest:
    """The quest of a text such as ``harmony``, ``Bauernschlau`` or ``Umland:Wald``.

    The name is the key or that in any language of the companion, the terrain its letter or name;
    case, accents and punctuation don't matter. RulesError as ``Quest`` raises it, or
    ``unknown_quest``.
    """
    name, colon, place = text.partition(":")
    goals = [goal for goal in Goal if _plain(name) in _names(f"quest.{goal.key}", goal.key)]
    terrains = [
        terrain
        for terrain in Terrain
        if _plain(place) in _names(f"terrain.{terrain.letter}", terrain.letter)
    ]
    if not goals or (colon and not terrains):
        raise RulesError("unknown_quest", quest=text)
    return Quest(goals[0], terrains[0] if terrains else None)


def _names(code: str, key: str) -> set[str]:
    return {_plain(key), *(_plain(say(code, language)) for language in Language)}


def _plain(name: str) -> str:
    """The words of a name in lower case without accents, both ä and ae as a."""
    folded = re.sub("([aou])e", r"\1", name.casefold())
    letters = unicodedata.normalize("NFKD", folded)
    return " ".join(re.findall(r"\w+", "".join(c for c in letters if not unicodedata.combining(c))))
