"""The box check: can kingdoms be cut into dominoes of the box and laid by the rules?"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from scorer.kingdomino.box.graph import (
    BoxGraph,
    GamePosition,
    Kind,
    find_smallest_unmatched,
    kind_of,
    match_squares,
)
from scorer.kingdomino.box.search import Edge, GaveUp, Supply, find_cut
from scorer.kingdomino.dominoes import (
    BASE_DOMINOES,
    GIANT_DOMINOES,
    Domino,
    LaidDomino,
    find_laying_order,
)
from scorer.kingdomino.errors import RulesError
from scorer.kingdomino.kingdom import Kingdom, Square
from scorer.kingdomino.problems import (
    box_of,
    locate_giants,
    problems,
    rules_in_play,
    supply_of,
)
from scorer.kingdomino.rules import GIANTS, PLAYERS, Rules


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


_TIME_LIMIT_S = 8.0
_REASON_LIMIT_S = 2.0
_BARRING = ("no_castle", "several_castles", "too_wide", "too_high")
_TOO_LARGE = ("too_wide", "too_high")


@dataclass(frozen=True, slots=True)
class _Box:
    """Dominoes by kind, and the single squares of dominoes with uncertain pairs."""

    dominoes: tuple[Domino, ...]
    counts: Counter[Kind]
    loose: Counter[Square]

    @classmethod
    def of(cls, dominoes: Sequence[Domino], loose: Sequence[Domino] = ()) -> _Box:
        counts = Counter(kind_of(domino.left, domino.right) for domino in dominoes)
        return cls((*dominoes, *loose), counts, supply_of(loose))

    @property
    def kinds(self) -> list[Kind]:
        loose = list(self.loose.elements())
        pairs = (
            kind_of(one, other) for place, one in enumerate(loose) for other in loose[place + 1 :]
        )
        return list(dict.fromkeys((*self.counts, *pairs)))

    def graph(self, kingdoms: Sequence[Kingdom]) -> BoxGraph:
        return BoxGraph.of(kingdoms, self.kinds)

    def supply(self, graph: BoxGraph, spare: int = 0) -> Supply:
        return Supply(graph.kinds, self.counts, self.loose, spare)


def box_check(
    kingdoms: Kingdom | Sequence[Kingdom],
    rules: Rules | None = None,
    *,
    time_limit_s: float = _TIME_LIMIT_S,
) -> BoxCheck:
    """Check whether the kingdoms of one game can be made of the box, each domino used once.

    Up to 5 kingdoms; RulesError ``bad_players`` for more, or another number than in the rules.
    The size of the grid is one for all of them, as in ``rules_in_play``. ``time_limit_s`` limits
    the search for a cut and for a reason.

    The check is exact: it returns the first cut that can be laid, or there is none. The dominoes of
    the expansion are in play if the rules or a giant on a square say so; no kingdom is impossible
    because of their uncertain pairs alone.

    Source: Kingdomino, "Spielmaterial" and "Anlegeregeln"; Age of Giants, "Spielmaterial".
    """
    deadline = time.monotonic() + time_limit_s
    rules = rules or Rules()
    kingdoms = [kingdoms] if isinstance(kingdoms, Kingdom) else list(kingdoms)
    if len(kingdoms) > PLAYERS[-1] or rules.players not in (None, len(kingdoms)):
        raise RulesError("bad_players", players=len(kingdoms))
    rules = rules_in_play(kingdoms, rules)
    dominoes = box_of(kingdoms, rules)
    boxes = [_Box.of(dominoes)]
    if len(dominoes) > len(BASE_DOMINOES):
        boxes.append(_Box.of(BASE_DOMINOES, GIANT_DOMINOES))
    barring = (*_rule_out(kingdoms, rules), *_too_many_giants(kingdoms))
    if any(reason.code in _TOO_LARGE for reason in barring):
        return BoxCheck(Verdict.IMPOSSIBLE, (), barring)
    try:
        unmatched = _unmatched(kingdoms, boxes[-1])
        if not unmatched and not barring:
            for box in boxes:
                graph = box.graph(kingdoms)
                cut = find_cut(graph, box.supply(graph), deadline=deadline)
                if cut is not None:
                    return _possible(kingdoms, box, graph, cut)
    except GaveUp:
        return BoxCheck(Verdict.GAVE_UP, (), (BoxReason("time_over"),))
    return _impossible(kingdoms, boxes[-1], (*barring, *unmatched), bool(unmatched), deadline)


def _rule_out(kingdoms: Sequence[Kingdom], rules: Rules) -> tuple[BoxReason, ...]:
    """The reasons that rule a kingdom out before the dominoes are considered."""
    return tuple(
        BoxReason(
            problem.code,
            tuple((number, position) for position in problem.squares),
            (),
            problem.found,
            problem.allowed,
        )
        for number, kingdom in enumerate(kingdoms)
        for problem in problems(kingdom, rules)
        if problem.code in _BARRING
    )


def _too_many_giants(kingdoms: Sequence[Kingdom]) -> Iterable[BoxReason]:
    places, giants = locate_giants(
        ((number, position), square)
        for number, kingdom in enumerate(kingdoms)
        for position, square in kingdom.items()
    )
    if giants > GIANTS:
        yield BoxReason("too_many_giants", places, (), giants, GIANTS)


def _unmatched(kingdoms: Sequence[Kingdom], box: _Box) -> tuple[BoxReason, ...]:
    """The squares of each kingdom that rule out every cut, even with unlimited dominoes."""
    graph = box.graph(kingdoms)
    supply = {square for kind in box.kinds for square in kind}
    reasons = []
    for number in range(len(kingdoms)):
        foreign = tuple(
            place
            for place, square in zip(graph.places, graph.squares, strict=True)
            if place[0] == number and square.printed not in supply
        )
        if foreign:
            reasons.append(BoxReason("not_in_box", foreign))
            continue
        squares = find_smallest_unmatched(graph, number)
        if squares:
            partners = {other for square in squares for other, _ in graph.neighbours[square]}
            places = tuple(graph.places[square] for square in squares)
            reasons.append(BoxReason("unmatched", places, (), len(squares), len(partners)))
    return tuple(reasons)


def _possible(
    kingdoms: Sequence[Kingdom], box: _Box, graph: BoxGraph, cut: Sequence[Edge]
) -> BoxCheck:
    cuts, _ = _lay(kingdoms, box, graph, cut)
    unknown = [
        (number, position)
        for number, laid in enumerate(cuts)
        for each in laid
        if each.domino is None
        for position in (each.left, each.right)
    ]
    if not unknown:
        return BoxCheck(Verdict.LEGAL, cuts)
    return BoxCheck(Verdict.UNCERTAIN, cuts, (BoxReason("pairs_uncertain", tuple(unknown)),))


def _impossible(
    kingdoms: Sequence[Kingdom],
    box: _Box,
    reasons: tuple[BoxReason, ...],
    is_unmatched: bool,
    deadline: float,
) -> BoxCheck:
    """The verdict with the best reason: no legal order, or dominoes needed too often."""
    if is_unmatched:
        return BoxCheck(Verdict.IMPOSSIBLE, (), reasons)
    graph = box.graph(kingdoms)
    supply = box.supply(graph)
    deadline = min(deadline, time.monotonic() + _REASON_LIMIT_S)
    try:
        cut = find_cut(graph, supply, deadline=deadline, in_order=False)
        spare = supply.missing(graph.squares)
        while cut is None:
            spare = max(spare, 1)
            supply = box.supply(graph, spare)
            cut = find_cut(graph, supply, deadline=deadline, in_order=False)
            spare += 1
    except GaveUp:
        # Any cut still shows where dominoes are missing.
        reasons = (*reasons, BoxReason("time_over"))
        supply = box.supply(graph, len(graph.squares))
        cut = _any_cut(graph, supply)
    too_often = tuple(_too_often(box, graph, supply, cut))
    if too_often:
        return BoxCheck(Verdict.IMPOSSIBLE, (), (*reasons, *too_often))
    cuts, unreached = _lay(kingdoms, box, graph, cut)
    if unreached and not reasons:
        reasons = (BoxReason("no_legal_order", tuple(unreached)),)
    return BoxCheck(Verdict.IMPOSSIBLE, cuts, reasons)


def _any_cut(graph: BoxGraph, supply: Supply) -> tuple[Edge, ...]:
    """Any cut, regardless of the number of dominoes; its dominoes are taken from the supply."""
    pairs = match_squares(graph, range(len(graph.squares))) or {}
    cut = tuple((one, other, dict(graph.neighbours[one])[other]) for one, other in pairs.items())
    for _, _, kind in cut:
        supply.take(kind)
    return cut


def _too_often(
    box: _Box, graph: BoxGraph, supply: Supply, cut: Sequence[Edge]
) -> Iterable[BoxReason]:
    """The kinds of which the cut needs more dominoes than there are."""
    for number, kind in enumerate(graph.kinds):
        if supply.taken_spare(number):
            used = [edge for edge in cut if edge[2] == number]
            places = sorted(graph.places[square] for edge in used for square in edge[:2])
            owned = tuple(each for each in box.dominoes if kind_of(each.left, each.right) == kind)
            allowed = len(used) - supply.taken_spare(number)
            yield BoxReason("needed_too_often", tuple(places), owned, len(used), allowed)


def _lay(
    kingdoms: Sequence[Kingdom], box: _Box, graph: BoxGraph, cut: Sequence[Edge]
) -> tuple[tuple[tuple[LaidDomino, ...], ...], list[GamePosition]]:
    """The cut as numbered dominoes in a legal order, and the squares that are never reached."""
    stock: dict[Kind, list[Domino]] = {}
    for each in reversed(box.dominoes):
        stock.setdefault(kind_of(each.left, each.right), []).append(each)
    cuts: list[tuple[LaidDomino, ...]] = []
    unreached: list[GamePosition] = []
    for number, kingdom in enumerate(kingdoms):
        waiting = []
        for one, other, kind in cut:
            if graph.places[one][0] == number:
                left_over = stock.get(graph.kinds[kind], [])
                domino = left_over.pop() if left_over else None
                ends = sorted((graph.places[one][1], graph.places[other][1]))
                if domino is not None and kingdom[ends[0]].printed != domino.left:
                    ends.reverse()
                waiting.append(LaidDomino(domino, ends[0], ends[1]))
        laid = find_laying_order(kingdom, waiting)
        missing = [each for each in waiting if each not in laid]
        unreached += sorted((number, end) for each in missing for end in (each.left, each.right))
        cuts.append((*laid, *missing))
    return tuple(cuts), unreached
