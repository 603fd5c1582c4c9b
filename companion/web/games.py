"""The games that the companion has pages for, in the order of the home page."""

from __future__ import annotations

from companion.web.domino_duell import pages as domino_duell
from companion.web.game_pages import GamePages
from companion.web.kingdomino import pages as kingdomino
from companion.web.pip_dominoes import pages as pip_dominoes

GAMES: tuple[GamePages, ...] = (kingdomino.PAGES, *pip_dominoes.PAGES, domino_duell.PAGES)


def pages_of(kind: str) -> GamePages | None:
    """The pages of a kind; None where there are none."""
    return next((each for each in GAMES if each.kind == kind), None)
