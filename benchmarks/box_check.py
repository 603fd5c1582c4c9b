"""The time of the box check on random legal games, and on games with one square replaced.

``python -m benchmarks.box_check`` plays games from fixed seeds, checks each, and writes
``benchmarks/box_check.csv``: median, 95th percentile and longest of the milliseconds on one core
(process time, independent of other load), and the verdicts.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from platform import python_version
from random import Random

from scorer.kingdomino import BASE_DOMINOES, Kingdom, Rules, box_check
from tests.scorer.kingdomino.random_games import full_kingdom, play

OUT = Path(__file__).with_name("box_check.csv")
HEADER = ("date", "python", "games", "count", "median_ms", "p95_ms", "longest_ms", "verdicts")

Game = list[Kingdom]
DUEL = Rules(mighty_duel=True)
GIANTS = Rules(age_of_giants=True)

GAMES: dict[str, tuple[Callable[[Random], Game], Rules]] = {
    "full 5×5": (lambda rng: [full_kingdom(rng, 5)], Rules()),
    "full 7×7": (lambda rng: [full_kingdom(rng, 7)], DUEL),
    "four kingdoms of a game": (lambda rng: play(rng, 4), Rules()),
    "both kingdoms of a Mighty Duel": (lambda rng: play(rng, 2, mighty_duel=True), DUEL),
    "four kingdoms with Age of Giants": (lambda rng: play(rng, 4, age_of_giants=True), GIANTS),
    "five kingdoms with Age of Giants": (lambda rng: play(rng, 5, age_of_giants=True), GIANTS),
}


def swapped(rng: Random, game: Game) -> Game:
    """The game with one square replaced by another square of the base game."""
    number = rng.randrange(len(game))
    places = [place for place, square in game[number].items() if square.terrain]
    square = rng.choice(BASE_DOMINOES).left
    changed = game[number].replace({rng.choice(places): square})
    return [*game[:number], changed, *game[number + 1 :]]


def measured(games: Sequence[Game], rules: Rules) -> tuple[list[float], str]:
    """The sorted milliseconds of every check, and how often each verdict occurred."""
    times, verdicts = [], Counter[str]()
    for game in games:
        start = time.process_time()
        outcome = box_check(game, rules)
        times.append(1000 * (time.process_time() - start))
        verdicts[outcome.verdict.value] += 1
    return sorted(times), " ".join(f"{name}:{count}" for name, count in sorted(verdicts.items()))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args(argv)
    today = date.today().isoformat()
    with args.out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for name, (played, rules) in GAMES.items():
            games = [played(Random(seed)) for seed in range(args.games)]
            changed = [swapped(Random(seed), game) for seed, game in enumerate(games)]
            for title, checked in ((name, games), (f"{name}, one square swapped", changed)):
                times, verdicts = measured(checked, rules)
                figures = (statistics.median(times), times[int(0.95 * len(times))], times[-1])
                median, p95, longest = (f"{figure:.1f}" for figure in figures)
                row = (today, python_version(), title, len(times), median, p95, longest, verdicts)
                writer.writerow(row)
                print(f"{median:>7} {p95:>7} {longest:>7} ms  {title}  {verdicts}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
