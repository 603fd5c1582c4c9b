"""Reads the golden tables: columns between double bars, comments after #, a case a line."""

from __future__ import annotations

from pathlib import Path


def rows(name: str) -> list[list[str]]:
    """The columns of every case of a table, without the blanks round them."""
    text = Path(__file__).with_name("golden").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [[column.strip() for column in line.split("||")] for line in lines]
