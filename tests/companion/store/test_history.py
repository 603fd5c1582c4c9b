"""Games found again, deleted, brought back, and what they say of the players."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from companion.games.kingdomino.kind import board_key
from companion.store import Actor, Change, Store, StoreError
from companion.store.history import (
    DELETED_FOR,
    count_games,
    delete_game,
    erase_deleted,
    erase_game,
    find_games,
    kinds_and_players,
    remembered_names,
    restore_game,
    statistics_by_player,
    summary_of,
)
from companion.store.parts import name_key
from companion.store.photos import keep_photo, load_photo
from tests.companion.store.pictures import camera_photo
from tests.companion.store.table_talk import ANNA, BEN, FOUR, SEVEN, board, new_game, send
from tests.companion.store.undoing import undo_last


def finished_game(store: Store, names: tuple[str, str], day: int, actor: Actor = ANNA) -> str:
    """A game that the first wins by 7 to 4."""
    game = store.create_game(
        "kingdomino",
        {
            "about": {"played_at": f"2026-03-{day:02}T20:00:00+01:00", "title": f"Abend {day}"},
            "players": [{"id": n, "name": name} for n, name in enumerate(names)],
            board_key(0): board(SEVEN),
            board_key(1): board(FOUR),
        },
        actor,
    )
    return game.id


def test_games_are_found_by_names_titles_and_dates(store: Store) -> None:
    first = finished_game(store, ("Jürgen", "Änne"), 1)
    second = finished_game(store, ("Jürgen", "100 %"), 5)
    assert [each.id for each in find_games(store)] == [second, first]
    assert [each.id for each in find_games(store, "JÜRGEN änne")] == [first]
    assert [each.id for each in find_games(store, "abend 5")] == [second]
    assert [each.id for each in find_games(store, "%")] == [second]
    assert find_games(store, "_") == []
    noon = datetime(2026, 3, 3, 12, tzinfo=UTC)
    assert [each.id for each in find_games(store, since=noon)] == [second]
    assert [each.id for each in find_games(store, until=noon)] == [first]
    moment = store.game(second).played_at
    assert [each.id for each in find_games(store, since=moment)] == [second]
    assert [each.id for each in find_games(store, until=moment)] == [first]
    assert find_games(store, kind="muggins") == []
    found = find_games(store)[1]
    assert (found.title, found.complete) == ("Abend 1", True)
    assert [(p.name, p.points, p.place) for p in found.players] == [
        ("Jürgen", 7, 1),
        ("Änne", 4, 2),
    ]


def test_one_game_stands_as_in_the_list(store: Store) -> None:
    game = finished_game(store, ("Anna", "Ben"), 1)
    assert summary_of(store, game) == find_games(store)[0]
    delete_game(store, game, BEN)
    assert summary_of(store, game).deleted_by == BEN.device
    with pytest.raises(StoreError, match="no_game"):
        summary_of(store, "a" * 22)


@pytest.mark.parametrize("name", ["anna maria", " Anna   MARIA", "Anna\tMaria "])
def test_spellings_of_one_name_have_one_key(name: str) -> None:
    assert name_key(name) == "anna maria"


def test_games_are_found_by_place_and_note(store: Store) -> None:
    game = new_game(store, about={"place": "Ulm", "note": "Nach dem Essen"})
    new_game(store)
    for text in ("ulm", "ESSEN", "anna ulm"):
        assert [each.id for each in find_games(store, text)] == [game.id], text


def test_a_long_list_is_continued_where_it_ended(store: Store) -> None:
    """Also between games of one moment, and where a newer game came in meanwhile."""
    for day in (1, 2, 2, 2, 3):
        finished_game(store, ("Anna", "Ben"), day)
    whole = [each.id for each in find_games(store, device=ANNA.device)]
    seen = find_games(store, device=ANNA.device, limit=2)
    finished_game(store, ("Anna", "Ben"), 9)
    while more := find_games(
        store, device=ANNA.device, after=(seen[-1].played_at, seen[-1].id), limit=2
    ):
        seen += more
    assert [each.id for each in seen] == whole


def test_each_device_sees_its_own_games(store: Store) -> None:
    mine = finished_game(store, ("Anna", "Cleo"), 1, ANNA)
    assert find_games(store, device=BEN.device) == []
    store.join(mine, BEN)
    assert [each.id for each in find_games(store, device=BEN.device)] == [mine]
    assert statistics_by_player(store, "kingdomino", device="nobody") == []


def test_boards_kept_without_a_game_have_a_list_of_their_own(store: Store) -> None:
    kept = store.create_game("kingdomino", {board_key(0): board(FOUR)}, kept=True)
    assert find_games(store) == []
    assert [each.id for each in find_games(store, kept=True)] == [kept.id]


def test_a_game_can_be_edited_later(store: Store) -> None:
    game_id = finished_game(store, ("Anna", "Ben"), 1)
    about = {"title": "Ostern", "played_at": "2025-04-20T15:00:00+02:00"}
    store.change(game_id, Change("about", about, 1, "edit", "edit"))
    found = find_games(store, "ostern")[0]
    assert found.played_at == datetime(2025, 4, 20, 13, tzinfo=UTC)
    undo_last(store, game_id, "about", "back")
    assert find_games(store, "ostern") == []


def test_deleting_can_be_undone_and_is_seen_by_others(store: Store) -> None:
    game_id = finished_game(store, ("Anna", "Ben"), 1)
    before = store.game(game_id)
    delete_game(store, game_id, ANNA)
    delete_game(store, game_id, ANNA)
    assert find_games(store) == []
    assert [each.id for each in find_games(store, deleted=True)] == [game_id]
    assert statistics_by_player(store, "kingdomino") == []
    news = store.changes_since(game_id, before.sequence)
    assert [(each.part, each.value) for each in news.changes] == [("game", {"deleted": True})]
    with pytest.raises(StoreError, match="deleted_game"):
        send(store, before, board(FOUR), 1)
    restore_game(store, game_id, BEN)
    assert store.game(game_id).values == before.values
    assert [each.id for each in find_games(store)] == [game_id]


def test_what_was_deleted_long_ago_is_erased_with_its_photos(store: Store) -> None:
    old, kept = (finished_game(store, ("Anna", "Ben"), day) for day in (1, 2))
    photo = keep_photo(store, old, camera_photo(), consent=True)
    delete_game(store, old, ANNA)
    now = datetime.now(UTC)
    assert erase_deleted(store, now + DELETED_FOR - timedelta(minutes=1)) == 0
    assert erase_deleted(store, now + DELETED_FOR + timedelta(minutes=1)) == 1
    with pytest.raises(StoreError, match="no_game"):
        store.game(old)
    with pytest.raises(StoreError, match="no_photo"):
        load_photo(store, photo.id)
    assert store.game(kept).sequence == 4
    erase_game(store, kept)
    assert find_games(store) == []


def test_names_are_remembered_for_each_device(store: Store) -> None:
    new_game(store, ANNA)
    store.create_game("kingdomino", {"players": [{"id": 0, "name": "Opa Jürgen"}]}, ANNA)
    store.create_game("kingdomino", {"players": [{"id": 0, "name": "ANNA"}]}, ANNA)
    assert remembered_names(store, ANNA.device) == ["ANNA", "Opa Jürgen", "Ben"]
    assert remembered_names(store, ANNA.device, "opa") == ["Opa Jürgen"]
    assert remembered_names(store, BEN.device) == []


def test_statistics_by_player(store: Store) -> None:
    finished_game(store, ("Anna", "Ben"), 1)
    finished_game(store, ("Ben", "anna"), 2)
    finished_game(store, ("Anna", "Cleo"), 3)
    new_game(store)
    found = statistics_by_player(store, "kingdomino", details=("lake", "nothing"))
    assert [(each.name, each.games, each.wins, each.mean, each.best) for each in found] == [
        ("Anna", 3, 2, 6.0, 7),
        ("Ben", 2, 1, 5.5, 7),
        ("Cleo", 1, 0, 4.0, 4),
    ]
    assert found[0].worst == 4
    assert found[2].details == {"lake": 2.0}
    assert [each.points for each in found[0].history] == [7, 4, 7]


def test_of_many_games_the_last_are_in_the_history_and_all_are_counted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.store.history.RECENT_GAMES", 2)
    for day in (3, 1, 2):
        finished_game(store, ("Anna", "Ben"), day)
    anna, _ = statistics_by_player(store, "kingdomino")
    assert anna.games == 3
    assert [each.played_at.day for each in anna.history] == [2, 3]


def test_a_name_is_spelt_as_in_the_last_game(store: Store) -> None:
    for name, day in (("ANNA", 2), ("Anna", 3), ("anna", 1)):
        finished_game(store, (name, "Ben"), day)
    assert [each.name for each in statistics_by_player(store, "kingdomino")] == ["Anna", "Ben"]


def test_games_are_counted_and_found_by_player_and_kind(store: Store) -> None:
    for names, day in ((("Anna", "Ben"), 1), (("Cleo", "ben"), 2), (("Anna", "Cleo"), 3)):
        finished_game(store, names, day)
    assert count_games(store, device=ANNA.device) == 3
    assert count_games(store, device=BEN.device) == 0
    assert count_games(store, "abend", device=ANNA.device, player="BEN") == 2
    assert [each.title for each in find_games(store, player="ben")] == ["Abend 2", "Abend 1"]
    assert find_games(store, player="be") == []
    kinds, players = kinds_and_players(store, ANNA.device)
    assert set(kinds) == {"kingdomino"}
    assert set(players) == {"Anna", "Cleo", "ben"}
    assert kinds_and_players(store, BEN.device) == (frozenset(), ())


def test_a_shared_victory_is_a_win_for_both(store: Store) -> None:
    game = new_game(store)
    send(store, game, board(FOUR), 0)
    send(store, game, board(FOUR), 0, board_key(1))
    assert [each.wins for each in statistics_by_player(store, "kingdomino")] == [1, 1]
