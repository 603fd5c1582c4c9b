"""The rules of decisions on thousands of steps by two phones at tables of three kingdoms.

``python -m benchmarks.decisions`` plays games in which squares are set, confirmed, taken back and
done again, boards turned, photographed anew and read in other corners, giants put, and both phones
act at once; it fails where a rule is broken, and writes ``benchmarks/decisions.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.markdown_tables import provenance, show
from tests.companion.games.kingdomino.test_decisions import run

OUT = Path(__file__).with_name("decisions.md")


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rules", type=int, default=40, help="at most, in each game")
    arguments = parser.parse_args(argv)
    started = time.process_time()
    steps = run(arguments.games, arguments.rules)
    seconds = time.process_time() - started
    show(
        f"# decisions\n\n{provenance()}.\n\n{steps:,} steps in {arguments.games} games of up to "
        f"{arguments.rules} rules each: in every one of them a decision changed no square but its "
        "own, taking it back gave the table without it, both phones saw the same, the same "
        f"decisions in another order gave the same table. {seconds:.0f} s of one core.\n",
        OUT,
    )


if __name__ == "__main__":
    main()
