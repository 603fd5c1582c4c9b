"""The rules of each game in short."""

from __future__ import annotations

from companion.games import kind_of
from companion.pip_dominoes.kinds import CASTLE_ROCK, MUGGINS
from companion.web.pip_dominoes.component import domino_style
from companion.web.pip_dominoes.frame import head
from companion.web.surface import Markup, joined, surface, tag
from companion.web.visit import Visit

__all__ = ["rules_markup", "show_help"]

_LINES = range(1, 6)


def show_help(visit: Visit, kind: str) -> None:
    """Draw the page."""
    domino_style()
    rules = tag("section", rules_markup(visit, kind), class_="card")
    title = f"{kind_of(kind).name}  ·  {visit.say('domino_help.title')}"
    surface(joined(head(visit, title), tag("div", rules, class_="narrow")), key=f"help-{kind}")


def rules_markup(visit: Visit, kind: str) -> Markup:
    """The rules of scoring as a list."""
    part = kind if kind in (MUGGINS.key, CASTLE_ROCK.key) else "rounds"
    lines = [tag("li", visit.say(f"domino_help.{part}.{number}")) for number in _LINES]
    return tag("ul", *lines, class_="rules")
