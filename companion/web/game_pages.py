"""The games that the companion has pages for, registered at one place.

A game's package makes one ``GamePages`` and registers it when its module is imported;
``GAME_MODULES`` names those modules. Home shows the games in that order::

    PAGES = register_pages(
        GamePages(
            kind=MUGGINS.key,
            title=title_of_muggins,
            icon=icon("domino"),
            new_game=show_new_game,
            game=show_game,
        )
    )
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from companion.languages import Language
from companion.store import Game
from companion.web.shell import Markup
from companion.web.visit import Visit

__all__ = [
    "GAME_MODULES",
    "GamePages",
    "Outlines",
    "load_game_pages",
    "pages_of",
    "register_pages",
    "registered_pages",
]

GAME_MODULES = (
    "companion.web.kingdomino.pages",
    "companion.web.pip_dominoes.pages",
    "companion.web.domino_duell.pages",
)
"""Modules that register the pages of a game, in the order of the home page."""


Outlines = Callable[[bytes], Iterable[Iterable[tuple[float, float]]]]


@dataclass(frozen=True)
class GamePages:
    """The pages of one kind of game.

    ``kind`` is the key of its ``GameKind``, ``icon`` an outline of 24×24. ``new_game`` draws the
    page ``?new=KIND``, from where ``visit.go_to_game`` leads on; ``game`` draws ``?game=ID`` of
    such a game, which is there, not deleted, and joined by this visitor. Further pages of a game
    go by ``visit.view``, the ``view=`` of the address. ``photo`` is called with the ids of photos
    (``visit.photos.get``) that were taken on the home page; only the first game gets them.
    ``help`` draws the page ``?view=help&kind=KIND``: setting up and rules in short. ``details``
    names the figures of its results that statistics show, by key; ``card`` is a PNG of a complete
    game, for sharing. ``outlines`` finds frames of what a photo would show in a small picture of
    the camera, corners (x, y) as shares of its sides; PhotoError for what is no picture.
    ``alone`` is the code of the words that lead to ``?new=KIND&kept=1``, where something of this
    game is kept without a game; None where nothing is. ``is_given_name`` says whether a name is one
    that these pages give to players whom nobody has named.
    """

    kind: str
    title: Callable[[Language], str]
    icon: Markup
    new_game: Callable[[Visit], None]
    game: Callable[[Visit, Game], None]
    photo: Callable[[Visit, list[str]], None] | None = None
    help: Callable[[Visit], None] | None = None
    details: Mapping[str, Callable[[Language], str]] = field(default_factory=dict)
    card: Callable[[Game, Language], bytes] | None = None
    outlines: Outlines | None = None
    alone: str | None = None
    is_given_name: Callable[[str], bool] | None = None


_PAGES: dict[str, GamePages] = {}


def register_pages(pages: GamePages) -> GamePages:
    """Make the pages of a kind known; those registered before for the same kind are replaced."""
    _PAGES[pages.kind] = pages
    return pages


def registered_pages() -> tuple[GamePages, ...]:
    """The pages of all kinds, in the order in which they were registered."""
    load_game_pages()
    return tuple(_PAGES.values())


def pages_of(kind: str) -> GamePages | None:
    """The pages of a kind; None where there are none."""
    load_game_pages()
    return _PAGES.get(kind)


@cache
def load_game_pages() -> None:
    """Import the pages of all games, which registers their kinds; before any game is loaded."""
    for name in GAME_MODULES:
        import_module(name)
