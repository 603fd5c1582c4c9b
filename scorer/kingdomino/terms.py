"""The points of a kingdom with doubtful squares as a sum of terms, each of a few of the doubts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import NamedTuple, TypeVar

from scorer.kingdomino.court import points_of, times_of
from scorer.kingdomino.kingdom import Board, Character, Kingdom, Position, Square, Terrain, layout
from scorer.kingdomino.rules import BleakKing, Goal, Quest, Rules
from scorer.kingdomino.scoring import BLEAK_SQUARES, BLEAK_TERRAINS, score

MAX_STATES = 2048
"""The most combinations of squares that one term is reckoned out for."""


State = TypeVar("State", bound=Hashable)
_AtCourt = tuple[Character | None, int | None, tuple[int, ...]]
"""The character of a square with points by hand, and how often it adds to each character."""


class TooMuch(Exception):
    """So many doubts hang together that their combinations can't be counted."""


class Figures(NamedTuple):
    """What a ranking compares: points and crowns add up, the largest territory is the maximum."""

    points: int = 0
    largest: int = 0
    crowns: int = 0

    def plus(self, other: Figures) -> Figures:
        """The figures of two parts of a kingdom together."""
        return Figures(
            self.points + other.points,
            max(self.largest, other.largest),
            self.crowns + other.crowns,
        )


@dataclass(frozen=True, slots=True)
class Term:
    """A part of the points that depends on the doubts of ``scope`` alone, by their numbers.

    ``states`` has for each of these doubts the state that each of its options is, from 0; options
    that make no difference here are one state. ``figures`` has the figures by states.
    """

    scope: tuple[int, ...]
    states: tuple[tuple[int, ...], ...]
    figures: Mapping[tuple[int, ...], Figures]


def terms_of(
    kingdom: Kingdom, doubts: Mapping[Position, Sequence[Square]], rules: Rules
) -> tuple[Figures, list[Term]]:
    """What is sure of the figures, and the terms of what is not.

    ``doubts`` has all that may lie on a square, what stands included; its order numbers them.
    TooMuch where a term would have more than ``MAX_STATES`` states.
    """
    fixed, terms = Figures(), []
    parts = _Parts(kingdom, doubts, rules)
    for part in (*parts.territories(), *parts.bonuses(), *parts.characters()):
        if isinstance(part, Term):
            terms.append(part)
        else:
            fixed = fixed.plus(part)
    return fixed, terms


class _Parts:
    """A kingdom by square index, as in ``Board``, with what may lie on each square."""

    def __init__(
        self, kingdom: Kingdom, doubts: Mapping[Position, Sequence[Square]], rules: Rules
    ) -> None:
        self.kingdom, self.rules = kingdom, rules
        self.bleak_territories = rules.bleak_king is BleakKing.TERRITORY and any(
            quest.goal is Goal.BLEAK_KING for quest in rules.goals
        )
        self.layout = layout(kingdom.height, kingdom.width)
        self.squares = [square for _, square in kingdom.items()]
        self.places = list(doubts)
        self.options = [tuple(doubts[place]) for place in self.places]
        self.doubt_at = {
            row * kingdom.width + column: number for number, (row, column) in enumerate(self.places)
        }

    def territories(self) -> Iterator[Figures | Term]:
        """The territories, and groups of squares that may be of one terrain."""
        for terrain in Terrain:
            may_be = {
                index for index, square in enumerate(self.squares)
                if any(each.terrain is terrain for each in self._at(index, square))
            }  # fmt: skip
            while may_be:
                group = self._hanging(may_be.pop(), may_be)
                may_be.difference_update(group)
                yield self._group(group, terrain)

    def _at(self, index: int, square: Square) -> Sequence[Square]:
        number = self.doubt_at.get(index)
        return (square,) if number is None else self.options[number]

    def _hanging(self, start: int, among: set[int]) -> list[int]:
        """The squares that hang together with one by their sides."""
        found, seen = [start], {start}
        for index in found:  # grows while it is walked
            for near in self.layout.neighbours[index]:
                if near in among and near not in seen:
                    seen.add(near)
                    found.append(near)
        return found

    def _group(self, group: Sequence[int], terrain: Terrain) -> Figures | Term:
        """The territories of squares that may be one: each sure piece counts as one node."""
        open_squares = [index for index in group if index in self.doubt_at]
        sure = set(group).difference(open_squares)
        node_of: dict[int, int] = {}
        sizes: list[int] = []
        crowns: list[int] = []
        while sure:
            piece = self._hanging(sure.pop(), sure)
            sure.difference_update(piece)
            node_of.update(dict.fromkeys(piece, len(sizes)))
            sizes.append(len(piece))
            crowns.append(sum(self.squares[index].counting_crowns for index in piece))
        if not open_squares:
            return self._territory(terrain, sizes[0], crowns[0])
        first_open = len(sizes)
        node_of.update((index, first_open + n) for n, index in enumerate(open_squares))
        near: list[set[int]] = [set() for _ in range(first_open + len(open_squares))]
        for index in open_squares:
            for other in self.layout.neighbours[index]:
                if other in node_of:
                    near[node_of[index]].add(node_of[other])
                    near[node_of[other]].add(node_of[index])

        def figures(chosen: Sequence[int | None]) -> Figures:
            size_of = [*sizes, *(int(crown is not None) for crown in chosen)]
            crowns_of = [*crowns, *(crown or 0 for crown in chosen)]
            left = {node for node, size in enumerate(size_of) if size}
            found = Figures()
            while left:
                joined = [left.pop()]
                for node in joined:  # grows while it is walked
                    for other in near[node] & left:
                        left.discard(other)
                        joined.append(other)
                size, crown = sum(size_of[n] for n in joined), sum(crowns_of[n] for n in joined)
                found = found.plus(self._territory(terrain, size, crown))
            return found

        def state(square: Square) -> int | None:
            return square.counting_crowns if square.terrain is terrain else None

        return self._term([self.doubt_at[index] for index in open_squares], state, figures)

    def _territory(self, terrain: Terrain, size: int, crowns: int) -> Figures:
        points = size * crowns
        is_bleak = not crowns and size >= BLEAK_SQUARES and terrain in BLEAK_TERRAINS
        if is_bleak and self.bleak_territories:
            points += Goal.BLEAK_KING.points
        return Figures(points, size, crowns)

    def bonuses(self) -> Iterator[Figures | Term]:
        """The bonuses of the variants and quests in play."""
        shape = [
            number
            for number, squares in enumerate(self.options)
            if len({(each.is_empty, each.is_castle) for each in squares}) > 1
        ]
        castle = [
            number
            for number, squares in enumerate(self.options)
            if len({each.is_castle for each in squares}) > 1
        ]
        for quest in self.rules.goals:
            if quest.goal is Goal.FOLIE_DES_GRANDEURS:
                yield from self._lines()
            elif quest.goal is Goal.LOCAL_BUSINESS:
                yield from self._squares_of(quest, castle)
            elif quest.goal is Goal.FOUR_CORNERS:
                yield from self._squares_of(quest, shape)
            elif quest.goal is not Goal.BLEAK_KING:
                yield self._whole(quest, shape, lambda each: (each.is_empty, each.is_castle))
            elif self.rules.bleak_king is BleakKing.SQUARES:
                yield from self._bare_squares()

    def _squares_of(self, quest: Quest, deciding: Sequence[int]) -> Iterator[Figures | Term]:
        """A bonus for squares of a terrain on places that only some doubts can move."""
        terrain = quest.terrain
        if deciding:
            varied = [
                number
                for number, squares in enumerate(self.options)
                if number in deciding or len({each.terrain is terrain for each in squares}) > 1
            ]
            yield self._whole(
                quest, varied, lambda s: (s.is_empty, s.is_castle, s.terrain is terrain)
            )
            return
        board = Board(self.kingdom)
        if quest.goal is Goal.FOUR_CORNERS:
            places: Sequence[int] = board.corners
        else:
            places = () if board.castle is None else self.layout.rings[board.castle]
        worth = quest.goal.points
        for index in places:
            number = self.doubt_at.get(index)
            if number is None:
                yield Figures(worth * (self.squares[index].terrain is terrain))
            else:
                yield self._term(
                    [number],
                    lambda square: square.terrain is terrain,
                    lambda chosen: Figures(worth * chosen[0]),
                )

    def _whole(
        self, quest: Quest, scope: Sequence[int], state: Callable[[Square], Hashable]
    ) -> Figures | Term:
        """A bonus as ``score`` gives it, for every combination of the doubts that it depends on."""
        rules = replace(self.rules, harmony=False, middle_kingdom=False, quests=(quest,))
        sample = [{state(square): square for square in squares} for squares in self.options]

        def figures(chosen: Sequence[Hashable]) -> Figures:
            squares = {self.places[n]: sample[n][s] for n, s in zip(scope, chosen, strict=True)}
            return Figures(score(self.kingdom.replace(squares), rules).bonus_points)

        return self._term(scope, state, figures)

    def _lines(self) -> Iterator[Figures | Term]:
        """Folie des Grandeurs: (n - 1) // 2 for each straight run of n squares with crowns."""
        worth = Goal.FOLIE_DES_GRANDEURS.points
        crowned = [
            {each.counting_crowns > 0 for each in self._at(index, square)}
            for index, square in enumerate(self.squares)
        ]
        for line in self.layout.lines:
            run: list[int] = []
            for index in (*line, None):
                if index is not None and True in crowned[index]:
                    run.append(index)
                    continue
                if len(run) >= 3:
                    yield self._run(tuple(run), worth)
                run = []

    def _run(self, run: Sequence[int], worth: int) -> Figures | Term:
        scope = [self.doubt_at[index] for index in run if index in self.doubt_at]

        def figures(chosen: Sequence[bool]) -> Figures:
            crowned = dict(zip(scope, chosen, strict=True))
            lines = length = 0
            for index in run:
                number = self.doubt_at.get(index)
                length = length + 1 if number is None or crowned[number] else 0
                lines += length >= 3 and length % 2
            return Figures(worth * lines)

        return self._term(scope, lambda square: square.counting_crowns > 0, figures)

    def _bare_squares(self) -> Iterator[Figures | Term]:
        """Bleak King by squares: 10 for every five squares of a terrain without crowns."""
        worth = Goal.BLEAK_KING.points
        for terrain in BLEAK_TERRAINS:

            def is_bare(square: Square, terrain: Terrain = terrain) -> bool:
                return square.terrain is terrain and not square.counting_crowns

            sure = sum(
                is_bare(square)
                for index, square in enumerate(self.squares)
                if index not in self.doubt_at
            )
            scope = [n for n, squares in enumerate(self.options) if any(map(is_bare, squares))]

            def figures(chosen: Sequence[bool], sure: int = sure) -> Figures:
                return Figures(worth * ((sure + sum(chosen)) // BLEAK_SQUARES))

            yield self._term(scope, is_bare, figures)

    def characters(self) -> Iterator[Figures | Term]:
        """The characters of The Court, each with the eight squares around it."""
        for index, square in enumerate(self.squares):
            may_be = {each.character for each in self._at(index, square)} - {None}
            if may_be:
                yield self._character(index, [each for each in Character if each in may_be])

    def _character(self, index: int, may_be: Sequence[Character]) -> Figures | Term:
        places = [index, *self.layout.rings[index]]
        scope = [self.doubt_at[place] for place in places if place in self.doubt_at]

        def state(square: Square) -> _AtCourt:
            times = tuple(times_of(each, square) for each in may_be)
            return square.character, square.points, times

        known = {place: state(self.squares[place]) for place in places}
        places_of = {number: place for place, number in self.doubt_at.items()}

        def figures(chosen: Sequence[_AtCourt]) -> Figures:
            there = known | {places_of[n]: s for n, s in zip(scope, chosen, strict=True)}
            character, by_hand, _ = there[index]
            if character is None:
                return Figures()
            times = sum(there[place][2][may_be.index(character)] for place in places[1:])
            return Figures(points_of(character, times) if by_hand is None else by_hand)

        return self._term(scope, state, figures)

    def _term(
        self,
        scope: Sequence[int],
        state: Callable[[Square], State],
        figures: Callable[[Sequence[State]], Figures],
    ) -> Figures | Term:
        """A term by states; what is the same for every choice is no term."""
        known = [list(dict.fromkeys(map(state, self.options[number]))) for number in scope]
        if prod(map(len, known)) > MAX_STATES:
            raise TooMuch
        found = {
            numbers: figures([known[n][s] for n, s in enumerate(numbers)])
            for numbers in product(*(range(len(each)) for each in known))
        }
        if len(set(found.values())) == 1:
            return next(iter(found.values()))
        states = tuple(
            tuple(known[n].index(state(square)) for square in self.options[number])
            for n, number in enumerate(scope)
        )
        return Term(tuple(scope), states, found)
