"""What the tasks of a test load their data from: nothing but what the test hands over."""

from __future__ import annotations

from pathlib import Path

from training.common.task import Source


def source_of(folder: Path = Path("nowhere")) -> Source:
    """A source with no data behind it, but a folder for what is drawn."""
    return Source(folder / "data", folder / "drawn", seed=1)
