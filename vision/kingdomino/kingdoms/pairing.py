"""Whether squares can be paired to dominoes of the box just as they were seen."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from scorer.kingdomino import Position
from vision.common.grids import beside, pairs_of

__all__ = ["can_be_paired", "count_unpaired"]

Cell = tuple[int, Position]


def can_be_paired(
    kingdoms: Sequence[Mapping[Position, str]],
    box: Mapping[tuple[str, str], int],
    max_steps: int = 300,
) -> bool:
    """Whether each square of the kingdoms is half of a domino, with each domino used at most once.

    ``kingdoms`` has the labels of halves by (row, column), castles and empty cells left out;
    ``box`` the supply of each sorted pair of labels. False also where ``max_steps`` of the search
    did not tell.
    """
    partners: dict[Cell, list[tuple[Cell, tuple[str, str]]]] = {
        (number, cell): [] for number, kingdom in enumerate(kingdoms) for cell in kingdom
    }
    for number, kingdom in enumerate(kingdoms):
        for one, other in pairs_of(kingdom, kingdom):
            first, second = sorted((kingdom[one], kingdom[other]))
            if (first, second) in box:
                partners[number, one].append(((number, other), (first, second)))
                partners[number, other].append(((number, one), (first, second)))
    return _pair(partners, dict(box), [max_steps])


def _pair(
    beside: dict[Cell, list[tuple[Cell, tuple[str, str]]]],
    supply: dict[tuple[str, str], int],
    steps: list[int],
) -> bool:
    """Pair the square with the fewest partners first; what is paired leaves ``beside``."""
    if not beside:
        return True
    steps[0] -= 1
    if steps[0] < 0:
        return False
    partners: list[tuple[Cell, tuple[str, str]]] = []
    tightest = None
    for cell, around in beside.items():
        possible = [(near, pair) for near, pair in around if near in beside and supply[pair]]
        if tightest is None or len(possible) < len(partners):
            tightest, partners = cell, possible
            if len(possible) < 2:
                break
    assert tightest is not None
    for near, pair in partners:
        supply[pair] -= 1
        rest = {cell: around for cell, around in beside.items() if cell not in (tightest, near)}
        if _pair(rest, supply, steps):
            return True
        supply[pair] += 1
    return False


def count_unpaired(kingdom: Mapping[Position, str], box: Collection[tuple[str, str]]) -> int:
    """How many squares of a kingdom are left over when as many as can be are paired to dominoes.

    However often the box has each; castles and empty cells left out. Found by augmenting paths,
    since the cells of a lattice have two colours (Kuhn, 1955).
    """
    partner: dict[Position, Position] = {}

    def find_partner(cell: Position, tried: set[Position]) -> bool:
        for near in beside(cell):
            if near in tried or near not in kingdom:
                continue
            label, other = kingdom[cell], kingdom[near]
            if (min(label, other), max(label, other)) not in box:
                continue
            tried.add(near)
            if near not in partner or find_partner(partner[near], tried):
                partner[near] = cell
                return True
        return False

    paired = sum(find_partner(cell, set()) for cell in kingdom if sum(cell) % 2 == 0)
    return len(kingdom) - 2 * paired
