"""Kingdoms and the box given on the command line, for the commands that take them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from companion.languages import Language, say
from scorer.kingdomino import Kingdom, NotationError, Player

__all__ = ["WrongUse", "add_box_arguments", "add_kingdoms", "players_of"]


class WrongUse(ValueError):
    """A command line that can't be carried out; its text says why, in the reader's language."""


def add_kingdoms(parser: argparse.ArgumentParser) -> None:
    """Add the kingdoms as positional arguments."""
    parser.add_argument(
        "kingdoms",
        nargs="+",
        metavar="[NAME=]NOTATION",
        help='rows from the top separated by "/", squares by blanks: "." empty, "c" castle, or '
        "w f l g s m (wheat, forest, lake, grassland, swamp, mine) with its crowns and a ! for "
        "each giant",
    )


def add_box_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what decides on the grid and on the dominoes in play."""
    parser.add_argument(
        "--size",
        type=int,
        choices=(5, 7),
        help="side of the grid (default: 7 for more than 25 squares, else 5)",
    )
    parser.add_argument("--duel", action="store_true", help="the Mighty Duel, 7×7 for two players")
    parser.add_argument("--giants", action="store_true", help="with the dominoes of Age of Giants")


def players_of(arguments: Sequence[str], language: Language) -> list[Player]:
    """The kingdoms with the names of their players, "" where no name is given.

    WrongUse for a text that is no kingdom, and for names that are missing or not distinct.
    """
    players = []
    for text in arguments:
        name, equals, notation = text.rpartition("=")
        try:
            players.append(Player(name.strip(), Kingdom.parse(notation)))
        except NotationError as error:
            reason = say(f"notation.{error.code}", language, **_from_one(error))
            raise WrongUse(
                say("notation.refused", language, text=notation.strip(), reason=reason)
            ) from error
        if equals and not name.strip():
            raise WrongUse(say("players.empty_name", language, text=text))
    names = [player.name for player in players if player.name]
    for name in names:
        if names.count(name) > 1:
            raise WrongUse(say("players.same_name", language, name=name))
    if names and len(names) < len(players):
        raise WrongUse(say("players.some_named", language))
    return players


def _from_one(error: NotationError) -> dict[str, object]:
    """The details of the error with rows and columns counted from 1, as people do."""
    return {
        name: value + 1 if name in ("row", "column") and isinstance(value, int) else value
        for name, value in error.details.items()
    }
