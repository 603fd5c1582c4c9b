"""Kingdoms and quests as people type them: as arguments, in files, on the standard input."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from companion.cli.parser import Parser
from companion.cli.terminal import WrongInput, WrongUse, warn
from companion.cli.text_input import Line, add_texts, is_file, source_name, text_lines
from companion.languages import Language, say
from scorer.kingdomino import (
    Goal,
    Kingdom,
    NotationError,
    Player,
    Quest,
    Rules,
    RulesError,
    Terrain,
    rules_in_play,
)


def add_kingdoms(parser: Parser) -> None:
    """Add the kingdoms, as arguments and from files."""
    add_texts(
        parser,
        "[NAME=]NOTATION|FILE|-",
        'rows from the top separated by "/", squares by blanks: "." empty, "c" castle, or '
        "w f l g s m (wheat, forest, lake, grassland, swamp, mine) with its crowns and a ! for "
        "each giant; of The Court w* with a token, g+2 with a building, f:queen with a character, "
        'f:king:7 with points by hand; or a file, or "-" for the standard input, with a kingdom a '
        "line: empty lines and lines that begin with # are skipped",
    )


def add_box_arguments(parser: Parser) -> None:
    """Add the options that decide on the grid and the dominoes in play."""
    parser.add_argument(
        "--size",
        type=int,
        choices=(5, 7),
        help="side of the grid of all players (default: 7 where a kingdom has more than 25 squares "
        "unless 3 or more play, else 5)",
    )
    parser.add_argument("--duel", action="store_true", help="the Mighty Duel, 7×7 for two players")
    parser.add_argument(
        "--giants",
        action="store_true",
        help="with the dominoes of Age of Giants; a giant on any square says so too",
    )
    parser.add_argument(
        "--court",
        action="store_true",
        help="with The Court; a token, building or character on any square says so too",
    )


NEXT_GAME = "+"


def entries_of(
    arguments: Sequence[str], files: Sequence[str], language: Language
) -> list[list[Line]]:
    """Collect the kingdoms game by game, without empty games.

    A game ends at the argument ``+``, at an empty line, and where a file begins or ends. WrongUse
    for a file that can't be read, is too long, or holds no kingdom, and for no kingdom at all.
    """
    games: list[list[Line]] = [[]]
    for argument in arguments:
        if argument == NEXT_GAME:
            games.append([])
        elif is_file(argument):
            games += [*_games_in(argument, language), []]
        elif argument.count("=") < 2:
            name, equals, rows = argument.rpartition("=")
            games[-1].append(Line(name + equals + "/".join(rows.strip().splitlines())))
        else:
            games[-1] += map(Line, argument.strip().splitlines())
    for file in files:
        games += _games_in(file, language)
    games = [game for game in games if game]
    if not games:
        raise WrongUse(say("input.none", language))
    return games


def _games_in(file: str, language: Language) -> list[list[Line]]:
    games: list[list[Line]] = [[]]
    for line in text_lines(file, language, named=True):
        text = line.text.strip()
        if not text:
            games.append([])
        elif not text.startswith("#"):
            games[-1].append(replace(line, text=text))
    if not any(games):
        raise WrongInput(say("kingdoms.none_in_file", language, file=source_name(file, language)))
    return [_one_kingdom(game, language) if _are_rows(game) else game for game in games]


def _are_rows(lines: Sequence[Line]) -> bool:
    """Whether lines are the rows of one kingdom: as many squares each, one castle in all."""
    rows = [line.text.split() for line in lines]
    return (
        len(rows) > 1
        and not any("=" in line.text or "/" in line.text for line in lines)
        and len(set(map(len, rows))) == 1 < len(rows[0])
        and [square for row in rows for square in row].count("c") == 1
    )


def _one_kingdom(lines: Sequence[Line], language: Language) -> list[Line]:
    first, last = lines[0].number, lines[-1].number
    warn(say("kingdoms.rows", language, first=first, last=last, file=lines[0].file))
    return [replace(lines[0], text="/".join(line.text for line in lines))]


def players_of(entries: Sequence[Line], language: Language) -> list[Player]:
    """The kingdoms with the names of their players, "" where no name is given.

    WrongUse for invalid notation, and for names that are missing or not distinct.
    """
    players = [_player_of(entry, language) for entry in entries]
    names = [player.name for player in players if player.name]
    for name in names:
        if names.count(name) > 1:
            raise WrongInput(say("players.same_name", language, name=name))
    if names and len(names) < len(players):
        raise WrongInput(say("players.some_named", language))
    return players


_ONE_WORD = re.compile(r"(?![wflgsmc.0-3!]*$)[^\s/=]{3,}")
"""No kingdom and no letters of one, but perhaps a file that is not there."""


def _player_of(entry: Line, language: Language) -> Player:
    name, equals, notation = entry.text.rpartition("=")
    try:
        player = Player(name.strip(), Kingdom.parse(notation))
    except NotationError as error:
        reason = say(f"notation.{error.code}", language, **error.values)
        text = notation.strip()
        refused = say("notation.refused", language, text=text, reason=reason)
        if not entry.file and _ONE_WORD.fullmatch(text):
            refused = say("notation.perhaps_file", language, reason=refused, text=text)
        raise entry.refused(refused, language) from error
    if equals and not player.name:
        raise entry.refused(say("players.empty_name", language, text=entry.text), language)
    return player


def rules_of_game(players: Sequence[Player], rules: Rules) -> Rules:
    """The rules with the number of players, and with what the kingdoms themselves put in play.

    RulesError if the rules contradict the number of players.
    """
    giants = any(square.giants for player in players for _, square in player.kingdom.items())
    rules = replace(rules, age_of_giants=rules.age_of_giants or giants)
    if len(players) > 1:
        rules = replace(rules, players=len(players))
    return rules_in_play([player.kingdom for player in players], rules)


def guessed_grid(asked: Rules, in_play: Sequence[Rules], language: Language) -> str | None:
    """Which size of grid was taken, where nothing but the kingdoms told it and it may be wrong."""
    if asked.size is not None or asked.mighty_duel or in_play[0].players not in (None, 2):
        return None
    if len(in_play) > 1 and in_play[0].players is None:
        return say("score.grids_guessed", language)
    return say("score.grid_guessed", language, grid=in_play[0].size)


def numbered(players: Sequence[Player], language: Language) -> list[Player]:
    """The players with a name for each, if need be the number of the kingdom."""
    return [
        replace(player, name=player.name or say("score.numbered", language, number=number))
        for number, player in enumerate(players, start=1)
    ]


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
