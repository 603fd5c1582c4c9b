"""The result of the box check: a verdict, a cut for each kingdom, and reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from scorer.kingdomino.box.graph import GamePosition
from scorer.kingdomino.dominoes import Domino
from scorer.kingdomino.laying import LaidDomino

__all__ = ["BoxCheck", "BoxReason", "Verdict"]


class Verdict(Enum):
    """The verdict of the box check.

    UNCERTAIN: possible only if dominoes of the expansion have other pairs than their single source
    shows. GAVE_UP: the time limit passed before there was a verdict.
    """

    LEGAL = "legal"
    UNCERTAIN = "uncertain"
    IMPOSSIBLE = "impossible"
    GAVE_UP = "gave_up"


@dataclass(frozen=True, slots=True)
class BoxReason:
    """Why there is no cut, or no certain one.

    ``squares`` are (number of the kingdom from 0, (row, column)). The codes:

    - ``no_castle``, ``several_castles``, ``too_wide``, ``too_high``: as in ``problems``;
    - ``too_many_giants``: over all kingdoms together;
    - ``not_in_box``: no domino has such a square;
    - ``unmatched``: ``squares`` is a smallest set that can't all be halves of dominoes, because
      together they have only ``allowed`` possible partners;
    - ``needed_too_often``: the box has only ``dominoes`` of a kind (``allowed``), but the cut with
      the fewest missing dominoes needs ``found`` of it, on ``squares``;
    - ``no_legal_order``: the cut given can't be laid, ``squares`` are never reached, and no other
      cut can be laid either;
    - ``pairs_uncertain``: ``squares`` need dominoes of the expansion with other pairs;
    - ``time_over``: the search was given up; or only the search for the reason, and then
      ``needed_too_often`` is about any cut, not the one with the fewest missing dominoes.
    """

    code: str
    squares: tuple[GamePosition, ...] = ()
    dominoes: tuple[Domino, ...] = ()
    found: int | None = None
    allowed: int | None = None


@dataclass(frozen=True, slots=True)
class BoxCheck:
    """The result: a cut for each kingdom in a legal order, or the reasons why there is none.

    ``cuts`` is empty if there is no cut. With ``no_legal_order`` it has a cut that can't be laid,
    beginning with the dominoes that can.
    """

    verdict: Verdict
    cuts: tuple[tuple[LaidDomino, ...], ...] = ()
    reasons: tuple[BoxReason, ...] = ()
