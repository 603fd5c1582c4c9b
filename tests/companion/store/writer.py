"""A process that writes changes and says on standard output which are confirmed.

``python -m tests.companion.store.writer URL GAME PART COUNT`` changes one part again and again, in
turns on squares of its own; after each confirmation it prints the change's id.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.games.kingdomino.kind import KINGDOMINO
from companion.store import Actor, Change, Outcome, Store, open_store

ROOT = Path(__file__).parents[3]


def begin_kingdom(store: Store, game_id: str, part: str) -> None:
    """Keep the empty kingdom that writers change: two that each began one would meet in it."""
    empty = {"kingdom": "/".join([". ."] * 10), "corrected": []}
    store.change(game_id, Change(part, empty, 0, "begin", "by_hand"), Actor("begin", "begin"))


def start_writer(url: str, game_id: str, part: str, name: str, count: int) -> subprocess.Popen[str]:
    """Start a writer in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__, url, game_id, part, name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def write(url: str, game_id: str, part: str, name: str, count: int) -> None:
    """Change one square after the other; writers of other names change other squares."""
    assert KINGDOMINO.key == "kingdomino"
    store = open_store(url)
    column = int(name[-1]) % 2
    print("ready", flush=True)
    for number in range(count):
        now = store.game(game_id).part(part)
        squares = [row.split() for row in now.value["kingdom"].split("/")]
        corrected = now.value["corrected"]
        row = number % 10
        squares[row][column] = ("w", "f", "l1", "g2")[number // 10 % 4]
        value = {
            "kingdom": "/".join(" ".join(row) for row in squares),
            "corrected": [*corrected, [row, column]],
        }
        change = Change(part, value, now.sequence, f"{name}:{number}", "paint")
        confirmed = store.change(game_id, change, Actor(name, name))
        assert confirmed.outcome is not Outcome.COLLIDED
        print(change.change_id, flush=True)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
