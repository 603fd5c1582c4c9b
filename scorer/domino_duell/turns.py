"""What a player can do in turn: lay, use a joker, exchange, or sit out."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.domino_duell.stone import Piece, Stone

__all__ = ["Exchange", "Lay", "Pass", "Turn", "UseJoker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """``player`` is the name of who has the turn, where it was written down."""

    player: str | None = None


@dataclass(frozen=True, slots=True)
class Lay(_Turn):
    """Lay a stone on a hollow, where ``joker`` names one after taking that stone for a joker.

    ``at_edge`` overrules whether the hollow is at the edge; ``drawn`` is the piece drawn
    afterwards, where somebody wrote it down.
    """

    stone: Stone
    hollow: str
    at_edge: bool | None = None
    joker: str | None = None
    drawn: Piece | None = None


@dataclass(frozen=True, slots=True)
class UseJoker(_Turn):
    """Put a joker in place of the stone on a hollow, take the stone, and lay nothing."""

    hollow: str


@dataclass(frozen=True, slots=True)
class Exchange(_Turn):
    """Exchange ``count`` pieces against as many drawn blindly from the bag.

    ``given`` and ``drawn`` name them where somebody wrote them down; each is empty or has
    ``count`` pieces, else ValueError.
    """

    count: int
    given: tuple[Piece, ...] = ()
    drawn: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"count: expected 1 or more, got {self.count}")
        for name, pieces in (("given", self.given), ("drawn", self.drawn)):
            if len(pieces) not in (0, self.count):
                raise ValueError(f"{name}: expected 0 or {self.count} pieces, got {len(pieces)}")


@dataclass(frozen=True, slots=True)
class Pass(_Turn):
    """Sit out, because no stone of the hand can be laid; exchanging instead is free to anyone."""


Turn = Lay | UseJoker | Exchange | Pass
