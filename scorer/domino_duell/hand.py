"""The pieces in front of a player, as far as anybody wrote them down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.domino_duell.stone import Piece

__all__ = ["Hand"]


@dataclass(frozen=True, slots=True)
class Hand:
    """``size`` pieces, of which ``known`` are written down; ValueError for more known than that."""

    size: int
    known: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        if len(self.known) > self.size:
            raise ValueError(f"known: expected at most {self.size} pieces, got {len(self.known)}")

    @property
    def unknown(self) -> int:
        """How many of the pieces nobody wrote down."""
        return self.size - len(self.known)

    def without(self, piece: Piece) -> Hand:
        """The hand after giving a piece, one of the unknown where it is not among the known."""
        known = list(self.known)
        if piece in known:
            known.remove(piece)
        return Hand(self.size - 1, tuple(known))

    def without_any(self, count: int) -> Hand:
        """The hand after giving ``count`` pieces nobody named: then none of the rest is known."""
        return Hand(self.size - count)

    def drawing(self, count: int, pieces: Sequence[Piece] = ()) -> Hand:
        """The hand after drawing ``count`` pieces, of which ``pieces`` were named."""
        return Hand(self.size + count, (*self.known, *pieces))
