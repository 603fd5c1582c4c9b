"""The sample pictures that come with the project, and the kingdoms in them."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from scorer.kingdomino import Kingdom


def sample_folder() -> Path:
    """The folder with the pictures and ``labels.csv``: in the installed package or the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "sample_images"
    return installed if installed.is_dir() else package.parent / "sample_images"


@cache
def sample_labels() -> dict[str, Kingdom | None]:
    """The kingdom in each picture by file name, None for a picture without one."""
    with (sample_folder() / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["file"]: Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None
        for row in rows
    }
