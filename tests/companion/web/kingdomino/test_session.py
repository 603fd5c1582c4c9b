from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.kingdomino.editing import Side
from companion.languages import Language
from companion.web.kingdomino.session import TERRAIN_CHOICES, Session
from scorer.kingdomino import Quest, Square
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.photo.errors import PhotoError

PHOTO = np.zeros((480, 640, 3), np.uint8)


def opened(notation: str, doubtful: dict[tuple[int, int], str] | None = None) -> Session:
    session = Session()
    session.open_reading(photo_reading(kingdom_reading(notation, doubtful)), PHOTO)
    return session


def test_a_reading_opens_at_its_first_doubt() -> None:
    session = opened("w1 w/c f", {(1, 1): "f1", (0, 1): "f1"})
    assert not session.starting
    assert session.selected == (0, 1)
    assert session.score.points == 2
    assert opened("w1 w/c f").selected is None


def test_doubts_are_gone_through_row_by_row_and_round_again() -> None:
    session = opened("w1 w/c f", {(0, 0): "w", (0, 1): "f1", (1, 1): "f1"})
    visited = []
    for _ in range(4):
        session.go_to_next_doubt()
        visited.append(session.selected)
    assert visited == [(0, 1), (1, 1), (0, 0), (0, 1)]


def test_confirming_and_taking_an_offer_lead_to_the_next_doubt() -> None:
    session = opened("w1 w/c f", {(0, 1): "f1", (1, 1): "f1"})
    session.set_square(Square.parse("f1"))
    assert session.selected == (1, 1)
    session.confirm()
    assert session.selected == (1, 1)
    assert session.edited.doubtful == frozenset()
    assert str(session.edited.kingdom) == "w1 f1/c f"


def test_terrain_and_crowns_are_set_on_the_selected_square() -> None:
    session = Session()
    session.open_empty(5)
    session.tap((2, 2))
    for choice in TERRAIN_CHOICES:
        session.set_terrain(choice)
        assert str(session.edited.kingdom[2, 2]) == choice
    session.set_terrain("m")
    session.set_crowns(3)
    session.set_giants(2)
    assert str(session.edited.kingdom[2, 2]) == "m3!!"
    session.set_terrain("g")
    assert str(session.edited.kingdom[2, 2]) == "g3!!"
    session.set_crowns(1)
    assert str(session.edited.kingdom[2, 2]) == "g1!"
    session.set_giants(2)
    assert str(session.edited.kingdom[2, 2]) == "g1!"
    session.set_terrain("c")
    session.set_crowns(2)
    assert str(session.edited.kingdom[2, 2]) == "c"


def test_nothing_is_selected_in_an_empty_grid() -> None:
    session = Session()
    session.open_empty(7)
    assert session.selected is None
    assert session.edited.kingdom.height == 7
    with pytest.raises(ValueError, match="selected"):
        session.set_terrain("w")


def test_each_kingdom_of_a_photo_keeps_its_corrections() -> None:
    session = Session()
    reading = photo_reading(kingdom_reading("w1 w c"), kingdom_reading("c l l1", {(0, 2): "l"}))
    session.open_reading(reading, PHOTO)
    session.tap((0, 0))
    session.set_crowns(0)
    session.choose_kingdom(1)
    assert session.selected == (0, 2)
    assert session.score.points == 2
    session.choose_kingdom(0)
    assert str(session.edited.kingdom) == "w w c"


def test_a_refusal_keeps_the_kingdom_in_work() -> None:
    session = opened("w1 w c")
    session.starting = True
    session.choose_photo("letter.jpg", b"Dear all")
    error = PhotoError("not_a_picture")
    session.refuse_photo("letter.jpg", error)
    assert session.waiting is None
    assert session.refusal == ("letter.jpg", error)
    assert str(session.edited.kingdom) == "w1 w c"
    session.open_empty(5)
    assert session.refusal is None
    assert session.photo is None


def test_the_address_holds_the_kingdom_and_brings_it_back() -> None:
    session = opened("w1 w/c f", {(1, 1): "f1"})
    other = Session(Language.GERMAN)
    other.open_link({name: str(value) for name, value in session.link().items()})
    assert other.edited.kingdom == session.edited.kingdom
    assert other.selected == (1, 1)
    session.starting = True
    assert session.link() == {}
    nothing = Session()
    nothing.open_link({})
    assert nothing.starting


def test_the_grid_grows_and_shrinks() -> None:
    session = opened("w1 w c")
    session.add_line(Side.BOTTOM)
    assert str(session.edited.kingdom) == "w1 w c/. . ."
    session.trim()
    assert str(session.edited.kingdom) == "w1 w c"


def test_quests_take_the_place_of_the_variants_they_include() -> None:
    session = opened("w1 c w")
    session.set_rules(harmony=False, middle_kingdom=True, giants=False, quests=())
    assert session.score.points == 1 + 10
    quest = Quest.parse("lost-corner")
    session.set_rules(harmony=True, middle_kingdom=True, giants=True, quests=(quest,))
    assert session.rules.quests == (quest,)
    assert not session.rules.middle_kingdom
    session.set_rules(harmony=True, middle_kingdom=False, giants=False, quests=(quest,))
    assert [str(goal) for goal in session.rules.goals] == ["harmony"]


def test_kept_kingdoms_are_ranked_and_survive_a_reload() -> None:
    session = opened("w1 w c")
    session.keep_for("Anna")
    assert session.ranking is None
    session.tap((0, 1))
    session.set_crowns(1)
    session.keep_for("Ben=1")
    ranking = session.ranking
    assert ranking is not None
    assert [(place.player, place.points) for place in ranking.places] == [("Ben=1", 4), ("Anna", 2)]
    again = Session()
    link = session.link()
    again.open_link({"kingdom": str(link["kingdom"])}, link["player"])
    assert again.ranking == ranking
    assert str(again.edited.kingdom) == "w1 w1 c"


def test_a_kept_kingdom_can_be_changed_and_let_go() -> None:
    session = opened("w1 w c", {(0, 1): "f"})
    session.keep_for("Anna")
    session.open_empty(5)
    session.look_at_seat("Anna")
    assert str(session.edited.kingdom) == "w1 w c"
    assert session.edited.doubtful == {(0, 1)}
    assert session.edited.reading is None
    session.tap((0, 1))
    session.set_crowns(1)
    session.keep_for("Anna")
    assert [str(seat.edited.kingdom) for seat in session.seats] == ["w1 w1 c"]
    session.leave_seat("Anna")
    assert session.seats == []


def test_a_sixth_player_finds_no_seat() -> None:
    session = opened("w1 w c")
    for number in range(7):
        session.keep_for(f"Player {number}")
    assert len(session.seats) == 5


def test_the_photo_is_drawn_again_only_after_a_change() -> None:
    session = opened("w1 w/c f")
    first = session.drawn_photo()
    assert first is not None
    assert first.shape == PHOTO.shape
    session.tap((0, 0))
    assert session.drawn_photo() is first
    session.set_crowns(0)
    second = session.drawn_photo()
    assert second is not None
    assert np.any(first != second)
    session.open_empty(5)
    assert session.drawn_photo() is None


def test_the_other_reading_can_be_taken_and_given_back() -> None:
    other = kingdom_reading("w1 w w/c f f", {(0, 2): "w1"})
    uncertain = replace(kingdom_reading("w1 w/c f", lattice_certain=False), next_best=other)
    session = Session()
    session.open_reading(photo_reading(uncertain), PHOTO)
    session.take_next_best()
    assert str(session.edited.kingdom) == "w1 w w/c f f"
    assert session.selected == (0, 2)
    session.take_next_best()
    assert str(session.edited.kingdom) == "w1 w/c f"
    alone = opened("w1 w/c f")
    alone.take_next_best()
    assert str(alone.edited.kingdom) == "w1 w/c f"
