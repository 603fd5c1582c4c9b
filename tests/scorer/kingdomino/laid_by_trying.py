"""The box check done the simplest way: lay dominoes one after the other in every way there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from scorer.kingdomino import Domino, Kingdom


def can_be_laid(kingdoms: Sequence[Kingdom], dominoes: Sequence[Domino]) -> bool:
    """Whether some of the dominoes, laid in some order by the rules, make the kingdoms."""
    dead: set[tuple[frozenset[object], tuple[tuple[str, ...], ...]]] = set()
    everything = {
        (number, place)
        for number, kingdom in enumerate(kingdoms)
        for place, square in kingdom.items()
        if square.terrain
    }

    def touches(number: int, row: int, column: int, lying: frozenset[object]) -> bool:
        kingdom = kingdoms[number]
        for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if near not in dict(kingdom.items()):
                continue
            if kingdom[near].is_castle:
                return True
            if (number, near) in lying and kingdom[near].terrain is kingdom[row, column].terrain:
                return True
        return False

    def go_on(lying: frozenset[object], left_over: tuple[tuple[str, ...], ...]) -> bool:
        if len(lying) == len(everything):
            return True
        if (lying, left_over) in dead:
            return False
        for number, (row, column) in everything - lying:
            for other in ((row, column + 1), (row + 1, column)):
                if (number, other) not in everything - lying:
                    continue
                ends = (kingdoms[number][row, column], kingdoms[number][other])
                pair = tuple(sorted(str(end.printed) for end in ends))
                may_lie = touches(number, row, column, lying) or touches(number, *other, lying)
                if pair in left_over and may_lie:
                    place = left_over.index(pair)
                    rest = left_over[:place] + left_over[place + 1 :]
                    if go_on(lying | {(number, (row, column)), (number, other)}, rest):
                        return True
        dead.add((lying, left_over))
        return False

    pairs = sorted(tuple(sorted((str(each.left), str(each.right)))) for each in dominoes)
    return go_on(frozenset(), tuple(pairs))


def unmatched_size(kingdom: Kingdom, dominoes: Sequence[Domino]) -> int:
    """The size of the smallest set of squares that can't all have partners; 0 if there is none."""
    kinds = {frozenset((each.left, each.right)) for each in dominoes}
    squares = [place for place, square in kingdom.items() if square.terrain]

    def partners(row: int, column: int) -> set[tuple[int, int]]:
        around = {(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)}
        return {
            near
            for near in around.intersection(squares)
            if frozenset((kingdom[near].printed, kingdom[row, column].printed)) in kinds
        }

    def matchable(chosen: Sequence[tuple[int, int]], taken: frozenset[tuple[int, int]]) -> bool:
        """Whether all chosen squares have partners, each in one pair only."""
        waiting = [square for square in chosen if square not in taken]
        return not waiting or any(
            matchable(chosen, taken | {waiting[0], near}) for near in partners(*waiting[0]) - taken
        )

    for size in range(1, len(squares) + 1):
        for chosen in combinations(squares, size):
            if not matchable(chosen, frozenset()):
                return size
    return 0
