from __future__ import annotations

from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table
from companion.languages import Language
from companion.web.kingdomino.result_view import pad_rows, squares_of_row
from scorer.kingdomino import Rules


def test_the_rows_add_up_to_the_total(table: Table) -> None:
    table = table.with_rules(KeptRules(Rules(harmony=True, middle_kingdom=True)))
    rows = pad_rows(table, Language.ENGLISH)
    assert [row.name for row in rows[6:]] == ["Harmony", "Middle Kingdom"]
    for index, seat in enumerate(table.seats):
        assert sum(row.points[index] or 0 for row in rows) == seat.total


def test_a_figure_knows_its_squares(table: Table) -> None:
    rows = pad_rows(table, Language.GERMAN)
    for row in rows:
        for index, points in enumerate(row.points):
            assert bool(points) == bool(squares_of_row(rows, row.code, index))
    assert squares_of_row(rows, "nothing", 0) is None


def test_a_seat_without_a_kingdom_has_no_points(table: Table) -> None:
    table = table.with_board(table.seats[1], None, "clear")
    assert {row.points[1] for row in pad_rows(table, Language.ENGLISH)} == {None}


def test_a_dynasty_shows_its_three_games(table: Table) -> None:
    rows = pad_rows(table.with_rules(KeptRules(dynasty=True)), Language.ENGLISH)
    assert [row.points for row in rows[-3:]] == [(19, 21, 21, 17), (None,) * 4, (None,) * 4]
