"""The games that the companion has pages for, registered at one place.

A game's room makes one ``GamePages`` and registers it when its module is imported; ``page.py``
imports the rooms. Home shows them in the order in which they were registered::

    PAGES = register_pages(
        GamePages(
            kind=MUGGINS.key,
            title=lambda language: say("muggins.title", language),
            icon=icon("domino"),
            new_game=show_new_game,
            game=show_game,
        )
    )
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games import Game
from companion.languages import Language
from companion.web.surface import Markup
from companion.web.visit import Visit

__all__ = ["GamePages", "pages_of", "register_pages", "registered_pages"]


@dataclass(frozen=True)
class GamePages:
    """The pages of one kind of game.

    ``kind`` is the key of its ``GameKind``, ``icon`` an outline of 24×24. ``new_game`` draws the
    page ``?new=KIND``, from where ``visit.go_to_game`` leads on; ``game`` draws ``?game=ID`` of
    such a game, which is there, not deleted, and joined by this visitor. Further pages of a game
    go by ``visit.view``, the ``view=`` of the address. ``photo`` is called with the ids of photos
    (``visit.shelf.get``) that were taken on the home page; only the first game gets them.
    """

    kind: str
    title: Callable[[Language], str]
    icon: Markup
    new_game: Callable[[Visit], None]
    game: Callable[[Visit, Game], None]
    photo: Callable[[Visit, list[str]], None] | None = None


_PAGES: dict[str, GamePages] = {}


def register_pages(pages: GamePages) -> GamePages:
    """Make the pages of a kind known; those registered before for the same kind are replaced."""
    _PAGES[pages.kind] = pages
    return pages


def registered_pages() -> tuple[GamePages, ...]:
    """The pages of all kinds, in the order in which they were registered."""
    return tuple(_PAGES.values())


def pages_of(kind: str) -> GamePages | None:
    """The pages of a kind; None where there are none."""
    return _PAGES.get(kind)
