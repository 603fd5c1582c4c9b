"""Tables of measurements in Markdown."""

from __future__ import annotations

import datetime
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.common.markdown import markdown as markdown

BY_HAND = "<!-- What follows is written by hand; the command keeps it. -->"
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995)


def provenance() -> str:
    """The date and the commit of a measurement."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return f"{datetime.date.today()}, commit {found.stdout.strip() or 'unknown'}"


def keep_by_hand(path: Path) -> str:
    """What was written by hand at the end of an earlier report, with its mark."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    _, mark, rest = text.partition(BY_HAND)
    return mark + rest


def show(text: str, keep: Path | None) -> None:
    """Print a report, and write it to the file ``keep`` if that is given, before what was written
    there by hand.
    """
    if keep and (by_hand := keep_by_hand(keep)):
        text += "\n" + by_hand
    print(text)
    if keep:
        keep.parent.mkdir(parents=True, exist_ok=True)
        keep.write_text(text, encoding="utf-8")


def reliability(confidences: Sequence[tuple[float, bool]], bins: int = 10) -> str:
    """A reliability table: the share of squares that are right, by bins of their probability."""
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


def thresholds(confidences: Sequence[tuple[float, bool]], kingdoms: int) -> str:
    """For each threshold: how many squares below it, and how many wrong ones at or above it."""
    rows = []
    for threshold in THRESHOLDS:
        below = sum(p < threshold for p, _ in confidences)
        missed = sum(p >= threshold and not right for p, right in confidences)
        rows.append((f"{threshold:g}", f"{below / max(kingdoms, 1):.2f}", missed))
    return markdown(("flagged below", "flagged, mean", "wrong, not flagged"), rows)
