from __future__ import annotations

from companion.games.kingdomino.table import Table
from companion.store import Player
from companion.web.kingdomino.players_view import _act, _body
from companion.web.parts import remembered_chips
from companion.web.shell import Act
from companion.web.visit import Visit
from tests.companion.web.surface.test_markup import Seen


def names(table: Table) -> list[str]:
    return [player.name for player in table.again().game.players]


def test_players_are_named_ordered_and_leave_with_an_undo(visit: Visit, table: Table) -> None:
    _act(visit, table, Act("name", "1|Opa Jürgen"))
    _act(visit, table, Act("earlier", "1"))
    assert names(table)[:2] == ["Opa Jürgen", "Name pink"]
    _act(visit, table, Act("leave", "1"))
    assert len(names(table)) == 3
    assert visit.undo is not None
    visit.undo()
    assert names(table)[0] == "Opa Jürgen"


def test_what_does_not_go_together_is_said_and_not_done(visit: Visit, table: Table) -> None:
    _act(visit, table, Act("add", "Eva"))
    assert "Zeitalter der Giganten" in visit.notice
    _act(visit, table, Act("name", "1|Name pink"))
    assert visit.notice == "Zwei Spieler brauchen zwei Namen."
    assert len(names(table)) == 4


def test_names_that_nobody_gave_are_offered_nowhere(visit: Visit, table: Table) -> None:
    given = ["Rosa", "Blue", "Spieler 2", "Player 3", "Rosalie", "Player Two", "Jan 2"]
    for name in given:
        table = table.with_players([Player(0, name)])
    chips = [Seen(chip).text.strip() for chip in remembered_chips(visit, {"jan 2"})]
    assert set(chips) & set(given) == {"Rosalie", "Player Two"}


def test_names_of_earlier_games_are_offered(visit: Visit, table: Table) -> None:
    table = table.with_players(list(table.game.players[:1]))
    text = Seen(_body(visit, table)).text
    assert "Name blue" in text
    assert "Rosa" not in text.replace("rosa", "")
