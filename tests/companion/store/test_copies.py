"""Copies of games on phones, compared with what is here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from companion.store import Store, open_store
from companion.store.exchange import Compared, compare_copies, export_games, import_games
from companion.store.history import delete_game, erase_deleted, erase_game, restore_game
from tests.companion.store.conftest import NewUrl
from tests.companion.store.table_talk import ANNA, BEN, board, new_game, send


def test_a_game_is_fetched_once_and_again_when_it_went_on(store: Store) -> None:
    game = new_game(store)
    sequence = store.game(game.id).sequence
    assert compare_copies(store, ANNA.device, {}) == Compared(newer=(game.id,))
    assert compare_copies(store, ANNA.device, {game.id: sequence}) == Compared()
    send(store, game, board("w w1"), 0)
    assert compare_copies(store, ANNA.device, {game.id: sequence}) == Compared(newer=(game.id,))


def test_nobody_hears_of_the_games_of_others(store: Store) -> None:
    game = new_game(store)
    assert compare_copies(store, BEN.device, {}) == Compared()
    assert compare_copies(store, BEN.device, {game.id: 100_000}).newer == ()


def test_those_changed_last_come_first(store: Store) -> None:
    first, second = new_game(store), new_game(store)
    send(store, first, board("w w1"), 0)
    assert compare_copies(store, ANNA.device, {}).newer == (first.id, second.id)


def test_what_was_deleted_or_erased_is_gone_and_not_taken_back(store: Store) -> None:
    deleted, erased, swept = new_game(store), new_game(store), new_game(store)
    held = {each.id: store.game(each.id).sequence + 5 for each in (deleted, erased, swept)}
    delete_game(store, deleted.id, ANNA)
    erase_game(store, erased.id)
    found = compare_copies(store, ANNA.device, held)
    assert set(found.gone) == {deleted.id, erased.id}
    assert found.lacking == (swept.id,)
    restore_game(store, deleted.id, ANNA)
    assert deleted.id not in compare_copies(store, ANNA.device, held).gone


def test_a_store_that_forgot_or_went_back_lacks_them(store: Store) -> None:
    game = new_game(store)
    send(store, game, board("w w1"), 0)
    held = {game.id: store.game(game.id).sequence + 1, "a" * 32: 4}
    assert compare_copies(store, ANNA.device, held) == Compared(lacking=(game.id, "a" * 32))


def test_what_is_given_back_to_an_empty_store_is_there_as_it_was(new_url: NewUrl) -> None:
    old, new = open_store(new_url()), open_store(new_url())
    game = new_game(old)
    send(old, game, board("w w1"), 0)
    held = {game.id: old.game(game.id).sequence}
    assert compare_copies(new, ANNA.device, held) == Compared(lacking=(game.id,))
    import_games(new, export_games(old, device=ANNA.device), ANNA.device)
    assert compare_copies(new, ANNA.device, held) == Compared()
    assert new.game(game.id).values == old.game(game.id).values
    old.close()
    new.close()


def test_erasing_what_was_deleted_long_ago_remembers_the_ids_alone(store: Store) -> None:
    game = new_game(store)
    delete_game(store, game.id, ANNA)
    assert erase_deleted(store, datetime.now(UTC) + timedelta(days=31)) == 1
    assert compare_copies(store, ANNA.device, {game.id: 3}) == Compared(gone=(game.id,))
