"""Random legal games: draws, places by the rules and discards, from a seeded generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from scorer.kingdomino import (
    BASE_DOMINOES,
    CASTLE,
    GIANT_DOMINOES,
    Domino,
    Kingdom,
    Position,
    SetUp,
    Square,
    setup_guide,
)


class _Builder:
    """One player's kingdom while it grows inside a grid whose place is settled beforehand."""

    def __init__(self, rng: Random, side: int) -> None:
        self.rng = rng
        self.side = side
        self.castle = (rng.randrange(side), rng.randrange(side))
        self.squares: dict[Position, Square] = {self.castle: CASTLE}
        self.discarded = 0

    def around(self, position: Position) -> Iterator[Position]:
        row, column = position
        for near in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if 0 <= near[0] < self.side and 0 <= near[1] < self.side:
                yield near

    def touches(self, position: Position, square: Square) -> bool:
        """Whether that square would lie at the castle or at its own terrain."""
        laid = [self.squares[near] for near in self.around(position) if near in self.squares]
        return any(near.is_castle or near.terrain is square.terrain for near in laid)

    def placements(self, domino: Domino) -> list[tuple[Position, Position]]:
        """All places of its left and right square that the rules allow inside the grid."""
        return [
            (left, right)
            for left in ((row, column) for row in range(self.side) for column in range(self.side))
            if left not in self.squares
            for right in self.around(left)
            if right not in self.squares
            and (self.touches(left, domino.left) or self.touches(right, domino.right))
        ]

    def odd_gaps(self, taken: Sequence[Position]) -> int:
        """How many free regions could no longer be filled with dominoes, by their size."""
        free = {
            (row, column)
            for row in range(self.side)
            for column in range(self.side)
            if (row, column) not in self.squares and (row, column) not in taken
        }
        odd = 0
        while free:
            region = [free.pop()]
            for position in region:  # grows while it is walked
                found = free.intersection(self.around(position))
                free -= found
                region.extend(sorted(found))
            odd += len(region) % 2
        return odd

    def lay(self, domino: Domino) -> None:
        """Lay the domino where it leaves the fewest odd gaps, or discard it."""
        places = self.placements(domino)
        if not places:
            self.discarded += 1
            return
        self.rng.shuffle(places)
        left, right = min(places, key=self.odd_gaps)
        self.squares[left], self.squares[right] = domino.left, domino.right

    def kingdom(self) -> Kingdom:
        return Kingdom.empty(self.side, self.side).replace(self.squares)


def play(
    rng: Random, players: int, *, age_of_giants: bool = False, mighty_duel: bool = False
) -> list[Kingdom]:
    """The finished kingdoms of one game, each laid out in its grid, gaps where dominoes fell out.

    Every player is given one of the row at random and lays it in a random place, of those that
    spoil the grid least.
    """
    guide = setup_guide(players, age_of_giants=age_of_giants, mighty_duel=mighty_duel)
    return [builder.kingdom() for builder in _builders(rng, guide, age_of_giants)]


def _builders(rng: Random, guide: SetUp, age_of_giants: bool) -> list[_Builder]:
    bag = list(BASE_DOMINOES + GIANT_DOMINOES if age_of_giants else BASE_DOMINOES)
    order = {domino: place for place, domino in enumerate(GIANT_DOMINOES[:6] + BASE_DOMINOES)}
    rng.shuffle(bag)
    del bag[: guide.put_back]
    builders = [_Builder(rng, guide.grid) for _ in range(guide.players)]
    for _ in range(guide.rounds):
        row = sorted((bag.pop() for _ in range(guide.row)), key=lambda each: order.get(each, 99))
        row = [domino for place, domino in enumerate(row, 1) if place not in guide.put_aside]
        rng.shuffle(row)
        for turn, domino in enumerate(row):
            builders[turn % guide.players].lay(domino)
    return builders


def full_kingdom(rng: Random, side: int) -> Kingdom:
    """A kingdom without a gap, from games that are played until a player has one."""
    guide = setup_guide(2, mighty_duel=side == 7) if side == 7 else setup_guide(4)
    while True:
        for builder in _builders(rng, guide, False):
            if not builder.discarded:
                return builder.kingdom()
