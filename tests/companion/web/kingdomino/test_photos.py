"""Photos taken and read on a page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings
from companion.games.kingdomino.kind import KeptRules, board_key
from companion.games.kingdomino.table import Table, new_table
from companion.store import Actor, Store, StoreError
from companion.store.photos import keep_photo, photos_of
from companion.web.kingdomino import photos
from companion.web.kingdomino.photos import (
    How,
    kept_kingdoms,
    new_kept_kingdom,
    open_games,
    photos_for_table,
    take_into,
    take_photos,
)
from companion.web.photo_cache import CachedPhoto
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_shared_state import jpeg
from vision.kingdomino.result import PhotoReading
from vision.photo import PhotoError


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each reading was asked for anyway; only then there is a kingdom."""
    wanted: list[bool] = []

    def read(
        _: Visit, photo: CachedPhoto, *, anyway: bool = False, giants: bool = False
    ) -> PhotoReading:
        wanted.append(anyway)
        if not anyway:
            raise PhotoError("no_kingdom")
        return photo_reading(kingdom_reading("c w1 w"))

    monkeypatch.setattr(photos, "read_cached", read)
    monkeypatch.setattr(Visit, "go_to_game", lambda visit, game, view="", **more: gone(visit, game))
    return wanted


def gone(visit: Visit, game: str) -> None:
    visit.parameters = {"game": game}


def test_what_is_refused_can_be_read_anyway(store: Store, visit: Visit, asked: list[bool]) -> None:
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, None, [name], None)
    assert not visit.game_id
    assert visit.undo_name == "page.read_anyway"
    assert visit.undo is not None
    visit.undo()
    assert asked == [False, True]
    assert store.game(visit.game_id).results.players[0].points == 2


def test_where_nothing_is_found_people_set_the_corners(
    store: Store, visit: Visit, asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Visit, photo: CachedPhoto, **how: bool) -> PhotoReading:
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(photos, "read_cached", read)
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, None, [name], None)
    for offered in ("page.read_anyway", "page.set_corners"):
        assert visit.undo_name == offered
        assert visit.undo is not None
        visit.undo()
    game = store.game(visit.game_id)
    (kept,) = kept_readings(store, game.id).values()
    assert kept.photo == name
    assert kept.reading.kingdom == Kingdom.empty(5, 5)
    assert visit.page_state["corners"] == {(game.id, board_key(0))}
    assert asked == []


def test_a_kept_kingdom_is_no_game(store: Store, visit: Visit, asked: list[bool]) -> None:
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, None, [name], None, how=How.ANYWAY, kept=True)
    game = store.game(visit.game_id)
    assert game.kept
    assert [player.name for player in game.players] == ["Königreich"]
    assert len(kept_readings(store, game.id)) == 1


def test_other_refusals_offer_nothing(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, asked: list[bool]
) -> None:
    photos_for_table(visit, None, ["refused:not_a_picture"], None)
    assert visit.notice
    assert visit.undo is None
    assert asked == []


def test_the_expansion_is_in_the_box_where_it_is_played(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    table = new_table(store, Actor()).with_player("Anna")

    def read(_: Visit, photo: CachedPhoto, *, anyway: bool, giants: bool) -> PhotoReading:
        asked.append(giants)
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(photos, "read_cached", read)
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, table, [name], None)
    photos_for_table(visit, table.with_rules(KeptRules(Rules(age_of_giants=True))), [name], None)
    assert asked == [False, True]


def kept_with_photo(store: Store, visit: Visit) -> Table:
    """A kept kingdom of Gerda's with a photo that she wanted to keep."""
    kept = new_kept_kingdom(visit)
    photo = keep_photo(store, kept.game.id, jpeg(), consent=True).id
    reading = KeptReading(kingdom_reading("c w1 w", {(0, 1): "w"}), photo, 640, 480)
    reading_id = store.keep_reading(kept.game.id, reading.to_data())
    return kept.with_reading(kept.seats[0], reading_id, reading).with_about("title", "Gerda")


def test_it_comes_with_its_photo_its_doubts_and_its_name(
    store: Store, visit: Visit, for_workers: list[bytes]
) -> None:
    kept = kept_with_photo(store, visit)
    table, seat = take_into(visit, kept, new_table(store, visit.actor), None)
    assert (seat.player.name, seat.total, seat.doubts) == ("Gerda", 2, 1)
    assert seat.board is not None
    reading = kept_readings(store, table.game.id)[seat.board.reading or ""]
    assert [each.id for each in photos_of(store, table.game.id)] == [reading.photo]
    assert len(for_workers) == 1
    assert kept_kingdoms(visit) == []


def test_all_of_it_is_taken_back(store: Store, visit: Visit) -> None:
    kept = kept_with_photo(store, visit)
    table, _ = take_into(visit, kept, new_table(store, visit.actor), None)
    assert visit.undo is not None
    visit.undo()
    assert table.again().seats == ()
    assert [each.title for each in kept_kingdoms(visit)] == ["Gerda"]


def test_an_empty_seat_keeps_its_name(store: Store, visit: Visit) -> None:
    kept = kept_with_photo(store, visit)
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben")
    table, seat = take_into(visit, kept, table, table.seats[1])
    assert [each.player.name for each in table.seats] == ["Anna", "Ben"]
    assert (seat.player.name, seat.total) == ("Ben", 2)


def test_a_name_that_is_taken_gets_a_number(store: Store, visit: Visit) -> None:
    kept = kept_with_photo(store, visit)
    table = new_table(store, visit.actor).with_player("Gerda")
    table, seat = take_into(visit, kept, table, None)
    assert seat.player.name == "Gerda 2"


def test_a_photo_that_is_only_in_memory_goes_along(store: Store, visit: Visit) -> None:
    kept = new_kept_kingdom(visit)
    cached = visit.photos.put(jpeg(), visit.device)
    cached.game = kept.game.id
    reading = KeptReading(kingdom_reading("c w1 w"), cached.id, 640, 480)
    reading_id = store.keep_reading(kept.game.id, reading.to_data())
    kept = kept.with_reading(kept.seats[0], reading_id, reading)
    table, _ = take_into(visit, kept, new_table(store, visit.actor), None)
    assert cached.game == table.game.id


def test_where_there_is_no_kingdom_or_no_seat_nothing_changes(
    store: Store, visit: Visit, table: Table
) -> None:
    empty = new_kept_kingdom(visit)
    with pytest.raises(StoreError, match="bad_value"):
        take_into(visit, empty, table, None)
    kept = kept_with_photo(store, visit)
    full = table.with_rules(replace(table.rules, rules=replace(table.rules.rules)))
    with pytest.raises(StoreError, match="bad_players"):
        take_into(visit, kept, full, None)
    assert len(kept_kingdoms(visit)) == 2
    assert len(full.again().seats) == 4


def test_games_that_wait_for_a_kingdom_are_offered(
    store: Store, visit: Visit, table: Table
) -> None:
    waiting = new_table(store, visit.actor).with_player("Anna")
    waiting.with_board(waiting.seats[0], KeptBoard(Kingdom.parse("c w1")), "set")
    assert [game.id for game in open_games(visit)] == [waiting.game.id]


def test_a_newcomer_whose_photo_is_read_anyway_is_a_newcomer_still(
    store: Store, visit: Visit, asked: list[bool]
) -> None:
    table = new_table(store, visit.actor).with_player("Anna")
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, table, [name], None, newcomer=True)
    assert visit.undo is not None
    visit.undo()
    first, second = table.again().seats
    assert (first.board, second.total) == (None, 2)


def test_a_kept_kingdom_that_is_read_anyway_is_no_game_either(
    store: Store, visit: Visit, asked: list[bool]
) -> None:
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, None, [name], None, kept=True)
    assert visit.undo is not None
    visit.undo()
    assert store.game(visit.game_id).kept
    assert visit.answered == 2


def test_of_several_kingdoms_the_largest_is_the_one_that_is_kept(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch, asked: list[bool]
) -> None:
    found = photo_reading(kingdom_reading("c w1 w"), kingdom_reading("c l", left=300))
    monkeypatch.setattr(photos, "read_cached", lambda *_, **__: found)
    table = new_kept_kingdom(visit)
    take_photos(visit, table, f"seat:0|{visit.photos.put(jpeg(), visit.device).id}")
    (seat,) = table.again().seats
    assert seat.board is not None
    assert str(seat.board.kingdom) == "c w1 w"


def test_a_photo_that_is_read_anyway_is_still_of_whom_it_was_taken(
    store: Store, visit: Visit, asked: list[bool]
) -> None:
    table = new_table(store, visit.actor).with_player("Anna").with_player("Ben")
    name = visit.photos.put(jpeg(), visit.device).id
    take_photos(visit, table, f"seat:1|{name}")
    assert visit.undo is not None
    visit.undo()
    assert [seat.total for seat in table.again().seats] == [None, 2]


def test_the_photo_of_a_new_seat_makes_a_player_though_another_waits(
    store: Store, visit: Visit, asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several kingdoms on it people say whose each is."""
    one, other = kingdom_reading("c w1 w"), kingdom_reading("c l l1", left=300)
    for kingdoms, seats in (((one,), 2), ((one, other), 1)):
        found = photo_reading(*kingdoms)
        monkeypatch.setattr(photos, "read_cached", lambda *_, found=found, **how: found)
        table = new_table(store, visit.actor).with_player("Anna")
        take_photos(visit, table, f"seat:new|{visit.photos.put(jpeg(), visit.device).id}")
        assert [seat.board is None for seat in table.again().seats] == [True, False][:seats]
