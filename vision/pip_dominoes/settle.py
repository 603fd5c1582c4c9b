"""Which dominoes are most probable together: each exists once, and none is above the set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.pip_dominoes.tiles import HIGHEST, SETS, Tile, tiles_of

__all__ = ["SettleSettings", "Settled", "infer_set", "settle"]

Floats = NDArray[np.float64]

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
