"""How fast moves of Domino-Duell are scored and found, on one core.

``python -m benchmarks.domino_duell`` plays games by chance, scores every move of their positions
and looks for all moves of hands of seven, and writes ``benchmarks/domino_duell.md``. A position
is built anew before each measurement of its moves, so that nothing kept from before helps.
Seconds are those of the process, so that other work on the machine doesn't count.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from platform import python_version
from random import Random

from benchmarks.markdown_tables import markdown, provenance, show
from scorer.domino_duell import (
    STONES,
    Board,
    Game,
    Move,
    Record,
    Stone,
    legal_moves,
    replay,
    score_move,
)
from tests.scorer.domino_duell.random_games import play, set_up

OUT = Path(__file__).with_name("domino_duell.md")
HAND = 7
FULL = len(STONES) - HAND
HEAD = ("what", "measured", "how often", "asked for")


def seconds_of(task: Callable[[], object]) -> float:
    """Process seconds of one call."""
    start = time.process_time()
    task()
    return time.process_time() - start


def positions(games: Sequence[Game]) -> list[Board]:
    """Every position of the games before a move."""
    found = []
    for game in games:
        at = Game.start(game.set_up)
        for step in game.steps:
            found.append(at.position)
            at = at.after(step.turn)
    return found


def full_board(rng: Random) -> tuple[Board, list[Stone]]:
    """A board on which all stones lie but those of one hand, as games leave it."""
    while True:
        position = play(rng, set_up(rng, 2), rng.randint(60, 90)).position
        stones = list(position.stones)
        if len(stones) >= FULL:
            break
    taken = set(rng.sample(stones, len(stones) - FULL))
    kept = {hollow: piece for hollow, piece in position.items() if piece not in taken}
    return Board.of(kept), [stone for stone in STONES if stone not in kept.values()]


def moves_per_second(found: Sequence[tuple[Board, Sequence[Move]]], rounds: int) -> float:
    """Moves scored a second in the best round, each on its own position built for it."""
    count = sum(len(moves) for _, moves in found)

    def task() -> None:
        for position, moves in found:
            fresh = Board(position.shape, position.cells)
            for move in moves:
                score_move(fresh, move.stone, move.hollow)

    return count / min(seconds_of(task) for _ in range(rounds))


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--boards", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=OUT, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    rng = Random(chosen.seed)
    games = [play(rng, set_up(rng, 2 + game % 5)) for game in range(chosen.games)]
    found = []
    for position in positions(games):
        hand = [stone for stone in STONES if stone not in position.stones][:HAND]
        found.append((position, legal_moves(position, hand)))
    rate = moves_per_second(found, chosen.rounds)
    single = moves_per_second(
        [(position, (move,)) for position, moves in found for move in moves], chosen.rounds
    )

    spent = []
    for _ in range(chosen.boards):
        position, left = full_board(rng)
        spent.append(1000 * seconds_of(lambda: legal_moves(position, left)))  # noqa: B023 called at once
    records = [Record(game.set_up, tuple(step.turn for step in game.steps)) for game in games]
    texts = [str(record) for record in records]

    def read_and_replay() -> None:
        for text in texts:
            record = Record.parse(text)
            replay(record.set_up, record.turns)

    replayed = 1000 * min(seconds_of(read_and_replay) for _ in range(chosen.rounds)) / len(texts)
    count = sum(len(moves) for _, moves in found)
    rows = [
        ("moves scored a second", f"{rate:,.0f}", f"{count:,} moves", "10,000"),
        ("the same, a new position for each move", f"{single:,.0f}", f"{count:,} moves", "10,000"),
        (
            "all legal moves of seven stones on a full board, median",
            f"{statistics.median(spent):.2f} ms",
            f"{len(spent)} boards of {FULL} stones",
            "20 ms",
        ),
        ("the same, slowest", f"{max(spent):.2f} ms", f"{len(spent)} boards", "20 ms"),
        (
            "a whole game read from text and replayed",
            f"{replayed:.1f} ms",
            f"{len(texts)} games",
            "",
        ),
    ]
    text = (
        f"# Moves of Domino-Duell\n\n{provenance()}: Python {python_version()}, one core, "
        f"seed {chosen.seed}, best of {chosen.rounds} rounds where it says no other.\n\n"
        + markdown(HEAD, rows)
    )
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
