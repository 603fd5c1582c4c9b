"""Prints what has changed in a version: `python -m deploy.release_notes 0.2.0`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"


def notes_of(version: str, changes: str | None = None) -> str:
    """The section of a version without its heading. ValueError where there is none."""
    text = CHANGES.read_text(encoding="utf-8") if changes is None else changes
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    for section in sections:
        heading, _, notes = section.partition("\n")
        if heading.split()[:1] == [version]:
            return notes.strip()
    raise ValueError(f"{CHANGES.name}: no section for {version}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: 0, or 1 where there is no such version."""
    parser = argparse.ArgumentParser(prog="python -m deploy.release_notes", description=__doc__)
    parser.add_argument("version", metavar="VERSION")
    try:
        print(notes_of(parser.parse_args(arguments).version))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
