"""How many full 5×5 kingdoms are scored per second on one core, compared with a flood fill.

``python -m benchmarks.scoring`` plays games, scores their full kingdoms under several rules and
writes ``benchmarks/scoring.csv``. The flood fill, a plain one with a stack, only adds up
territory points, which must be equal. Times are process time, independent of other load, the best
of several rounds.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from platform import python_version
from random import Random

from scorer.kingdomino import QUESTS, BleakKing, Kingdom, Rules, score
from tests.scorer.kingdomino.random_games import full_kingdom

OUT = Path(__file__).with_name("scoring.csv")
HEADER = ("date", "python", "what", "kingdoms", "rounds", "kingdoms_per_s", "times_flood_fill")


def flood_fill_points(kingdom: Kingdom) -> int:
    """Territory points by the straightforward flood fill over a grid, with a stack."""
    rows, height, width = kingdom.rows, kingdom.height, kingdom.width
    seen = [[False] * width for _ in rows]
    points = 0
    for row in range(height):
        for column in range(width):
            terrain = rows[row][column].terrain
            if terrain is None or seen[row][column]:
                continue
            seen[row][column] = True
            stack, size, crowns = [(row, column)], 0, 0
            while stack:
                y, x = stack.pop()
                square = rows[y][x]
                size += 1
                crowns += square.crowns - square.giants
                for down, right in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                    inside = 0 <= down < height and 0 <= right < width
                    if inside and not seen[down][right] and rows[down][right].terrain is terrain:
                        seen[down][right] = True
                        stack.append((down, right))
            points += size * crowns
    return points


def scored_with(rules: Rules) -> Callable[[Kingdom], int]:
    return lambda kingdom: score(kingdom, rules).points


WHAT: dict[str, Callable[[Kingdom], int]] = {
    "flood fill, territory points only": flood_fill_points,
    "score, no variant": scored_with(Rules()),
    "score, Harmony and Middle Kingdom": scored_with(Rules(harmony=True, middle_kingdom=True)),
    "score, all 17 quests": scored_with(Rules(quests=QUESTS)),
    "score, all 17 quests, Bleak King by squares": scored_with(
        Rules(quests=QUESTS, bleak_king=BleakKing.SQUARES)
    ),
    "parse the notation, then score with all 17 quests": scored_with(Rules(quests=QUESTS)),
}


def per_second(task: Callable[[], object], kingdoms: int, rounds: int) -> float:
    """Kingdoms per second of process time in the best round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        task()
        best = min(best, time.process_time() - start)
    return kingdoms / best


def measured(kingdoms: Sequence[Kingdom], rounds: int) -> dict[str, float]:
    """Kingdoms per second for everything that is compared."""
    texts = [str(kingdom) for kingdom in kingdoms]

    def task_of(name: str, worth: Callable[[Kingdom], int]) -> Callable[[], object]:
        if name.startswith("parse"):
            return lambda: [worth(Kingdom.parse(text)) for text in texts]
        return lambda: [worth(kingdom) for kingdom in kingdoms]

    return {
        name: per_second(task_of(name, worth), len(kingdoms), rounds)
        for name, worth in WHAT.items()
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kingdoms", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    rng = Random(args.seed)
    kingdoms = [full_kingdom(rng, 5) for _ in range(args.kingdoms)]
    for kingdom in kingdoms:
        if flood_fill_points(kingdom) != score(kingdom).points:
            raise SystemExit(f"the flood fill disagrees about {kingdom}")
    rates = measured(kingdoms, args.rounds)
    yardstick = rates["flood fill, territory points only"]
    today = date.today().isoformat()
    with args.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for name, rate in rates.items():
            ratio = f"{rate / yardstick:.2f}"
            row = (today, python_version(), name, len(kingdoms), args.rounds, round(rate), ratio)
            writer.writerow(row)
            print(f"{rate:9.0f} kingdoms a second  {ratio} × flood fill  {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
