"""A deleted game: everybody who had it can bring it back, and who did not delete it is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.store import Actor, Game, Store
from companion.store.exchange import export_games, import_games
from companion.store.history import delete_game, erase_game, find_games
from companion.web.history import act_on_history, history_markup
from companion.web.home import home_markup
from companion.web.parts import act_on_deleted
from companion.web.shell import Act
from companion.web.visit import Visit
from tests.companion.web.kingdomino.conftest import visit as visit

GUEST = Actor("a-guest-of-this-test")
BACK = 'data-do="restore"'


@pytest.fixture
def game(store: Store, visit: Visit) -> Game:
    """A game of the visitor that a guest has joined."""
    players = [{"id": 0, "name": "Anna"}, {"id": 1, "name": "Ben"}]
    made = store.create_game("kingdomino", {"players": players}, visit.actor)
    return store.join(made.id, GUEST)


def test_a_deletion_of_a_guest_is_told_and_taken_back(
    store: Store, visit: Visit, game: Game
) -> None:
    assert BACK not in home_markup(visit)
    delete_game(store, game.id, GUEST)
    home, history = home_markup(visit), history_markup(visit)
    assert all("Von jemand anderem" in page and BACK in page for page in (home, history))
    assert ("Gut so" in home, "Gut so" in history) == (True, False)
    assert act_on_deleted(visit, Act("restore", game.id))
    assert store.game(game.id).deleted_at is None
    assert BACK not in home_markup(visit)


def test_who_agrees_is_not_told_again_and_can_still_bring_it_back(
    store: Store, visit: Visit, game: Game
) -> None:
    delete_game(store, game.id, GUEST)
    assert act_on_deleted(visit, Act("delete", game.id))
    assert BACK not in home_markup(visit)
    assert BACK in history_markup(visit)
    assert [each.deleted_by for each in find_games(store, deleted=True)] == [visit.device]


def test_one_s_own_deletion_is_no_news_and_stays_for_later(
    store: Store, visit: Visit, game: Game
) -> None:
    act_on_history(visit, Act("delete", game.id))
    assert BACK not in home_markup(visit)
    assert BACK in history_markup(visit)
    guest = replace(visit, device=GUEST.device, page_state={})
    assert "Von jemand anderem" in home_markup(guest)
    act_on_history(guest, Act("restore", game.id))
    assert store.game(game.id).deleted_at is None


def test_who_never_had_it_brings_nothing_back(store: Store, visit: Visit, game: Game) -> None:
    delete_game(store, game.id, GUEST)
    stranger = replace(visit, device="a-stranger-of-this-test", page_state={})
    assert not act_on_deleted(stranger, Act("restore", game.id))
    assert not act_on_deleted(stranger, Act("restore", ""))
    assert store.game(game.id).deleted_at is not None
    assert BACK not in history_markup(stranger)


def test_a_game_that_comes_in_deleted_is_no_news(store: Store, visit: Visit, game: Game) -> None:
    delete_game(store, game.id, GUEST)
    saved = export_games(store)
    erase_game(store, game.id)
    import_games(store, saved, visit.device)
    assert BACK not in home_markup(visit)
    assert BACK in history_markup(visit)


def test_a_deletion_is_logged_once_by_each(store: Store, visit: Visit, game: Game) -> None:
    for actor in (GUEST, GUEST, visit.actor, visit.actor):
        delete_game(store, game.id, actor)
    devices = [line.device for line in store.log(game.id) if line.action == "delete"]
    assert devices == [GUEST.device, visit.device]


def test_a_game_that_is_brought_in_is_in_the_list_though_it_was_deleted(
    store: Store, visit: Visit, game: Game
) -> None:
    saved = export_games(store, device=visit.device)
    delete_game(store, game.id, visit.actor)
    assert find_games(store, device=visit.device) == []
    assert import_games(store, saved, visit.device).continued == 1
    assert [each.id for each in find_games(store, device=visit.device)] == [game.id]
    other = "another-device-of-this-test"
    assert import_games(store, saved, other).known == 1
    assert [each.id for each in find_games(store, device=other)] == [game.id]
