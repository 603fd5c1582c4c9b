"""Writers killed at random moments, and what is left of what they had confirmed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Game, Store, new_id, open_store
from tests.companion.store.writer import begin_kingdom, start_writer


@dataclass(frozen=True)
class Killed:
    """What a killed writer had said was confirmed, and which of it is lost."""

    confirmed: int
    lost: int
    sound: bool


def kill_a_writer(url: str, rng: Random, longest_s: float = 0.1) -> Killed:
    """Kill a writer (SIGKILL; on Windows it is ended) after 0 to 19 confirmed changes.

    It is killed up to ``longest_s`` after the last of them, anywhere inside the next changes.

    ``sound`` tells whether the log has no gap and the game holds what the log says.
    """
    store = open_store(url)
    game = store.create_game(
        KINGDOMINO.key, {"players": [{"id": n, "name": f"{n}"} for n in range(2)]}
    )
    begin_kingdom(store, game.id, board_key(0))
    store.close()
    writer = start_writer(url, game.id, board_key(0), f"{new_id()}:0", 100_000)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "ready\n"
    # Counting confirmations first makes runs alike on a busy machine and on an idle one.
    said = [writer.stdout.readline().strip() for _ in range(rng.randrange(20))]
    time.sleep(rng.uniform(0, longest_s))
    writer.kill()
    said += [line.strip() for line in writer.stdout if line.endswith("\n")]
    writer.stdout.close()
    writer.wait()
    after = open_store(url)
    found = after.game(game.id)
    lost = lost_changes(after, game.id, said)
    result = Killed(len(said), len(lost), sound(after, found))
    after.close()
    return result


def lost_changes(store: Store, game_id: str, said: list[str]) -> list[str]:
    """Ids of changes that were said to be confirmed and are not in the log."""
    logged = {line.change_id for line in store.log(game_id)}
    return [change_id for change_id in said if change_id not in logged]


def sound(store: Store, game: Game) -> bool:
    """Whether the log has every number once and each part holds what was logged last."""
    log = store.log(game.id)
    last = {line.part: line for line in log}
    return [line.sequence for line in log] == list(range(1, game.sequence + 1)) and all(
        (part.value, part.sequence) == (last[key].value, last[key].part_sequence)
        for key, part in game.parts.items()
    )
