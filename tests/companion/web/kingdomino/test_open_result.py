"""No winner is named while a square in doubt can change it; what decides is one tap away."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.web.kingdomino.result_view import _act, is_certain, pad_rows, result_markup
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules
from tests.companion.games.kingdomino.readings import kingdom_reading
from vision.kingdomino.result import KingdomReading


def played(store: Store, visit: Visit, *readings: KingdomReading) -> Table:
    table = new_table(store, Actor(visit.device))
    for name, reading in zip(("Anna", "Ben", "Cleo"), readings, strict=False):
        table = table.with_player(name)
        kept = KeptReading(reading)
        reading_id = store.keep_reading(table.game.id, kept.to_data())
        table = table.with_reading(table.seats[-1], reading_id, kept)
    return table


def test_a_square_that_decides_is_asked_before_a_winner_is_named(
    store: Store, visit: Visit
) -> None:
    anna = kingdom_reading("w1 w c/. . f", {(0, 1): "f", (1, 2): "l"})
    table = played(store, visit, anna, kingdom_reading("l1 c/w ."))
    assert not is_certain(table)
    markup = result_markup(visit, table)
    heading = re.search("<h1>(.*?)</h1>", markup)
    assert heading is not None
    assert heading[1].startswith("Noch offen: Anna gewinnt; ")
    assert 'class="won"' not in markup
    assert 'href="card/' not in markup
    assert "weiteres Feld" not in markup
    assert visit.say("result.decides") in markup
    (first,) = table.outcome.deciding if table.outcome else ()
    assert (first.player, first.position) == ("0", (0, 1))
    _act(visit, table, Act("choose", "0|1|0|1|w"))
    after = table.again()
    assert is_certain(after)
    assert "Anna gewinnt" in result_markup(visit, after)
    assert "1 offenen Feld" in result_markup(visit, after)
    assert 'href="card/' in result_markup(visit, after)


def test_doubts_that_change_nothing_are_told_and_not_pressed(store: Store, visit: Visit) -> None:
    anna = kingdom_reading("w1 w w/c w f", {(1, 2): "l"})
    table = played(store, visit, anna, kingdom_reading("c l"))
    markup = result_markup(visit, table)
    assert is_certain(table)
    assert "Anna gewinnt mit 4 Punkten" in markup
    assert visit.say("result.decides") not in markup


def test_in_a_dynasty_every_game_counts(store: Store, visit: Visit) -> None:
    table = played(store, visit, kingdom_reading("w1 c"), kingdom_reading("l1 c"))
    table = table.with_rules(KeptRules(dynasty=True))
    assert table.outcome is None
    for number, doubt in ((2, {}), (3, {(0, 0): "f"})):
        there = Table(table.store, table.actor, table.game, number)
        for seat in there.seats:
            kept = KeptReading(kingdom_reading("w1 w c", doubt if seat.player.id else None))
            reading_id = store.keep_reading(table.game.id, kept.to_data())
            there = there.with_reading(there.seats[seat.player.id], reading_id, kept)
        table = there
    assert table.outcome is not None
    assert [(each.game, each.player) for each in table.outcome.deciding] == [(3, "1")]
    assert visit.say("result.decides") in result_markup(visit, table)


def test_in_a_dynasty_the_doubts_of_every_game_are_told(store: Store, visit: Visit) -> None:
    open_one = kingdom_reading("w1 w w/c w f", {(1, 2): "l"})
    table = played(store, visit, open_one, kingdom_reading("c l"))
    table = table.with_rules(KeptRules(dynasty=True))
    for number in (2, 3):
        there = Table(table.store, table.actor, table.game, number)
        for seat, notation in zip(there.seats, ("w1 w c", "c l"), strict=True):
            there = there.with_board(seat, KeptBoard(Kingdom.parse(notation)), "set")
        table = there
    assert "1 offenen Feld" in result_markup(visit, table)


def test_what_decides_is_set_in_its_own_game_of_a_dynasty(store: Store, visit: Visit) -> None:
    table = played(store, visit, kingdom_reading("w1 c", {(0, 0): "f"}), kingdom_reading("l1 c"))
    table = table.with_rules(KeptRules(dynasty=True))
    for number in (2, 3):
        table = replace(table, number=number)
        for player in (0, 1):
            board = KeptBoard(Kingdom.parse("l1 l c"))
            table = table.with_board(table.seats[player], board, "set")
    markup = result_markup(visit, table)
    assert 'data-value="0|1|0|0|w1"' in markup
    assert 'data-value="0|1|0|0|f"' in markup


def test_the_pad_goes_by_the_grid_that_is_in_play_for_all(store: Store, visit: Visit) -> None:
    """A full 5×5 is no harmony where the other kingdom is larger."""
    small = "/".join(["w w w w w"] * 2 + ["w w c w w"] + ["w w w w w"] * 2)
    large = "/".join(["l l l l l l l"] * 3 + ["c l l l l l l"])
    table = played(store, visit, kingdom_reading(small), kingdom_reading(large))
    table = table.with_rules(KeptRules(Rules(harmony=True)))
    points = {row.code: row.points for row in pad_rows(table, visit.language)}
    assert points["harmony"] == (0, 0)
    assert [seat.total for seat in table.seats] == [0, 0]


def test_every_way_from_a_later_game_of_a_dynasty_stays_in_it(store: Store, visit: Visit) -> None:
    table = played(store, visit, kingdom_reading("w1 c"), kingdom_reading("l1 c"))
    table = table.with_rules(KeptRules(dynasty=True))
    for number in (2, 3):
        table = replace(table, number=number)
        for player in (0, 1):
            kept = KeptReading(kingdom_reading("w1 c", {(0, 0): "f"}))
            reading_id = store.keep_reading(table.game.id, kept.to_data())
            table = table.with_reading(table.seats[player], reading_id, kept)
    page = result_markup(visit, replace(table, number=2))
    ways = re.findall(r'href="\?([^"]*)"', page)
    assert {way.rpartition("&amp;")[2] for way in ways} == {"number=2"}
    check = re.search(r'href="\?([^"]*)"[^>]*class="button"><svg', page)
    assert check is not None
    assert check[1] == f"game={table.game.id}&amp;seat=1&amp;number=2"
