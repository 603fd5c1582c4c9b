"""A table of Kingdomino: its seats, kingdoms and changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import (
    Placement,
    Seat,
    Table,
    is_winner_open,
    new_table,
    place_readings,
    placements,
)
from companion.store import Actor, Player, Store, StoreError
from companion.store.history import find_games
from scorer.kingdomino import Kingdom, Rules, Square
from tests.companion.games.kingdomino.readings import kingdom_reading
from tests.companion.games.kingdomino.seen import seen_as
from tests.companion.games.kingdomino.tables import table_of_four


@pytest.fixture
def table(store: Store) -> Table:
    return table_of_four(store, "a-device-of-this-test")


def test_one_total_everywhere(table: Table) -> None:
    results = {each.player: each.points for each in table.game.results.players}
    for seat in table.seats:
        assert seat.score is not None
        assert results[seat.player.id] == seat.total == seat.score.points
    assert [seat.total for seat in table.seats] == [19, 21, 21, 17]
    ranking = table.ranking
    assert ranking is not None
    assert [place.player for place in ranking.places] == ["1", "2", "0", "3"]


def test_a_reading_gives_the_player_its_colour_once(store: Store) -> None:
    table = new_table(store, Actor()).with_player("Anna").with_player("Ben")
    kept = KeptReading(replace(kingdom_reading("c w1 w"), castle_colour="pink"), "photo", 640, 480)
    reading = store.keep_reading(table.game.id, kept.to_data())
    for number in range(2):
        table = table.with_reading(table.seats[number], reading, kept)
    assert [seat.player.colour for seat in table.seats] == ["pink", None]
    assert table.next_empty() is None


def test_who_leaves_takes_their_kingdom_along(table: Table) -> None:
    table = table.with_players(list(table.game.players[:3])).with_player("Eva")
    assert table.seats[3].player.id == 4
    assert table.seats[3].board is None
    assert table.seats[0].board is not None


def test_a_change_is_taken_back(table: Table) -> None:
    table = table.with_board(table.seats[0], None, "clear")
    assert table.seats[0].board is None
    assert table.undone(table.made[-1]).seats[0].total == 19


def test_who_sets_a_square_anew_insists_on_it_no_more(table: Table) -> None:
    found = []
    for insists in (True, False):
        table = table.with_square(table.seats[0], (0, 0), Square.parse("w2"), insists=insists)
        board = table.seats[0].board
        assert board is not None
        found.append(board.insisted)
    assert found == [{(0, 0)}, frozenset()]


def test_five_need_the_expansion(table: Table) -> None:
    with pytest.raises(StoreError, match="five_players_need_expansion"):
        table.with_player("Eva")
    table = table.with_rules(KeptRules(Rules(age_of_giants=True))).with_player("Eva")
    assert len(table.seats) == 5


def test_what_does_not_fit_together_is_known_of_both(table: Table) -> None:
    players = [replace(each, colour="pink") for each in table.game.players[:2]]
    (conflict,) = table.with_players([Player(9, "Zoe"), *players]).conflicts
    assert conflict.code == "same_colour"
    assert conflict.players == ("0", "1")


def test_a_dynasty_has_three_kingdoms_a_player(table: Table) -> None:
    table = table.with_rules(KeptRules(dynasty=True))
    assert table.ranking is None
    second = replace(table, number=2)
    assert [seat.board for seat in second.seats] == [None] * 4
    assert second.seats[0].total == 19


def test_place_and_note_find_the_game(table: Table) -> None:
    table.with_about("place", "Hütte").with_about("note", "Regen")
    assert table.again().game.values["about"] == {"place": "Hütte", "note": "Regen"}
    assert find_games(table.store, "hütte regen")[0].id == table.game.id


BOARD = KeptBoard(Kingdom.parse("w1 c w"))


def seat(number: int, colour: str | None = None, *, filled: bool = False) -> Seat:
    board = BOARD if filled else None
    return Seat(Player(number, f"Player {number}", colour), 1, board, 1, None, None)


def test_one_kingdom_fills_the_seat_it_was_taken_for_whatever_its_colour() -> None:
    seats = [seat(0, "pink", filled=True), seat(1, "blue")]
    assert placements(seats, [("a", "green")], 0) == [Placement("a", 0)]


def test_where_nobody_sits_each_kingdom_makes_a_player() -> None:
    assert placements([], [("a", "pink"), ("b", None)], None) == [Placement("a"), Placement("b")]


def test_several_go_by_colour_and_the_rest_is_asked() -> None:
    seats = [seat(0, "pink"), seat(1), seat(2)]
    found = placements(seats, [("a", None), ("b", "pink"), ("c", "blue")], None)
    assert found == [Placement("a", ask=True), Placement("b", 0), Placement("c", ask=True)]


def test_the_last_one_goes_to_the_last_empty_seat() -> None:
    seats = [seat(0, "pink"), seat(1)]
    assert placements(seats, [("a", None), ("b", "pink")], None) == [
        Placement("a", 1),
        Placement("b", 0),
    ]


def test_the_last_one_of_another_colour_than_the_last_empty_seat_is_asked() -> None:
    seats = [seat(0, "pink"), seat(1, "blue")]
    found = placements(seats, [("a", "pink"), ("b", "green")], None)
    assert found == [Placement("a", 0), Placement("b", ask=True)]


def test_a_kingdom_that_is_there_is_never_replaced_by_one_of_several() -> None:
    seats = [seat(0, "pink", filled=True), seat(1, "blue")]
    found = placements(seats, [("a", "pink"), ("b", "blue")], 1)
    assert found == [Placement("a", ask=True), Placement("b", 1)]


def test_another_colour_at_a_full_table_is_another_player() -> None:
    seats = [seat(0, "pink", filled=True)]
    assert placements(seats, [("a", "blue")], None) == [Placement("a")]
    assert placements(seats, [("a", "pink")], None) == [Placement("a", ask=True)]
    colourless = [*seats, seat(1, filled=True)]
    assert placements(colourless, [("a", None)], None) == [Placement("a")]


def test_two_castles_of_one_colour_are_asked() -> None:
    seats = [seat(0, "pink"), seat(1), seat(2)]
    found = placements(seats, [("a", "pink"), ("b", "pink")], None)
    assert found == [Placement("a", 0), Placement("b", ask=True)]


@pytest.mark.parametrize("giants", [False, True])
def test_a_table_asks_by_the_box_that_is_played(store: Store, giants: bool) -> None:
    table = new_table(store, Actor(), KeptRules(Rules(age_of_giants=giants))).with_player("Anna")
    kept = KeptReading(seen_as("c f w1", {(0, 2): {"w1": 0.6, "w2": 0.4}}))
    reading = store.keep_reading(table.game.id, kept.to_data())
    table = table.with_reading(table.seats[0], reading, kept)
    table = table.with_square(table.seats[0], (0, 1), Square.parse("f1"))
    assert (table.seats[0].asked == {(0, 2): Square.parse("w2")}) is giants


def test_a_winner_is_open_where_a_square_that_was_set_speaks_against_another_kingdom(
    store: Store,
) -> None:
    """There is one mine with three crowns; nothing was in doubt when the kingdoms were read."""
    table = new_table(store, Actor())
    for name, seen in (("Anna", seen_as("c w m1")), ("Ben", seen_as("c w m3", sure=0.97))):
        table = table.with_player(name)
        reading = store.keep_reading(table.game.id, KeptReading(seen).to_data())
        table = table.with_reading(table.seats[-1], reading, KeptReading(seen))
    assert not is_winner_open(store, table.game.id)
    table.with_square(table.seats[0], (0, 2), Square.parse("m3"))
    assert is_winner_open(store, table.game.id)


def test_who_comes_new_has_a_name_and_a_colour_of_their_own_or_no_seat(store: Store) -> None:
    rules = KeptRules(Rules(age_of_giants=True))
    table = new_table(store, Actor(), rules).with_player("player 2", "pink")
    kept = KeptReading(replace(kingdom_reading("c w1 w"), castle_colour="pink"))
    reading = store.keep_reading(table.game.id, kept.to_data())
    names: dict[str | None, str] = {"pink": "Pink", None: "Player {number}"}
    found = [Placement(reading)] * 5
    table, filled = place_readings(table, found, {reading: kept}, names)
    expected = [("player 2", "pink"), *((f"Player {number}", None) for number in range(3, 7))]
    assert [(each.name, each.colour) for each in table.game.players] == expected
    assert len(filled) == 4


def test_a_result_tells_of_all_games_of_a_dynasty(store: Store) -> None:
    table = new_table(store, Actor(), KeptRules(dynasty=True)).with_player("Anna")
    for number, kingdom in enumerate(("c w1 w w", "c f:queen", "c l l"), start=1):
        table = replace(table, number=number).again()
        table = table.with_board(table.seats[0], KeptBoard(Kingdom.parse(kingdom)), "set")
    (result,) = table.again().game.results.players
    assert result.details["largest_territory"] == 3
    assert result.details["characters"] == 2


def test_the_outcome_of_a_dynasty_is_by_the_grid_of_each_game(store: Store) -> None:
    large = "/".join(["w w w w w w w"] * 3 + ["w w w c w w w"] + ["w w w w w w w"] * 3)
    rules = KeptRules(Rules(harmony=True), dynasty=True)
    table = new_table(store, Actor(), rules).with_player("Anna").with_player("Ben")
    for number, kingdoms in enumerate((("c", "c w1 w"), (large, "c"), ("c", "c")), start=1):
        for place, kingdom in enumerate(kingdoms):
            table = replace(table, number=number).again()
            board = KeptBoard(Kingdom.parse(kingdom))
            table = table.with_board(table.seats[place], board, "set")
    table = table.again()
    assert table.ranking is not None
    assert table.outcome is not None
    assert table.outcome.winners == table.ranking.winners == ("0",)
