"""The tables of a measurement, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

__all__ = ["markdown", "reliability"]


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def reliability(confidences: Sequence[tuple[float, bool]], bins: int = 10) -> str:
    """How often squares were right, by the probability that was given for them."""
    probabilities = np.array([p for p, _ in confidences], np.float64)
    right = np.array([r for _, r in confidences], bool)
    index = np.minimum((probabilities * bins).astype(int), bins - 1)
    rows = []
    for k in range(bins):
        mine = index == k
        if mine.any():
            mean, share = f"{probabilities[mine].mean():.3f}", f"{right[mine].mean():.3f}"
        else:
            mean = share = "–"
        rows.append((f"{k / bins:.1f} to {(k + 1) / bins:.1f}", int(mine.sum()), mean, share))
    return markdown(("probability", "squares", "mean probability", "share right"), rows)
