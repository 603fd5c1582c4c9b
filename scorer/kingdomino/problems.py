"""Everything odd about a kingdom or a game, by code and squares; nothing here stops a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from scorer.kingdomino.board import layout
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino
from scorer.kingdomino.kingdom import Kingdom, Position
from scorer.kingdomino.rules import QUESTS_DRAWN, Rules
from scorer.kingdomino.setting_up import GIANTS
from scorer.kingdomino.square import Square
from scorer.kingdomino.terrain import Terrain

__all__ = [
    "Colour",
    "GameProblem",
    "Player",
    "Problem",
    "game_problems",
    "problems",
    "rules_in_play",
    "rules_problems",
]


class Colour(Enum):
    """The colours of the players; brown comes with Age of Giants."""

    PINK = "pink"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    BROWN = "brown"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a kingdom.

    ``squares`` are the (row, column) it concerns, none where it is about the kingdom as a whole.
    ``found`` and ``allowed`` are the numbers that don't go together, ``kind`` the notation of the
    square in question, where there are such.

    The codes: ``no_castle``, ``several_castles``, ``odd_squares`` (terrain squares, which
    dominoes can't fill), ``too_many_crowns`` (more than the terrain ever has), ``more_than_box``
    (more of a square than the box holds), ``too_wide``, ``too_high`` (the outermost columns or
    rows that the grid can't hold together), ``not_connected`` (squares cut off from the castle,
    or from the largest part where there is no castle), ``no_partner`` (a square with no other
    terrain square at its edges) and ``too_many_giants``.
    """

    code: str
    squares: tuple[Position, ...] = ()
    found: int | None = None
    allowed: int | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a game: name, kingdom and, where it is known, colour."""

    name: str
    kingdom: Kingdom
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Something odd about a game that no kingdom shows alone.

    ``squares`` are (name of the player, (row, column)). The codes: ``more_than_box`` (a square
    used more often over all players than the box holds), ``too_many_giants`` (over all players)
    and ``same_colour``, with the names in ``players``; ``brown_without_expansion``;
    ``too_many_quests`` (more in use than are drawn for a game).
    """

    code: str
    squares: tuple[tuple[str, Position], ...] = ()
    players: tuple[str, ...] = ()
    found: int | None = None
    allowed: int | None = None
    kind: str | None = None


def rules_in_play(kingdoms: Iterable[Kingdom], rules: Rules) -> Rules:
    """The rules of a game with these kingdoms: one giant puts the expansion in play for all.

    Source: Age of Giants, "Ankunft der Giganten": only its dominoes bring giants.
    """
    giants = any(square.giants for kingdom in kingdoms for _, square in kingdom.items())
    return replace(rules, age_of_giants=True) if giants else rules


def box_of(kingdoms: Iterable[Kingdom], rules: Rules) -> tuple[Domino, ...]:
    """The dominoes in play: those of the expansion too if the rules or a giant say so.

    Quests alone don't add them: Age of Giants, note under "Spielvorbereitung".
    """
    with_giants = rules_in_play(kingdoms, rules).age_of_giants
    return BASE_DOMINOES + GIANT_DOMINOES if with_giants else BASE_DOMINOES


def supply_of(box: Iterable[Domino]) -> Counter[Square]:
    """How many of each printed square the dominoes have."""
    return Counter(square for domino in box for square in (domino.left, domino.right))


def problems(kingdom: Kingdom, rules: Rules | None = None) -> tuple[Problem, ...]:
    """Everything odd about a kingdom, all at once; an empty tuple for a regular one.

    Source: Kingdomino, "Spielmaterial", "Anlegeregeln" and the overview of the terrains; Age of
    Giants, "Spielmaterial". Whether its squares can be dominoes at all tells ``box_check``.
    """
    rules = rules or Rules()
    taken = [(position, square) for position, square in kingdom.items() if not square.is_empty]
    supply = supply_of(box_of([kingdom], rules))
    found = [
        *_castle_problems(taken),
        *_crown_problems(taken, supply),
        *_supply_problems(taken, supply),
        *_extent_problems(kingdom, rules.grid(len(taken))),
        *_joint_problems(kingdom),
        *_giant_problems(taken),
    ]
    return tuple(found)


_Taken = Sequence[tuple[Position, Square]]


def _castle_problems(taken: _Taken) -> Iterable[Problem]:
    castles = tuple(position for position, square in taken if square.is_castle)
    if not castles:
        yield Problem("no_castle", (), 0, 1)
    if len(castles) > 1:
        yield Problem("several_castles", castles, len(castles), 1)
    halves = len(taken) - len(castles)
    if halves % 2:
        yield Problem("odd_squares", (), halves)


def _crown_problems(taken: _Taken, supply: Counter[Square]) -> Iterable[Problem]:
    for terrain in Terrain:
        most = max(square.crowns for square in supply if square.terrain is terrain)
        over = [
            (position, square)
            for position, square in taken
            if square.terrain is terrain and square.crowns > most
        ]
        if over:
            crowns = max(square.crowns for _, square in over)
            places = tuple(position for position, _ in over)
            yield Problem("too_many_crowns", places, crowns, most, terrain.letter)


def _supply_problems(taken: _Taken, supply: Counter[Square]) -> Iterable[Problem]:
    kinds: dict[Square, list[Position]] = {}
    for position, square in taken:
        if square.terrain is not None:
            kinds.setdefault(square.printed, []).append(position)
    for kind, places in kinds.items():
        if 0 < supply[kind] < len(places):
            yield Problem("more_than_box", tuple(places), len(places), supply[kind], str(kind))


def _extent_problems(kingdom: Kingdom, side: int) -> Iterable[Problem]:
    for code, turned in (("too_wide", False), ("too_high", True)):
        across = kingdom.transposed() if turned else kingdom
        taken = [place for place, square in across.items() if not square.is_empty]
        columns = [column for _, column in taken]
        width = max(columns) - min(columns) + 1 if columns else 0
        if width > side:
            outermost = (min(columns), max(columns))
            places = [place for place in taken if place[1] in outermost]
            if turned:
                places = [(row, column) for column, row in places]
            yield Problem(code, tuple(sorted(places)), width, side)


def _joint_problems(kingdom: Kingdom) -> Iterable[Problem]:
    tables = layout(kingdom.height, kingdom.width)
    squares = [square for _, square in kingdom.items()]
    parts: list[list[int]] = []
    left_over = {index for index, square in enumerate(squares) if not square.is_empty}
    for start in sorted(left_over):
        if start not in left_over:
            continue
        left_over.remove(start)
        part = [start]
        for index in part:  # grows while it is walked
            for neighbour in tables.neighbours[index]:
                if neighbour in left_over:
                    left_over.remove(neighbour)
                    part.append(neighbour)
        parts.append(part)
    # The part that counts as the kingdom: the one with the castle, else the largest.
    parts.sort(key=lambda part: (-any(squares[index].is_castle for index in part), -len(part)))
    cut_off = sorted(tables.positions[index] for part in parts[1:] for index in part)
    if cut_off:
        yield Problem("not_connected", tuple(cut_off), len(parts), 1)
    alone = tuple(
        tables.positions[index]
        for index, square in enumerate(squares)
        if square.terrain is not None
        and all(squares[near].terrain is None for near in tables.neighbours[index])
    )
    if alone:
        yield Problem("no_partner", alone, len(alone), 0)


def _giant_problems(taken: _Taken) -> Iterable[Problem]:
    giants = sum(square.giants for _, square in taken)
    if giants > GIANTS:
        places = tuple(position for position, square in taken if square.giants)
        yield Problem("too_many_giants", places, giants, GIANTS)


def game_problems(players: Sequence[Player], rules: Rules | None = None) -> tuple[GameProblem, ...]:
    """Everything odd about a game of several players that no kingdom shows alone.

    Source: Kingdomino, "Spielmaterial" and "Spielvorbereitung"; Age of Giants, "Spielmaterial".
    """
    rules = rules or Rules()
    kingdoms = [player.kingdom for player in players]
    return (
        *_joint_supply_problems(players, supply_of(box_of(kingdoms, rules))),
        *_joint_giant_problems(players),
        *_colour_problems(players, rules),
        *rules_problems(rules),
    )


def rules_problems(rules: Rules) -> tuple[GameProblem, ...]:
    """What is odd about the rules alone: more quests than are drawn for a game.

    They are scored all the same, since tables that want more of them can draw more.

    Source: Age of Giants, "Spielvorbereitung" and "Die Wertungsplättchen".
    """
    quests = len(rules.quests)
    if quests <= QUESTS_DRAWN:
        return ()
    return (GameProblem("too_many_quests", (), (), quests, QUESTS_DRAWN),)


def _joint_supply_problems(
    players: Sequence[Player], supply: Counter[Square]
) -> Iterable[GameProblem]:
    kinds: dict[Square, list[tuple[str, Position]]] = {}
    for player in players:
        for position, square in player.kingdom.items():
            if square.terrain is not None:
                kinds.setdefault(square.printed, []).append((player.name, position))
    for kind, places in kinds.items():
        if 0 < supply[kind] < len(places):
            names = tuple(dict.fromkeys(name for name, _ in places))
            yield GameProblem(
                "more_than_box", tuple(places), names, len(places), supply[kind], str(kind)
            )


def _joint_giant_problems(players: Sequence[Player]) -> Iterable[GameProblem]:
    places = [
        (player.name, position, square.giants)
        for player in players
        for position, square in player.kingdom.items()
        if square.giants
    ]
    giants = sum(count for _, _, count in places)
    if giants > GIANTS:
        squares = tuple((name, position) for name, position, _ in places)
        names = tuple(dict.fromkeys(name for name, _ in squares))
        yield GameProblem("too_many_giants", squares, names, giants, GIANTS)


def _colour_problems(players: Sequence[Player], rules: Rules) -> Iterable[GameProblem]:
    for colour in Colour:
        names = tuple(player.name for player in players if player.colour is colour)
        if len(names) > 1:
            yield GameProblem("same_colour", (), names, len(names), 1, colour.value)
        if names and colour is Colour.BROWN and not rules.expansion:
            yield GameProblem("brown_without_expansion", (), names, len(names), 0, colour.value)
