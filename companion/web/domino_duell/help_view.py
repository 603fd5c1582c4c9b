"""The rules in short, with a triple and the stone that is missing to a quadruple."""

from __future__ import annotations

from companion.domino_duell.kind import DOMINO_DUELL
from companion.web.domino_duell.drawing import stones_picture
from companion.web.home import back_bar
from companion.web.surface import Markup, joined, surface, tag
from companion.web.visit import Visit
from scorer.domino_duell import Stone

__all__ = ["help_markup", "rules_list", "show_help"]

LINES = ("stones", "triple", "quadruple", "start", "move", "points", "swap", "joker", "end")
_TRIPLE = tuple(map(Stone.parse, ("rcw", "gmw", "btw")))
_FOURTH = Stone.parse("ysw")


def show_help(visit: Visit) -> None:
    """Draw the page."""
    surface(help_markup(visit), key="duel-help")


def help_markup(visit: Visit) -> Markup:
    """The page as markup."""
    picture = stones_picture(_TRIPLE, _FOURTH, visit.say("duell_help.pictures"))
    caption = tag("figcaption", visit.say("duell_help.pictures"), class_="soft small")
    shown = tag("figure", picture, caption)
    board = tag("p", visit.say("duell_help.board"), class_="soft")
    title = f"{DOMINO_DUELL.name}  ·  {visit.say('duell_help.title')}"
    rules = tag("section", shown, rules_list(visit), board, class_="card stack")
    return joined(back_bar(visit, title), tag("div", rules, class_="narrow"))


def rules_list(visit: Visit) -> Markup:
    """The rules, a sentence or two each."""
    lines = [tag("li", visit.say(f"duell_help.{name}")) for name in LINES]
    return tag("div", tag("ul", *lines), class_="list")
