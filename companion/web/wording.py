"""Games, days and points in words, for every page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from companion.games.history import Summary
from companion.languages import Language, say

__all__ = ["count_of_points", "day", "headline", "listed"]


def count_of_points(points: int, language: Language) -> str:
    """ "1 point", "27 points"."""
    return say("points", language, count=points)


def day(moment: datetime, language: Language) -> str:
    """The day as it is written in the language."""
    return say("page.day", language, day=moment.date())


def listed(names: Sequence[str], language: Language) -> str:
    """ "Anna, Ben and Cara"."""
    if len(names) < 2:
        return "".join(names)
    return say("list.two", language, first=", ".join(names[:-1]), last=names[-1])


def headline(game: Summary, language: Language) -> str:
    """Who won a game, or who sits at it."""
    names = [each.name for each in game.players]
    if not names:
        return say("game.none", language)
    winners = [each for each in game.players if each.won]
    if not game.complete or not winners:
        return f"{listed(names, language)}, {say('game.running', language)}"
    points = count_of_points(winners[0].points or 0, language)
    if len(winners) == 1:
        return say("game.won", language, name=winners[0].name, points=points)
    shared = listed([each.name for each in winners], language)
    return say("game.shared", language, names=shared, points=points)
