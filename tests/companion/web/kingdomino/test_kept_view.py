from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.web.kingdomino.kept_view import act_on_kept, kept_chips, kept_foot, take_named
from companion.web.kingdomino.photos import kept_kingdoms, new_kept_kingdom
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom


@pytest.fixture(autouse=True)
def no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the page goes is remembered only; there is no browser."""

    def go(visit: Visit, **parameters: object) -> None:
        visit.parameters = {name: str(value) for name, value in parameters.items() if value}

    monkeypatch.setattr(Visit, "go", go)


@pytest.fixture
def kept(visit: Visit) -> Table:
    made = new_kept_kingdom(visit)
    return made.with_board(made.seats[0], KeptBoard(Kingdom.parse("w1 w w/w c w/w w w")), "set")


def test_the_variants_count_for_it(visit: Visit, kept: Table) -> None:
    assert kept.seats[0].total == 8
    assert act_on_kept(visit, kept, Act("middle_kingdom", "true"))
    assert kept.again().seats[0].total == 18
    assert not act_on_kept(visit, kept, Act("photo", "seat:0|x"))


def test_it_is_named_and_offered_at_an_empty_seat(store: Store, visit: Visit, kept: Table) -> None:
    assert act_on_kept(visit, kept, Act("title", " Gerda "))
    chips = kept_chips(visit)
    assert chips is not None
    assert "Gerda, 8 Punkte" in chips
    table = new_table(store, visit.actor).with_player("Anna")
    take_named(visit, table, table.seats[0], kept.game.id)
    assert visit.game_id == table.game.id
    assert table.again().seats[0].total == 8
    assert kept_chips(visit) is None


def test_a_new_game_has_its_rules(store: Store, visit: Visit, kept: Table) -> None:
    act_on_kept(visit, kept, Act("middle_kingdom", "true"))
    assert act_on_kept(visit, kept.again(), Act("take"))
    game = store.game(visit.game_id)
    assert not game.kept
    assert game.values["rules"]["middle_kingdom"] is True
    assert game.results.players[0].points == 18


def test_games_of_others_are_out_of_reach(store: Store, visit: Visit, kept: Table) -> None:
    strange = new_table(store, Actor("another-device")).with_player("Eve")
    act_on_kept(visit, kept, Act("take", strange.game.id))
    take_named(visit, kept, None, strange.game.id)
    assert len(strange.again().seats) == 1
    assert strange.again().seats[0].board is None
    assert len(kept_kingdoms(visit)) == 1


def test_deleting_it_is_taken_back(visit: Visit, kept: Table) -> None:
    assert act_on_kept(visit, kept, Act("remove"))
    assert kept_kingdoms(visit) == []
    assert visit.undo is not None
    visit.undo()
    assert len(kept_kingdoms(visit)) == 1


def test_the_foot_offers_games_that_wait(store: Store, visit: Visit, kept: Table) -> None:
    waiting = new_table(store, visit.actor).with_player("Anna")
    foot = kept_foot(visit, kept, kept.seats[0])
    assert f'data-value="{waiting.game.id}"' in foot
    assert "Neue Partie" in foot


def test_it_is_brought_to_the_game_of_the_dynasty_that_is_played(
    store: Store, visit: Visit, kept: Table
) -> None:
    table = new_table(store, visit.actor, KeptRules(dynasty=True)).with_player("Anna")
    table = replace(table, number=2)
    take_named(visit, table, table.seats[0], kept.game.id)
    assert visit.parameters == {"game": table.game.id, "seat": "1", "number": "2"}
    assert table.again().seats[0].board is not None


def test_its_player_keeps_the_colour_of_the_castle(store: Store, visit: Visit, kept: Table) -> None:
    (player,) = kept.game.players
    kept = kept.with_players([replace(player, colour="blue")])
    act_on_kept(visit, kept, Act("take"))
    assert [each.colour for each in store.game(visit.game_id).players] == ["blue"]
