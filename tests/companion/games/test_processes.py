"""Several processes at once, and processes that are killed."""

from __future__ import annotations

import subprocess
import sys
from random import Random

from companion.games.kingdomino.kind import board_key
from companion.store import open_store
from tests.companion.games.killing import kill_a_writer, lost_changes, sound
from tests.companion.games.table_talk import new_game
from tests.companion.games.writer import ROOT, begin_kingdom, start_writer

CHANGES = 40


def test_two_processes_that_edit_one_kingdom_lose_nothing(url: str) -> None:
    store = open_store(url)
    game = new_game(store)
    begin_kingdom(store, game.id, board_key(0))
    writers = [start_writer(url, game.id, board_key(0), f"w{n}", CHANGES) for n in range(2)]
    said = [line for each in writers for line in each.communicate(timeout=120)[0].split()]
    assert [each.returncode for each in writers] == [0, 0]
    said = [line for line in said if line != "ready"]
    assert len(said) == 2 * CHANGES
    found = store.game(game.id)
    assert lost_changes(store, game.id, said) == []
    assert sound(store, found)
    assert found.sequence == 2 + 2 * CHANGES
    # The last square that each wrote in every row is there: neither undid the other.
    assert found.values["board:1:0"]["kingdom"] == "/".join(["g2 g2"] * 10)
    store.close()


def test_a_killed_process_loses_nothing_that_it_confirmed(url: str) -> None:
    rng = Random(11)
    runs = [kill_a_writer(url, rng) for _ in range(3)]
    assert [(run.lost, run.sound) for run in runs] == [(0, True)] * 3
    assert sum(run.confirmed for run in runs) > 0


def test_processes_that_start_at_once_make_the_tables_once(url: str) -> None:
    code = "import sys; from companion.store import open_store; open_store(sys.argv[1]).close()"
    starts = [
        subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    said = [each.communicate(timeout=120)[1].decode() for each in starts]
    assert [each.returncode for each in starts] == [0, 0, 0], said
    store = open_store(url)
    new_game(store)
    store.close()
