"""What a move is worth and why, why it is not allowed, and which moves there are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product

from scorer.domino_duell.board import NOTHING, Board
from scorer.domino_duell.errors import IllegalTurn, Reason
from scorer.domino_duell.stone import FEATURES, JOKER, STONES, Feature, Piece, Stone


class GroupKind(Enum):
    """A triple or a quadruple: how many stones it has and the points that a new one is worth.

    Source: Domino-Duell, "Wertung und Spielende".
    """

    TRIPLE = ("triple", 3, 1)
    QUADRUPLE = ("quadruple", 4, 3)

    def __init__(self, key: str, size: int, points: int) -> None:
        self.key = key
        self.size = size
        self.points = points


def is_group(stones: Collection[Stone]) -> bool:
    """Whether three stones are a triple or four a quadruple; ValueError for any other number.

    Source: Domino-Duell, "Was ist ein Tripel?" and "Was ist ein Quadrupel?".
    """
    if len(stones) not in (3, 4):
        raise ValueError(f"stones: expected 3 or 4, got {len(stones)}")
    kinds = [len(set(values)) for values in zip(*(stone.features for stone in stones), strict=True)]
    return all(count in (1, len(stones)) for count in kinds)


@dataclass(frozen=True, slots=True)
class MissingFeature:
    """One feature of the missing stone: whether those there are equal, and what it can be."""

    equal: bool
    values: tuple[Feature, ...]


def missing_features(stones: Sequence[Stone]) -> tuple[MissingFeature, ...]:
    """Feature by feature, what the stone must have that makes two or three stones a group.

    In the order colour, symbol, colour of the symbol. ``values`` is empty where three stones are
    neither equal nor different in the feature. ValueError for another number of stones or for
    the same stone twice. Source: Domino-Duell, "Welcher Spielstein fehlt zum Tripel?".
    """
    if len(stones) not in (2, 3):
        raise ValueError(f"stones: expected 2 or 3, got {len(stones)}")
    if len(set(stones)) < len(stones):
        raise ValueError("stones: expected different ones, got one of them twice")
    found = []
    for kind, seen in zip(
        FEATURES, zip(*(each.features for each in stones), strict=True), strict=True
    ):
        values: tuple[Feature, ...] = tuple(kind)
        equal = len(set(seen)) == 1
        if equal:
            values = seen[:1]
        elif len(set(seen)) == len(seen):
            values = tuple(value for value in values if value not in seen)
        else:
            values = ()
        found.append(MissingFeature(equal, values))
    return tuple(found)


def completions(stones: Sequence[Stone]) -> tuple[Stone, ...]:
    """The stones that make two stones a triple (2, 4 or 8), or a triple a quadruple (one).

    None for three stones that are no triple. ValueError as in ``missing_features``.
    """
    missing = missing_features(stones)
    return tuple(
        stone
        for features in product(*(each.values for each in missing))
        if (stone := _BY_FEATURES[features]) not in stones
    )


_BY_FEATURES: dict[tuple[Feature, ...], Stone] = {stone.features: stone for stone in STONES}


def _triple_masks() -> list[int]:
    masks = [0] * (64 * 64)
    for one in STONES:
        for other in STONES:
            if one is not other:
                third = completions((one, other))
                masks[64 * one.number + other.number] = sum(1 << stone.number for stone in third)
    return masks


TRIPLE_MASKS = _triple_masks()
"""At 64 × a + b the stones, as bits by number, that make the stones a and b a triple."""


EDGE_FACTOR = 2


@dataclass(frozen=True, slots=True)
class Group:
    """A new triple or quadruple: its hollows in their order along the line."""

    kind: GroupKind
    hollows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move and where its points come from.

    ``groups`` are the new groups that count, quadruples first; ``touched`` the occupied hollows
    around the new stone; ``at_edge`` whether the points are doubled.
    """

    stone: Stone
    hollow: str
    groups: tuple[Group, ...]
    touched: tuple[str, ...]
    at_edge: bool

    @property
    def group_points(self) -> int:
        """1 for each new triple and 3 for each new quadruple, before anything is multiplied."""
        return sum([group.kind.points for group in self.groups])

    @property
    def points(self) -> int:
        """Source: Domino-Duell, "Wertung"."""
        return self.group_points * len(self.touched) * (EDGE_FACTOR if self.at_edge else 1)


def why_illegal(position: Board, piece: Piece, hollow: str) -> Reason | None:
    """Why a stone must not be laid on a hollow, None where it may.

    The first that applies of ``off_board``, ``occupied``, ``joker_laid``, ``stone_on_board`` and
    ``no_group``. Source: Domino-Duell, "Kurzanleitung", "Spielvorbereitung".
    """
    index = position.shape.index.get(hollow)
    if index is None:
        return Reason.OFF_BOARD
    if position.numbers[index] != NOTHING:
        return Reason.OCCUPIED
    if piece is JOKER:
        return Reason.JOKER_LAID
    if piece.number in position.numbers:
        return Reason.STONE_ON_BOARD
    for *_, mask in _open_groups(position, index):
        if mask >> piece.number & 1:
            return None
    return Reason.NO_GROUP


def score_move(position: Board, piece: Piece, hollow: str, at_edge: bool | None = None) -> Move:
    """The move of laying a stone on a hollow, with its points and reasons.

    ``at_edge`` set by hand overrules the board's own edge, whose shape is inferred. IllegalTurn
    with the reason of ``why_illegal`` where the move is not allowed.
    """
    reason = why_illegal(position, piece, hollow)
    if reason is not None:
        raise IllegalTurn(reason, stone=str(piece), hollow=hollow)
    assert isinstance(piece, Stone)
    index = position.shape.index[hollow]
    return _move(position, piece, index, list(_open_groups(position, index)), at_edge)


def legal_moves(position: Board, hand: Iterable[Piece]) -> tuple[Move, ...]:
    """Every legal move of the stones of a hand: most points first, then by stone and hollow.

    Jokers and stones that lie on the board already are passed over.
    """
    there = set(position.numbers)
    stones = {
        piece.number: piece
        for piece in hand
        if isinstance(piece, Stone) and piece.number not in there
    }
    found = []
    for index, number in enumerate(position.numbers):
        if number != NOTHING:
            continue
        open_groups = list(_open_groups(position, index))
        wanted = 0
        for *_, mask in open_groups:
            wanted |= mask
        if not wanted:
            continue
        for number, stone in stones.items():
            if wanted >> number & 1:
                move = _move(position, stone, index, open_groups, None)
                found.append((-move.points, number, index, move))
    return tuple(move for *_, move in sorted(found, key=lambda each: each[:3]))


_OpenGroup = tuple[GroupKind, int, int]
"""Kind and number of a window of a hollow, and the stones, as bits, that make it a group."""


def _open_groups(position: Board, index: int) -> Iterable[_OpenGroup]:
    """The groups that some stone would complete in a free hollow, quadruples first.

    Every three (four) occupied hollows in a row that hold the new stone are looked at; a joker
    makes none of them valid.
    """
    numbers, shape = position.numbers, position.shape
    for at, window in enumerate(shape.quadruples[index]):
        first, second, third = window.others
        a, b, c = numbers[first], numbers[second], numbers[third]
        if a >= 0 and b >= 0 and c >= 0 and TRIPLE_MASKS[64 * a + b] >> c & 1:
            yield GroupKind.QUADRUPLE, at, 1 << (a ^ b ^ c)
    for at, window in enumerate(shape.triples[index]):
        first, second = window.others
        a, b = numbers[first], numbers[second]
        if a >= 0 and b >= 0:
            yield GroupKind.TRIPLE, at, TRIPLE_MASKS[64 * a + b]


def _move(
    position: Board,
    stone: Stone,
    index: int,
    open_groups: Iterable[_OpenGroup],
    at_edge: bool | None,
) -> Move:
    """A triple within a counted quadruple does not count besides: the sheet's third move."""
    shape, numbers = position.shape, position.numbers
    hollow = shape.hollows[index]
    groups = []
    within = 0
    for kind, at, mask in open_groups:
        if not mask >> stone.number & 1:
            continue
        if kind is GroupKind.QUADRUPLE:
            window = shape.quadruples[index][at]
            within |= window.inside
        elif within >> at & 1:
            continue
        else:
            window = shape.triples[index][at]
        groups.append(Group(kind, window.hollows))
    touched = tuple(
        [shape.hollows[near] for near in shape.neighbours[index] if numbers[near] != NOTHING]
    )
    doubled = hollow in shape.edge if at_edge is None else at_edge
    return Move(stone, hollow, tuple(groups), touched, doubled)
