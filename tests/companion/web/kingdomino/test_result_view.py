from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.table import Table
from companion.web.kingdomino.board_changes import board_state
from companion.web.kingdomino.result_view import result_markup
from companion.web.visit import Visit
from tests.companion.web.surface.test_markup import Seen

HOSTILE = '"><img src=x onerror=fail()>'


def test_the_winner_is_announced_with_what_decided_the_tie(visit: Visit, table: Table) -> None:
    text = Seen(result_markup(visit, table)).text
    assert "Name yellow gewinnt mit 21 Punkten" in text
    assert "8 Felder See gegen 4 Felder Wiese" in text


def test_a_missing_kingdom_is_named(visit: Visit, table: Table) -> None:
    table = table.with_board(table.seats[2], None, "clear")
    text = Seen(result_markup(visit, table)).text
    assert "Es fehlt noch: Name green" in text
    assert "gewinnt" not in text


@pytest.mark.parametrize("name", [HOSTILE, "![x](http://x/y)", "<b>Ben</b>"])
def test_no_name_becomes_markup(visit: Visit, table: Table, name: str) -> None:
    players = [replace(each, name=f"{name}{each.id}") for each in table.game.players]
    seen = Seen(result_markup(visit, table.with_players(players)))
    assert f"{name}0" in seen.text
    assert not {"img", "b", "script"} & set(seen.tags)
    assert not [each for each, _ in seen.attributes if each.startswith("on")]


def test_the_board_has_the_points_of_the_pad(visit: Visit, table: Table) -> None:
    state = board_state(visit, table.seats[0], None)
    assert state.score is not None
    assert state.score.points == table.seats[0].total
    assert state.revision == table.seats[0].revision
