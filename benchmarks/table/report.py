"""The table of conditions, from what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.table.measure import Measured
from vision.common.markdown_tables import markdown

__all__ = ["BARS", "HEAD", "keep_by_hand", "make_row", "make_table"]

HEAD = (
    "what", "kingdoms", "exact", "bar", "silent", "squares wrong, not flagged",
    "hidden, not flagged", "flags a kingdom", "warned", "lost", "refused", "ms",
)  # fmt: skip
# What share of the kingdoms should be exact, as it was asked for.
BARS = {
    "loose domino": (38, 42),
    "draft row": (40, 42),
    "two kingdoms, gap 0.05": (50, 60),
    "two kingdoms, half": (50, 60),
    "two kingdoms": (57, 60),
    "three to five kingdoms": (98, 100),
    "hand over": (40, 42),
    "playing card": (40, 42),
    "drinking glass": (40, 42),
    "tilt 45°": (42, 42),
    "tilt 60°": (36, 42),
    "low light": (41, 42),
    "very low light": (32, 42),
}
BY_HAND = "<!-- What follows is written by hand; the command keeps it. -->"


def _bar(name: str) -> tuple[int, int] | None:
    return next((bar for start, bar in BARS.items() if name.startswith(start)), None)


def make_row(name: str, measured: Sequence[Measured]) -> tuple[object, ...]:
    """The line of one condition."""
    verdicts = [verdict for each in measured for verdict in each.verdicts]
    squares = sum(v.squares - v.hidden for v in verdicts)
    hidden = sum(v.hidden for v in verdicts)
    warned: dict[str, int] = {}
    for verdict in verdicts:
        for code in set(verdict.warnings):
            warned[code] = warned.get(code, 0) + 1
    exact = sum(v.exact for v in verdicts)
    bar = _bar(name)
    short = bar is not None and exact * bar[1] < bar[0] * len(verdicts)
    return (
        name,
        len(verdicts),
        f"**{exact}**" if short else exact,
        f"{bar[0]} of {bar[1]}" if bar else "–",
        sum(v.silent for v in verdicts),
        f"{sum(v.unflagged for v in verdicts)} of {squares}",
        f"{sum(v.hidden_unflagged for v in verdicts)} of {hidden}" if hidden else "–",
        f"{np.mean([v.flags for v in verdicts]):.2f}",
        ", ".join(f"{code} {n}" for code, n in sorted(warned.items())) or "–",
        sum(not v.read and not v.refused for v in verdicts),
        sum(v.refused for v in verdicts),
        f"{np.median([each.ms for each in measured]):.0f}",
    )


def make_table(rows: Sequence[Sequence[object]]) -> str:
    """All lines; a number of exact kingdoms in bold is below its bar."""
    return markdown(HEAD, rows)


def keep_by_hand(path: Path) -> str:
    """What was written by hand at the end of an earlier report, with its mark."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    _, mark, rest = text.partition(BY_HAND)
    return mark + rest
