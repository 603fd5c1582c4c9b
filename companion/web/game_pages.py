"""What the pages of one kind of game are; `companion.web.games` lists those of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.languages import Language
from companion.store import Game, Json, Store
from companion.web.shell import Markup
from companion.web.visit import Visit

Glance = Callable[[bytes, Game | None], Json]


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
    game, for sharing. ``glance`` tells the live view of the camera what a small picture of it
    shows, for a game or for none: a list of objects with an ``outline``, the corners of squares
    still ``open``, all (x, y) as shares of its sides, and its ``points``; PhotoError for what is no
    picture.
    ``is_open`` says of a complete game whether something in doubt in it can change who wins.
    ``alone`` is the code of the words that lead to ``?new=KIND&kept=1``, where something of this
    game is kept without a game; None where nothing is.
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
    glance: Glance | None = None
    alone: str | None = None
    is_open: Callable[[Store, str], bool] | None = None
