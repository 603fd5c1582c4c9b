"""Games found again, deleted, brought back, and what they say of the players."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

import companion.games as games
from companion.games.kingdomino.kind import board_key
from companion.store import Actor, Change, Store, StoreError
from companion.store.exchange import compare_copies, export_games, export_text, import_games
from companion.store.history import (
    count_games,
    delete_game,
    erase_deleted,
    erase_game,
    find_games,
    in_portions,
    kinds_and_players,
    remembered_names,
    restore_game,
    results_csv,
    statistics_by_player,
    summary_of,
)
from companion.store.parts import name_key
from companion.store.photos import keep_photo, load_photo
from companion.store.tables import GameRow, ResultRow
from tests.companion.store.many_games import add_games
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
    assert erase_deleted(store) == 0
    assert erase_deleted(store, now + timedelta(days=30, minutes=-1)) == 0
    assert erase_deleted(store, now + timedelta(days=30, minutes=1)) == 1
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
    assert remembered_names(store, ANNA.device, 9) == ["ANNA", "Opa Jürgen", "Ben"]
    assert remembered_names(store, ANNA.device, 2) == ["ANNA", "Opa Jürgen"]
    assert remembered_names(store, BEN.device, 9) == []


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


FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def test_lists_end_where_they_are_said_to(store: Store) -> None:
    """Of 120 games of 60 people: the last hundred are in a chart, and fifty names in a list."""
    people = [f"P{number:02}" for number in range(60)]
    add_games(store, 120, lambda _: "phone", FIRST, "game", people)
    found = find_games(store, device="phone", limit=7)
    assert [each.id for each in found] == [f"game{number}" for number in range(119, 112, -1)]
    assert len(find_games(store, device="phone")) == 120
    assert count_games(store, device="phone") == 120
    kinds, players = kinds_and_players(store, "phone")
    assert kinds == {"kingdomino"}
    assert players == tuple(people[:50])
    assert remembered_names(store, "phone", 3) == ["P00", "P01", "P59"]
    history = {each.name: each.history for each in statistics_by_player(store, "kingdomino")}
    assert sum(map(len, history.values())) == 100 * 3
    assert min(games[0].played_at for games in history.values()) == FIRST + timedelta(minutes=20)
    assert {each.games for each in statistics_by_player(store, "kingdomino")} == {6}


def test_games_of_one_moment_have_an_order_too(store: Store) -> None:
    for name in ("b", "c", "a"):
        add_games(store, 1, lambda _: "phone", FIRST, name)
    assert [each.id for each in find_games(store, device="phone")] == ["a0", "b0", "c0"]
    lines = "".join(results_csv(store, device="phone")).splitlines()
    assert [line.split(",")[0] for line in lines] == ["game", "1", "1", "2", "2", "3", "3"]
    anna, _ = statistics_by_player(store, "kingdomino", device="phone")
    assert [each.game_id for each in anna.history] == ["a0", "b0", "c0"]
    found = json.loads("".join(export_text(store, device="phone")))["games"]
    assert [each["id"] for each in found] == ["a0", "b0", "c0"]
    assert compare_copies(store, "phone", {}).newer == ("a0", "b0", "c0")


def test_a_phone_keeps_so_many_copies_and_no_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_games(store, 5, lambda _: "phone", FIRST, "game")
    delete_game(store, "game4", ANNA)
    monkeypatch.setattr("companion.store.exchange.MAX_COPIES", 3)
    assert compare_copies(store, "phone", {"game1": 0}).newer == ("game3", "game2")
    assert compare_copies(store, "phone", {"game1": 1}).lacking == ("game1",)
    assert compare_copies(store, "phone", {"game4": 9}).gone == ("game4",)


def test_an_erased_game_that_came_back_is_not_gone(store: Store) -> None:
    game = new_game(store)
    export = export_games(store)
    erase_game(store, game.id)
    assert compare_copies(store, ANNA.device, {game.id: 1}).gone == (game.id,)
    import_games(store, export, ANNA.device)
    assert compare_copies(store, ANNA.device, {game.id: 1}).gone == ()


def test_ids_go_to_the_database_in_portions() -> None:
    assert [list(each) for each in in_portions(list("abcde"), 2)] == [["a", "b"], ["c", "d"], ["e"]]
    assert list(in_portions([], 2)) == []


@pytest.mark.parametrize("name", ["=A", "+A", "-A", "@A"])
def test_no_name_is_a_formula_in_a_table(store: Store, name: str) -> None:
    store.create_game("kingdomino", {"players": [{"id": 0, "name": name}, {"id": 1, "name": "B="}]})
    lines = "".join(results_csv(store)).split("\r\n")
    assert [line.split(",")[4] for line in lines[1:-1]] == [f"'{name}", "B="]
    assert lines[-1] == ""


def test_where_few_points_win_the_fewest_are_best(store: Store) -> None:
    games.register_kinds()
    rows = [(7, 2), (3, 1)]
    for number, (points, place) in enumerate(rows):
        add_games(store, 1, lambda _: "phone", FIRST, f"game{number}")
        with store.writing() as session:
            session.execute(update(GameRow).values(kind="chickenfoot"))
            of_anna = update(ResultRow).where(
                ResultRow.name == "Anna", ResultRow.game_id == f"game{number}0"
            )
            session.execute(of_anna.values(points=points, place=place))
    found = {each.name: each for each in statistics_by_player(store, "chickenfoot")}
    assert (found["Anna"].best, found["Anna"].worst) == (3, 7)
    with pytest.raises(StoreError, match="unknown_kind"):
        statistics_by_player(store, "chess")


def test_the_last_who_deleted_a_game_is_named_and_may_bring_it_back(store: Store) -> None:
    game = new_game(store)
    before = store.game(game.id).sequence
    restore_game(store, game.id, ANNA)
    assert store.game(game.id).sequence == before
    delete_game(store, game.id, ANNA)
    deleted_at = store.game(game.id).deleted_at
    assert deleted_at is not None
    delete_game(store, game.id, ANNA)
    assert store.game(game.id).sequence == before + 1
    delete_game(store, game.id, BEN)
    assert store.game(game.id).deleted_at == deleted_at
    assert summary_of(store, game.id).deleted_by == BEN.device
    restore_game(store, game.id, ANNA)
    assert summary_of(store, game.id).deleted_by == ""
    log = store.log(game.id)[1:]
    assert [(each.part, each.action, each.value, each.device) for each in log] == [
        ("game", "delete", {"deleted": True}, ANNA.device),
        ("game", "delete", {"deleted": True}, BEN.device),
        ("game", "restore", {"deleted": False}, ANNA.device),
    ]
    assert [each.part_sequence for each in log] == [1, 2, 3]
    for change in (delete_game, restore_game):
        with pytest.raises(StoreError, match="no_game"):
            change(store, "a" * 22, ANNA)
    with pytest.raises(StoreError, match="no_game"):
        erase_game(store, "a" * 22)
