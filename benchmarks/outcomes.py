"""How long the possible outcomes of a game take to compute, and whether they are exact.

``python -m benchmarks.outcomes`` plays games of four kingdoms, puts 30 of their squares in doubt,
and measures the processor time; then it compares random games with scoring every combination of
their doubtful squares. It writes ``benchmarks/outcomes.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from benchmarks.markdown_tables import markdown, provenance, show
from scorer.kingdomino import outcome
from tests.scorer.kingdomino.open_games import check, open_game, random_rules, random_table

OUT = Path(__file__).with_name("outcomes.md")


def milliseconds(games: int, doubts: int, most: int) -> tuple[list[float], int]:
    """The processor time of each of so many games, sorted, and how many outcomes are exact."""
    rng = Random(most)
    found, exact = [], 0
    for _ in range(games):
        table = open_game(rng, doubts, most)
        started = time.process_time()
        exact += outcome(table).exact
        found.append(1000 * (time.process_time() - started))
    return sorted(found), exact


def compared(games: int, first: int = 0) -> int:
    """How many random games have the outcomes that trying every combination gives.

    AssertionError at the first that has others.
    """
    for seed in range(first, first + games):
        rng = Random(seed)
        check([random_table(rng, rng.choice((2, 3, 4)), rng.randrange(8))], random_rules(rng))
    return games


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="to be timed, of each kind")
    parser.add_argument("--compare", type=int, default=4000, help="compared with every combination")
    arguments = parser.parse_args(argv)
    rows = []
    for most in (1, 2, 3):
        found, exact = milliseconds(arguments.games, 30, most)
        middle, late = found[len(found) // 2], found[int(0.99 * len(found))]
        times = (f"{each:.0f}" for each in (middle, late, found[-1]))
        rows.append((most, *times, f"{exact} of {len(found)}"))
    head = ("other squares for each doubt, at most", "median ms", "99 % ms", "slowest ms", "exact")
    same = compared(arguments.compare)
    text = (
        f"# outcomes\n\n{provenance()}. Four kingdoms with 30 doubts; milliseconds of one core.\n\n"
        f"{markdown(head, rows)}\n{same} random games of two to four kingdoms with up to seven "
        "doubts have the winners, the deciding squares and their order that trying every "
        "combination gives.\n"
    )
    show(text, OUT)


if __name__ == "__main__":
    main()
