"""From candidates to the reading: the most probable dominoes together, and what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.recognise import RecognitionSettings
from vision.pip_dominoes.result import (
    HIGHEST,
    NEVER_PHOTOGRAPHED,
    SETS,
    DominoReading,
    Tile,
    format_tile,
    tiles_of,
)

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_LEAST = 1e-30


@dataclass(frozen=True)
class SettleSettings:
    """``set_shares`` are how common the sets are, by their largest double.

    ``twice_price`` is the probability that a domino is there twice all the same, as where two
    sets are mixed; ``copies`` how often it may be.
    """

    set_shares: tuple[tuple[int, float], ...] = (
        (6, 0.34), (9, 0.12), (12, 0.44), (15, 0.06), (18, 0.04),
    )  # fmt: skip
    twice_price: float = 1e-4
    copies: int = 4


@dataclass(frozen=True)
class Settled:
    """A domino after settling: its numbers as they lie, probability, runner-up and what was odd.

    ``changed`` says that another domino would explain it better, were it not taken; ``twice``
    that the same domino is there again.
    """

    halves: tuple[int, int]
    probability: float
    runner_up: Tile | None
    changed: bool
    twice: bool


def _tile_likelihoods(likelihoods: Floats, highest: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Likelihood (n, tiles) of each domino of the set, and whether it lies the other way round."""
    tiles = np.array(tiles_of(highest))
    forward = likelihoods[:, 0, tiles[:, 0]] * likelihoods[:, 1, tiles[:, 1]]
    backward = likelihoods[:, 0, tiles[:, 1]] * likelihoods[:, 1, tiles[:, 0]]
    return np.maximum(forward, backward), backward > forward


def infer_set(likelihoods: Floats, settings: SettleSettings | None = None) -> int:
    """The most probable set, by its largest double, of dominoes with likelihoods (n, 2, 19).

    Bayes' rule with the shares of ``settings``; within a set every domino is equally probable,
    so the smallest set that explains all of them wins.
    """
    settings = settings or SettleSettings()
    best, best_score = SETS[0], -np.inf
    for highest, share in settings.set_shares:
        each, _ = _tile_likelihoods(likelihoods, highest)
        score = np.log(share) + np.log(np.maximum(each.mean(1), _LEAST)).sum()
        if score > best_score:
            best, best_score = highest, float(score)
    return best


def settle(
    likelihoods: Floats,
    highest: int,
    fixed: Mapping[int, Tile] | None = None,
    settings: SettleSettings | None = None,
) -> list[Settled]:
    """The most probable dominoes of the double-``highest`` set together.

    ``likelihoods`` is (n, 2, 19), ``fixed`` says what some of them are known to be. An
    assignment of dominoes of the set to those seen (Kuhn, The Hungarian method, 1955), where a
    second copy of a domino has its price.
    """
    from scipy.optimize import linear_sum_assignment  # Takes long to load.

    settings = settings or SettleSettings()
    tiles = tiles_of(highest)
    each, backward = _tile_likelihoods(likelihoods, highest)
    for row, tile in (fixed or {}).items():
        if tile not in tiles:
            raise ValueError(f"tile: expected one of the double-{highest} set, got {tile}")
        each[row] = 0.0
        each[row, tiles.index(tile)] = 1.0
    posterior = each / np.maximum(each.sum(1, keepdims=True), _LEAST)
    # There must be a domino of the set for each that was seen.
    copies = max(settings.copies, -(-len(likelihoods) // len(tiles)))
    price = np.log(settings.twice_price) * (np.arange(copies) > 0)
    gain = np.log(np.maximum(posterior, _LEAST))
    # A domino that is known is not moved by any other.
    for row in fixed or {}:
        gain[row] *= 1e3
    table = np.concatenate([gain + extra for extra in price], axis=1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    chosen = dict(zip(rows.tolist(), (columns % len(tiles)).tolist(), strict=True))
    taken = np.bincount(list(chosen.values()), minlength=len(tiles))
    settled = []
    for row in range(len(likelihoods)):
        column = chosen[row]
        ranked = np.argsort(-posterior[row], kind="stable")
        other = next((int(k) for k in ranked[:2] if k != column), None)
        known = row in (fixed or {})
        a, b = tiles[column]
        settled.append(
            Settled(
                halves=(b, a) if backward[row, column] else (a, b),
                probability=float(posterior[row, column]),
                runner_up=None if known or other is None else tiles[other],
                changed=bool(ranked[0] != column),
                twice=bool(taken[column] > 1),
            )
        )
    return settled


def join_rows(rows: Sequence[Floats]) -> Floats:
    """Likelihoods of several hands as one (n, 2, 19)."""
    return np.concatenate([np.zeros((0, 2, HIGHEST + 1)), *rows])


@dataclass(frozen=True)
class DoubtSettings:
    """When a domino is flagged.

    Below ``min_probability`` both numbers are not sure enough; where pips and halves name different
    numbers, the one that lost must not have been surer than ``max_dissent``. Something is a domino
    from ``exists`` on and surely one from ``surely_exists`` on; from ``missed_exists`` on it may be
    one that was missed; where none is surely one, there is none at all, nor where no more than
    ``least_free`` of them are without a reason to refuse them. Dominoes with short sides under
    ``least_px`` in the photograph can't be told. No pip lies nearer to an edge than ``pips_from``
    of a short side, so that much may lie beyond the picture. Where so much of half a domino's area
    is likely to be a ``body`` that belongs to none that was read, there is a domino not read; so
    there is where something has the colour of a face and sides whose logarithms are off by no more
    than ``misfit``. Further than ``other_colour`` from the halves with pips, in CIE L*a*b*
    with half the lightness, a blank half may be a back's, or something lies on it. From
    ``figures`` on a domino may bear figures, and surely does from ``surely_figures`` on.
    """

    min_probability: float = 0.97
    max_dissent: float = 0.5
    exists: float = 0.5
    surely_exists: float = 0.8
    missed_exists: float = 0.15
    least_px: float = 10.0
    pips_from: float = 0.1
    body: float = 0.2
    misfit: float = 0.45
    other_colour: float = 12.0
    least_free: float = 0.1
    figures: float = 0.3
    surely_figures: float = 0.9


@dataclass(frozen=True, eq=False)
class Seen:
    """What the picture shows of one domino, in pixels of the photograph of ``size``.

    ``dissent`` is whether pips and halves name different numbers, ``halves`` the numbers read,
    ``colour_off`` how far the colour of a blank half is from that of the halves with pips.
    """

    corners: Floats
    size: tuple[int, int]
    exists: float
    figures: float
    dissent: bool
    halves: tuple[int, int]
    colour_off: float

    def beyond_px(self, inset: float) -> float:
        """How far what lies further from its edges than ``inset`` short sides reaches beyond the
        picture; below 0 where it does not.
        """
        long, short = self.corners[1] - self.corners[0], self.corners[3] - self.corners[0]
        along = inset * long * np.linalg.norm(short) / np.linalg.norm(long)
        across = inset * short
        inner = self.corners + [along + across, across - along, -along - across, along - across]
        return float(np.maximum(-inner, inner - np.array(self.size)).max())


@dataclass(frozen=True)
class Rule:
    """A reason to flag a domino, by the code that the reading bears.

    It looks either at what was ``seen``, and is kept when a reading is settled again, or at what
    was ``settled``. ``warning`` is raised for the whole photograph. Where nearly every domino has
    a reason that is ``refused``, the photograph shows none. ``meaning`` is for the documents and
    names fields of the settings in braces.
    """

    code: str
    meaning: str
    seen: Callable[[Seen, DoubtSettings], bool] | None = None
    settled: Callable[[Settled, DoubtSettings], bool] | None = None
    warning: str | None = None
    refused: bool = False


RULES = (
    Rule(
        "dissent",
        "pips and halves name different numbers, and the one that lost was surer than "
        "{max_dissent:.0%}",
        seen=lambda seen, _: seen.dissent,
        refused=True,
    ),
    Rule(
        "existence",
        "less than {surely_exists:.0%} likely to be a domino's face at all",
        seen=lambda seen, settings: seen.exists < settings.surely_exists,
        refused=True,
    ),
    Rule(
        "cut_off",
        "what lies further than {pips_from:.0%} of the short side from its edges, where pips can "
        "be, reaches beyond the picture",
        seen=lambda seen, settings: seen.beyond_px(settings.pips_from) > 0,
        warning="cut_off",
    ),
    Rule(
        "figures",
        "figures in place of pips, and either that is less than {surely_figures:.0%} sure or one "
        "of them is a 6 or a 9",
        seen=lambda seen, settings: (
            seen.figures > settings.figures
            and bool(seen.figures < settings.surely_figures or {6, 9} & {*seen.halves})
        ),
        warning="figures",
    ),
    Rule(
        "colour",
        "a blank half whose colour is further than {other_colour:.0f} from that of every half with "
        "pips: a back's, or that of a finger on it",
        seen=lambda seen, settings: 0 in seen.halves and seen.colour_off > settings.other_colour,
    ),
    Rule(
        "unlikely",
        "both numbers together are less than {min_probability:.0%} probable",
        settled=lambda settled, settings: settled.probability < settings.min_probability,
    ),
    Rule(
        "changed",
        "another domino would explain it better, but lies elsewhere",
        settled=lambda settled, _: settled.changed,
        refused=True,
    ),
    Rule(
        "twice",
        "the same domino seems to be there again",
        settled=lambda settled, _: settled.twice,
        warning="tile_twice",
    ),
)
"""Why a domino is flagged, in the order in which a reading names the reasons."""

_OF_SETTLING = frozenset(rule.code for rule in RULES if rule.settled)
_REFUSED = frozenset(rule.code for rule in RULES if rule.refused)
_WARNING_OF = {rule.code: rule.warning for rule in RULES if rule.warning}


@dataclass(frozen=True)
class PhotoCase:
    """A whole photograph: its set, whether nobody named it, whether a face was not read."""

    highest: int
    inferred: bool
    unread: bool


@dataclass(frozen=True)
class PhotoRule:
    """A warning about a whole photograph; ``meaning`` as for ``Rule``."""

    code: str
    meaning: str
    when: Callable[[PhotoCase], bool]


PHOTO_RULES = (
    PhotoRule("set_inferred", "nobody named the set", lambda photo: photo.inferred),
    PhotoRule(
        "set_never_photographed",
        "of this set the networks have seen drawings only",
        lambda photo: photo.highest in NEVER_PHOTOGRAPHED,
    ),
    PhotoRule(
        "unread",
        "something is {missed_exists:.0%} likely or more to be a domino and was not read, or half "
        "the area of one is on average {body:.0%} likely or more to be a domino's, whatever side "
        "it shows, or something has the colour, the shape and the size of those that were read",
        lambda photo: photo.unread,
    ),
)
"""What is warned of beside the ``warning`` of each of ``RULES``."""


def find_warnings(photo: PhotoCase, readings: Sequence[DominoReading]) -> tuple[str, ...]:
    """The warnings of a photograph and of its dominoes, sorted."""
    codes = {rule.code for rule in PHOTO_RULES if rule.when(photo)}
    reasons = {reason for reading in readings for reason in reading.reasons}
    return tuple(sorted(codes | {_WARNING_OF[each] for each in reasons & _WARNING_OF.keys()}))


def why_refused(readings: Sequence[DominoReading], settings: DoubtSettings) -> str | None:
    """The code with which a photograph of these dominoes is refused, None where it is read."""
    if all(reading.short_px < settings.least_px for reading in readings):
        return "dominoes_too_small"
    free = sum(not _REFUSED & {*reading.reasons} for reading in readings)
    if free <= settings.least_free * len(readings):
        return "no_dominoes"
    return None


def combine(candidates: Candidates, settings: RecognitionSettings) -> Floats:
    """Likelihoods (n, 2, 19) of the numbers by pips and halves; figures are not counted."""
    least_share = settings.least_share
    weight = settings.pip_weight * np.clip(1.5 - 2 * candidates.figures, 0, 1)[:, None, None]
    counted = (1 - least_share) * candidates.counted + least_share
    recognised = (1 - least_share) * candidates.recognised + least_share
    product = recognised**settings.half_weight * counted**weight
    return np.asarray(product / product.max(-1, keepdims=True))


def _dissent(candidates: Candidates, halves: NDArray[np.integer], most: float) -> Flags:
    """Whether pips or halves (n,) are surer of other numbers than of ``halves`` (n, 2)."""
    named = np.stack([candidates.counted, candidates.recognised])
    others = (named.argmax(-1) != halves) & (named.max(-1) > most)
    return np.asarray(others.any((0, 2)) & (candidates.figures <= 0.5))


def find_unclear(candidates: Candidates, likelihoods: Floats, settings: DoubtSettings) -> Flags:
    """Which dominoes (n,) to look at closer: halves not sure, or pips and halves differ."""
    shares = likelihoods.max(-1) / likelihoods.sum(-1)
    unsure = shares.prod(-1) < settings.min_probability
    return np.asarray(unsure | _dissent(candidates, likelihoods.argmax(-1), settings.max_dissent))


def judge(
    settled: Sequence[Settled],
    candidates: Candidates,
    likelihoods: Floats,
    blanks_off: Floats,
    scale: float,
    size: tuple[int, int],
    settings: DoubtSettings,
) -> list[DominoReading]:
    """The readings of all candidates, as they were settled.

    ``blanks_off`` (n,) is how far the colour of each one's blanks is from the halves with pips.
    ``scale`` takes pixels of the searched picture to those of the photograph, whose ``size`` is
    (width, height).
    """
    halves = np.array([domino.halves for domino in settled]).reshape(-1, 2)
    dissent = _dissent(candidates, halves, settings.max_dissent)
    exists = candidates.exists
    readings = []
    for row, domino in enumerate(settled):
        corners = (candidates.corners[row] + 0.5) * scale - 0.5
        seen = Seen(
            corners, size, float(exists[row]), float(candidates.figures[row]),
            bool(dissent[row]), domino.halves, float(blanks_off[row]),
        )  # fmt: skip
        reasons = tuple(rule.code for rule in RULES if rule.seen and rule.seen(seen, settings))
        reading = DominoReading(
            domino.halves, corners, 0.0, bool(reasons), "", likelihoods[row], seen.exists, reasons
        )
        readings.append(settled_reading(reading, domino, settings))
    return readings


def settled_reading(
    reading: DominoReading, domino: Settled, settings: DoubtSettings, *, known: bool = False
) -> DominoReading:
    """The reading as it was settled; what is ``known`` needs no look any more."""
    if known:
        return replace(
            reading,
            halves=domino.halves,
            probability=1.0,
            doubtful=False,
            runner_up="",
            existence=1.0,
            reasons=(),
        )
    reasons = [reason for reason in reading.reasons if reason not in _OF_SETTLING]
    reasons += [rule.code for rule in RULES if rule.settled and rule.settled(domino, settings)]
    return replace(
        reading,
        halves=domino.halves,
        probability=min(domino.probability * reading.existence, 1.0),
        doubtful=bool(reasons),
        runner_up=format_tile(*domino.runner_up) if domino.runner_up else "",
        reasons=tuple(reasons),
    )
