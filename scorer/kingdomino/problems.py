"""Everything odd about a kingdom or a game, as codes with squares; none prevents a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from scorer.kingdomino.court import PIECES, piece_of
from scorer.kingdomino.dominoes import BASE_DOMINOES, GIANT_DOMINOES, Domino
from scorer.kingdomino.kingdom import Kingdom, Position, Square, Terrain, layout
from scorer.kingdomino.rules import GIANTS, QUESTS_DRAWN, SMALL_GRID, Rules

_Where = TypeVar("_Where")


class Colour(Enum):
    """The colours of the players; brown is in Age of Giants."""

    PINK = "pink"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    BROWN = "brown"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a kingdom.

    ``squares`` are the (row, column) concerned, none if it concerns the whole kingdom. ``found``
    and ``allowed`` are the numbers in conflict and ``kind`` is the notation of the square, if the
    code has them.

    The codes: ``no_castle``, ``several_castles``, ``odd_squares`` (terrain squares, which
    dominoes can't fill), ``too_many_crowns`` (more than the terrain ever has), ``more_than_box``
    (more of a square than the box has), ``too_wide``, ``too_high`` (the outermost columns or rows,
    which are too far apart for the grid), ``not_connected`` (squares cut off from the castle, or
    from the largest part if there is no castle), ``no_partner`` (a square with no other terrain
    square at its edges), ``too_many_giants`` and ``more_than_court`` (more of a piece of The Court
    than there are; ``kind`` is its key as in ``court.piece_of``).
    """

    code: str
    squares: tuple[Position, ...] = ()
    found: int | None = None
    allowed: int | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a game: name, kingdom and, if known, colour."""

    name: str
    kingdom: Kingdom
    colour: Colour | None = None


@dataclass(frozen=True, slots=True)
class GameProblem:
    """Something odd about a game that no single kingdom shows.

    ``squares`` are (name of the player, (row, column)). The codes: ``more_than_box`` (a square
    that all players together have more often than the box), ``too_many_giants`` and
    ``more_than_court`` (over all players) and ``same_colour``, with the names in ``players``;
    ``brown_without_expansion``; ``too_many_quests`` (more in use than are drawn for a game).
    """

    code: str
    squares: tuple[tuple[str, Position], ...] = ()
    players: tuple[str, ...] = ()
    found: int | None = None
    allowed: int | None = None
    kind: str | None = None


def rules_in_play(kingdoms: Iterable[Kingdom], rules: Rules) -> Rules:
    """The rules of a game with these kingdoms: what one of them shows is in play for all.

    A single giant puts Age of Giants in play; a token, building or character The Court. The grid
    of a game is one: where the rules don't give its size, it is that of the largest kingdom.

    Source: Age of Giants, "Ankunft der Giganten": only its dominoes bring giants; Kingdomino,
    variant "Das große Duell": both kingdoms are 7×7.
    """
    kingdoms = list(kingdoms)
    squares = [square for kingdom in kingdoms for _, square in kingdom.items()]
    if any(square.giants for square in squares):
        rules = replace(rules, age_of_giants=True)
    if any(square.has_piece for square in squares):
        rules = replace(rules, court=True)
    return rules if rules.size is not None else replace(rules, size=_grid_of(kingdoms, rules))


def _grid_of(kingdoms: Sequence[Kingdom], rules: Rules) -> int:
    """The side of the grid of a game; more than two kingdoms have the small one."""
    if len(kingdoms) > 2 and not rules.mighty_duel:
        return SMALL_GRID
    taken = (sum(not square.is_empty for _, square in kingdom.items()) for kingdom in kingdoms)
    return rules.grid(max(taken, default=0))


def box_of(kingdoms: Iterable[Kingdom], rules: Rules) -> tuple[Domino, ...]:
    """The dominoes in play, with those of the expansion if the rules or a giant require it.

    Quests alone don't require them: Age of Giants, note under "Spielvorbereitung".
    """
    with_giants = rules_in_play(kingdoms, rules).age_of_giants
    return BASE_DOMINOES + GIANT_DOMINOES if with_giants else BASE_DOMINOES


def supply_of(box: Iterable[Domino]) -> Counter[Square]:
    """The number of times that each printed square occurs on the dominoes."""
    return Counter(square for domino in box for square in (domino.left, domino.right))


def problems(kingdom: Kingdom, rules: Rules | None = None) -> tuple[Problem, ...]:
    """Everything odd about a kingdom; an empty tuple if there is nothing.

    Source: Kingdomino, "Spielmaterial", "Anlegeregeln" and the overview of the terrains; Age of
    Giants, "Spielmaterial". Whether its squares can be dominoes at all is for ``box_check``.
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
        *(
            Problem("more_than_court", places, len(places), PIECES[piece], piece)
            for piece, places in _more_than_court(taken)
        ),
    ]
    return tuple(found)


def locate_giants(squares: Iterable[tuple[_Where, Square]]) -> tuple[tuple[_Where, ...], int]:
    """Where giants stand, and how many there are in all."""
    places = [(place, square.giants) for place, square in squares if square.giants]
    return tuple(place for place, _ in places), sum(count for _, count in places)


def _more_than_supply(
    squares: Iterable[tuple[_Where, Square]], supply: Counter[Square]
) -> Iterable[tuple[Square, tuple[_Where, ...]]]:
    """The printed squares of the supply that occur more often than in it, and where."""
    kinds: dict[Square, list[_Where]] = {}
    for place, square in squares:
        if square.terrain is not None:
            kinds.setdefault(square.printed, []).append(place)
    for kind, places in kinds.items():
        if 0 < supply[kind] < len(places):
            yield kind, tuple(places)


def _more_than_court(
    squares: Iterable[tuple[_Where, Square]],
) -> Iterable[tuple[str, tuple[_Where, ...]]]:
    """The pieces that lie there more often than The Court has them, by key, and where."""
    pieces: dict[str, list[_Where]] = {}
    for place, square in squares:
        if (piece := piece_of(square)) is not None:
            pieces.setdefault(piece, []).append(place)
    for piece, places in pieces.items():
        if len(places) > PIECES[piece]:
            yield piece, tuple(places)


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
    for kind, places in _more_than_supply(taken, supply):
        yield Problem("more_than_box", places, len(places), supply[kind], str(kind))


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
    # The part with the castle counts as the kingdom, or else the largest part.
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
    places, giants = locate_giants(taken)
    if giants > GIANTS:
        yield Problem("too_many_giants", places, giants, GIANTS)


def game_problems(players: Sequence[Player], rules: Rules | None = None) -> tuple[GameProblem, ...]:
    """Everything odd about a game of several players that no single kingdom shows.

    Source: Kingdomino, "Spielmaterial" and "Spielvorbereitung"; Age of Giants, "Spielmaterial".
    """
    kingdoms = [player.kingdom for player in players]
    rules = rules_in_play(kingdoms, rules or Rules())
    return (
        *_joint_supply_problems(players, supply_of(box_of(kingdoms, rules))),
        *_joint_giant_problems(players),
        *(
            GameProblem(
                "more_than_court", places, _names_at(places), len(places), PIECES[piece], piece
            )
            for piece, places in _more_than_court(_squares_of(players))
        ),
        *_colour_problems(players, rules),
        *rules_problems(rules),
    )


def rules_problems(rules: Rules) -> tuple[GameProblem, ...]:
    """What is odd about the rules alone: more quests than are drawn for a game.

    They are scored all the same, since players may agree on more.

    Source: Age of Giants, "Spielvorbereitung" and "Die Wertungsplättchen".
    """
    quests = len(rules.quests)
    if quests <= QUESTS_DRAWN:
        return ()
    return (GameProblem("too_many_quests", (), (), quests, QUESTS_DRAWN),)


def _joint_supply_problems(
    players: Sequence[Player], supply: Counter[Square]
) -> Iterable[GameProblem]:
    for kind, places in _more_than_supply(_squares_of(players), supply):
        names = _names_at(places)
        yield GameProblem("more_than_box", places, names, len(places), supply[kind], str(kind))


def _joint_giant_problems(players: Sequence[Player]) -> Iterable[GameProblem]:
    places, giants = locate_giants(_squares_of(players))
    if giants > GIANTS:
        yield GameProblem("too_many_giants", places, _names_at(places), giants, GIANTS)


def _squares_of(players: Sequence[Player]) -> list[tuple[tuple[str, Position], Square]]:
    """Every square of all players by the name of the player and its position."""
    return [
        ((player.name, position), square)
        for player in players
        for position, square in player.kingdom.items()
    ]


def _names_at(places: Sequence[tuple[str, Position]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in places))


def _colour_problems(players: Sequence[Player], rules: Rules) -> Iterable[GameProblem]:
    for colour in Colour:
        names = tuple(player.name for player in players if player.colour is colour)
        if len(names) > 1:
            yield GameProblem("same_colour", (), names, len(names), 1, colour.value)
        if names and colour is Colour.BROWN and not rules.expansion:
            yield GameProblem("brown_without_expansion", (), names, len(names), 0, colour.value)
