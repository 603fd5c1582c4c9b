"""The pages of the four games of pip dominoes, registered for the home page."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.pip_dominoes.card import result_card
from companion.games.pip_dominoes.kind import CASTLE_ROCK, KINDS, MUGGINS
from companion.languages import Language, say
from companion.store import Game, kind_of
from companion.web.game_pages import GamePages
from companion.web.pip_dominoes.castle_view import show_castle
from companion.web.pip_dominoes.hand_view import show_hand
from companion.web.pip_dominoes.muggins_view import show_muggins
from companion.web.pip_dominoes.new_game import show_help, show_new_game
from companion.web.pip_dominoes.round_view import show_round_game
from companion.web.shell import icon
from companion.web.visit import Visit

_OF_ROUNDS = ("rounds_out", "worst_round", "double_blanks", "penalties")
DETAILS = {
    "mexican_train": _OF_ROUNDS,
    "chickenfoot": _OF_ROUNDS,
    "muggins": ("points_by_play", "plays_that_scored"),
    "castle_rock": ("tiles_left", "seconds"),
}
"""Figures of the results that statistics show, by kind."""
_VIEWS = {MUGGINS.key: show_muggins, CASTLE_ROCK.key: show_castle}


def _show_game(visit: Visit, game: Game) -> None:
    """The page of a hand (``view=hand``), or of the game itself."""
    if visit.view == "hand":
        show_hand(visit, game)
    else:
        _VIEWS.get(game.kind, show_round_game)(visit, game)


def _pages(kind: str) -> GamePages:
    def new_game(visit: Visit) -> None:
        show_new_game(visit, kind)

    def show_rules(visit: Visit) -> None:
        show_help(visit, kind)

    return GamePages(
        kind=kind,
        title=lambda language: kind_of(kind).name,
        icon=icon("castle" if kind == CASTLE_ROCK.key else "domino"),
        new_game=new_game,
        game=_show_game,
        help=show_rules,
        card=result_card,
        details={name: _words(f"domino_page.detail.{name}") for name in DETAILS[kind]},
    )


def _words(code: str) -> Callable[[Language], str]:
    return lambda language: say(code, language)


PAGES = tuple(_pages(each.key) for each in KINDS)
