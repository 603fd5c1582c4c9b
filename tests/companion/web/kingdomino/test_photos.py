from __future__ import annotations

import pytest

from companion.games.kingdomino.kind import KeptRules, board_key
from companion.games.kingdomino.table import new_table
from companion.store import Actor, Store
from companion.web.kingdomino import photos
from companion.web.kingdomino.photos import How, photos_for_table
from companion.web.kingdomino.readings import kept_readings
from companion.web.photo_cache import CachedPhoto
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_photo_shelf import jpeg
from vision.kingdomino.result import PhotoReading
from vision.photo import PhotoError


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each reading was asked for anyway; only then there is a kingdom."""
    wanted: list[bool] = []

    def read(
        house: SharedState, photo: CachedPhoto, *, anyway: bool = False, giants: bool = False
    ) -> PhotoReading:
        wanted.append(anyway)
        if not anyway:
            raise PhotoError("no_kingdom")
        return photo_reading(kingdom_reading("c w1 w"))

    monkeypatch.setattr(photos, "read_shelved", read)
    monkeypatch.setattr(Visit, "go_to_game", lambda visit, game, view="", **more: gone(visit, game))
    return wanted


def gone(visit: Visit, game: str) -> None:
    visit.parameters = {"game": game}


def test_what_is_refused_can_be_read_anyway(store: Store, visit: Visit, asked: list[bool]) -> None:
    name = visit.shelf.put(jpeg(), visit.device).id
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
    def read(house: SharedState, photo: CachedPhoto, **how: bool) -> PhotoReading:
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(photos, "read_shelved", read)
    name = visit.shelf.put(jpeg(), visit.device).id
    photos_for_table(visit, None, [name], None)
    for offered in ("page.read_anyway", "page.set_corners"):
        assert visit.undo_name == offered
        assert visit.undo is not None
        visit.undo()
    game = store.game(visit.game_id)
    (kept,) = kept_readings(store, game.id).values()
    assert kept.photo == name
    assert kept.reading.kingdom == Kingdom.empty(5, 5)
    assert visit.room["corners"] == {(game.id, board_key(0))}
    assert asked == []


def test_a_kept_kingdom_is_no_game(store: Store, visit: Visit, asked: list[bool]) -> None:
    name = visit.shelf.put(jpeg(), visit.device).id
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

    def read(house: SharedState, photo: CachedPhoto, *, anyway: bool, giants: bool) -> PhotoReading:
        asked.append(giants)
        raise PhotoError("no_kingdom")

    monkeypatch.setattr(photos, "read_shelved", read)
    name = visit.shelf.put(jpeg(), visit.device).id
    photos_for_table(visit, table, [name], None)
    photos_for_table(visit, table.with_rules(KeptRules(Rules(age_of_giants=True))), [name], None)
    assert asked == [False, True]
