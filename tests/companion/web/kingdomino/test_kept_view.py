from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store
from companion.store.history import find_games
from companion.web.kingdomino import kept_view, photos
from companion.web.kingdomino.kept_view import (
    act_on_kept,
    kept_chips,
    kept_foot,
    kept_list,
    take_named,
)
from companion.web.kingdomino.photos import kept_kingdoms, new_kept_kingdom
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_shared_state import jpeg


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
    assert visit.parameters == {"new": "kingdomino", "kept": "1"}


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


def test_it_takes_the_empty_seat_of_the_game_that_waits(
    store: Store, visit: Visit, kept: Table
) -> None:
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben")
    table = table.with_board(table.seats[0], KeptBoard(Kingdom.parse("c w1")), "set")
    act_on_kept(visit, kept, Act("take", table.game.id))
    assert [seat.total for seat in table.again().seats] == [1, 8]
    assert visit.parameters == {"game": table.game.id, "seat": "2"}


def test_it_takes_the_seat_that_is_empty_in_a_later_game_of_a_dynasty(
    store: Store, visit: Visit, kept: Table
) -> None:
    """Where all have their kingdom in the first game, nobody is to join them."""
    table = new_table(store, visit.actor, KeptRules(dynasty=True)).with_player("Anna")
    table = table.with_board(table.seats[0], KeptBoard(Kingdom.parse("c w1")), "set")
    assert f'data-value="{table.game.id}"' in kept_foot(visit, kept, kept.seats[0])
    act_on_kept(visit, kept, Act("take", table.game.id))
    assert visit.parameters == {"game": table.game.id, "seat": "1", "number": "2"}
    (seat,) = replace(table, number=2).again().seats
    assert (seat.score and seat.score.points, seat.total) == (8, 9)


def test_its_foot_has_its_name_and_the_way_to_another_photo(visit: Visit, kept: Table) -> None:
    act_on_kept(visit, kept, Act("title", "Gerda"))
    foot = kept_foot(visit, kept.again(), kept.seats[0])
    assert 'value="Gerda" data-do="title"' in foot
    assert 'data-photo="seat:0"' in foot


def test_one_that_is_only_begun_is_in_the_list_and_at_no_seat(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(kept_view, "show_part", lambda visit, markup, *_: shown.append(markup))
    begun = new_kept_kingdom(visit)
    assert kept_chips(visit) is None
    kept_list(visit)
    assert f"?game={begun.game.id}" in shown[0]
    assert f"Königreich, {visit.say('game.running')} · " in shown[0]


def test_what_is_begun_on_the_page_of_kept_kingdoms_is_no_game(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = photo_reading(kingdom_reading("c w1 w"))
    monkeypatch.setattr(photos, "read_cached", lambda *_, **how: found)
    names = " ".join(visit.photos.put(jpeg(), visit.device).id for _ in range(2))
    kept_view._act(visit, Act("photo", f"|{names}"))
    photographed = visit.game_id
    kept_view._act(visit, Act("by-hand"))
    assert {each.id for each in kept_kingdoms(visit)} == {photographed, visit.game_id}
    assert find_games(store, device=visit.device) == []
    assert len(store.readings(photographed)) == 1
    assert "board:1:0" in store.game(visit.game_id).parts
