from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.games.kingdomino.kept_board import Frame, KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, new_table
from companion.games.kingdomino.texts import label_name
from companion.store import Actor, Change, Store, new_id
from companion.web.kingdomino import seat_view
from companion.web.kingdomino.board import (
    Action,
    BoardChange,
    BoardState,
    ChangeKind,
    OpenSquare,
)
from companion.web.kingdomino.board_changes import board_state
from companion.web.kingdomino.parts import choice_markup
from companion.web.kingdomino.photos import _owner_question
from companion.web.kingdomino.seat_view import (
    _act,
    _answer_change,
    _chosen,
    _keep,
    _key,
    _next_steps,
    asked_markup,
    collisions_markup,
    next_best_markup,
)
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules
from tests.companion.games.kingdomino.readings import kingdom_reading
from tests.companion.games.kingdomino.seen import seen_as


def read_table(store: Store, visit: Visit) -> tuple[Table, KeptReading]:
    """A player with a kingdom of which one square is in doubt, and another reading of it."""
    other = kingdom_reading("c w w1", lattice_certain=False)
    reading = kingdom_reading("w1 w/c f", {(1, 1): "f1"}, lattice_certain=False)
    kept = KeptReading(replace(reading, next_best=other), "a-photo-of-the-table", 640, 480)
    table = new_table(store, Actor(visit.device)).with_player("Anna")
    reading_id = store.keep_reading(table.game.id, kept.to_data())
    return table.with_reading(table.seats[0], reading_id, kept), kept


def test_what_goes_down_to_the_board(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, kept = read_table(store, visit)
    # Without its photo there is the plan.
    assert board_state(visit, table.seats[0], kept).photo is None
    monkeypatch.setattr(visit.photos, "get", lambda name: name)
    state = board_state(visit, table.seats[0], kept)
    assert state.photo is not None
    assert state.photo.url == "photo/a-photo-of-the-table"
    assert state.reading is not None
    assert [each.doubtful for row in state.reading.squares for each in row] == [0, 0, 0, 1]
    assert table.seats[0].doubts == 1


def test_a_change_is_in_the_store_and_the_points_follow(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    seat = table.seats[0]
    kingdom = Kingdom.parse("w1 w/c f1")
    settled = frozenset({(1, 1)})
    actions = (Action(1, ChangeKind.SET, ((1, 1),), "f1"),)
    change = BoardChange("phone00001", 1, seat.revision, kingdom, settled, Frame(), actions)
    assert _keep(visit, table, seat.player.id, change) is None
    after = table.again().seats[0]
    assert after.total == 3
    assert after.doubts == 0


def test_what_was_done_ends_the_setting_of_corners_and_leaves_its_notice(
    store: Store, visit: Visit
) -> None:
    table, _ = read_table(store, visit)
    seat = table.seats[0]
    place = (table.game.id, seat.key)
    visit.page_state["corners"] = {place, ("other", "board:1:0")}
    kingdom = Kingdom.parse("w1 w/c f1")
    set_there = frozenset({(1, 1)})
    change = BoardChange("phone00001", 1, seat.revision, kingdom, set_there, Frame(), ())
    _answer_change(visit, table, seat.player.id, change)
    assert visit.page_state["corners"] == {("other", "board:1:0")}
    assert table.again().seats[0].board is not None
    other = replace(
        change,
        client="phone00002",
        kingdom=Kingdom.parse("w1 m/c f"),
        settled=frozenset({(0, 1)}),
    )
    _answer_change(visit, table, seat.player.id, other)
    assert visit.page_state["notice", _key(table, seat)] == visit.say("game.others_changed")


def test_a_bad_frame_changes_nothing_and_is_told(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    seat = table.seats[0]
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    change = BoardChange(
        "phone00001",
        1,
        seat.revision,
        Kingdom.parse("w"),
        frozenset(),
        Frame(),
        (),
        corners,
        (5, 5),
    )
    assert _keep(visit, table, seat.player.id, change) == visit.say("seat.no_grid")
    assert table.again().seats[0].revision == seat.revision


def test_what_was_read_is_offered_with_the_points_that_it_would_have(
    store: Store, visit: Visit
) -> None:
    """A full 5×5 is no harmony where another kingdom is larger."""
    full = kingdom_reading("/".join(["w w w w w"] * 2 + ["w w c w w"] + ["w w w w w"] * 2))
    large = KeptBoard(Kingdom.parse("/".join(["l l l l l l l"] * 3 + ["c l l l l l l"])))
    _, kept = read_table(store, visit)
    offered = replace(kept, reading=replace(kept.reading, next_best=full))
    asked = replace(kept, reading=full)
    table = new_table(store, visit.actor, KeptRules(Rules(harmony=True)))
    table = table.with_player("Anna").with_player("Ben")
    for points in (5, 0):
        anna, ben = table.seats
        assert f"{points} Punkte" in str(next_best_markup(visit, table, anna, offered))
        assert f"{points} Punkte" in str(_owner_question(visit, table, asked))
        table = table.with_board(ben, large, "set")


def test_another_grid_is_said_with_its_rows_before_its_columns(store: Store, visit: Visit) -> None:
    table, kept = read_table(store, visit)
    assert "1 × 3, 2 Punkte" in str(next_best_markup(visit, table, table.seats[0], kept))


def test_the_other_reading_is_taken_and_offers_the_first_in_turn(
    store: Store, visit: Visit
) -> None:
    table, kept = read_table(store, visit)
    _act(visit, table, table.seats[0], Act("next-best"))
    board = table.again().seats[0].board
    assert board is not None
    assert str(board.kingdom) == "c w w1"
    _act(visit, table, table.again().seats[0], Act("next-best"))
    back = table.again().seats[0].board
    assert back is not None
    assert back.kingdom == kept.reading.kingdom


def test_a_collision_is_settled_by_what_people_say(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    seat = table.seats[0]
    assert seat.board is not None
    for notation in ("m2 w/c f", "l1 w/c f"):
        board = replace(seat.board, kingdom=Kingdom.parse(notation), corrected=frozenset({(0, 0)}))
        change = Change(seat.key, board.to_data(), seat.revision, new_id())
        store.change(table.game.id, change, Actor(visit.device))
    table = table.again()
    (collision,) = table.collisions
    value = f"{collision.sequence}|{collision.leaf}"
    _act(visit, table, table.seats[0], Act("settle-other", value))
    after = table.again()
    assert after.collisions == ()
    assert after.seats[0].board is not None
    assert str(after.seats[0].board.kingdom) == "l1 w/c f"


def test_a_collision_is_asked_at_its_seat_alone_and_may_stay_as_it_is(
    store: Store, visit: Visit
) -> None:
    table, _ = read_table(store, visit)
    table = table.with_player("Ben")
    seat = table.seats[0]
    assert seat.board is not None
    for notation in ("m2 w/c f", "l1 w/c f"):
        board = replace(seat.board, kingdom=Kingdom.parse(notation), corrected=frozenset({(0, 0)}))
        table.with_board(seat, board, "set")
    table = table.again()
    anna, ben = table.seats
    assert collisions_markup(visit, table, ben) is None
    asked = str(collisions_markup(visit, table, anna))
    offered = re.findall(r'data-do="settle-(\w+)" data-value="([^"]*)">(.*?)</button>', asked)
    names = [label_name(label, visit.language) for label in ("m2", "l1")]
    assert [(do, name) for do, _, name in offered] == [*zip(("kept", "other"), names, strict=True)]
    # Three of the four squares are dim, so that one sees which it is.
    assert asked.count('class="dim"') == 3
    _act(visit, table, anna, Act("settle-kept", offered[0][1]))
    after = table.again()
    assert after.collisions == ()
    assert after.seats[0].board is not None
    assert str(after.seats[0].board.kingdom) == "m2 w/c f"


def test_what_nobody_settled_is_not_taken_from_a_phone(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    seat = table.seats[0]
    set_there = frozenset({(0, 1)})
    kingdom = Kingdom.parse("m3 l/c s")
    change = BoardChange("phone00001", 1, seat.revision, kingdom, set_there, Frame(), ())
    assert _keep(visit, table, seat.player.id, change) is None
    after = table.again().seats[0]
    assert after.board is not None
    assert str(after.board.kingdom) == "w1 l/c f"
    assert after.doubts == 1


def test_a_decision_that_is_taken_back_leaves_the_doubt(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    before = table.seats[0]
    done = replace(table).with_square(before, (1, 1), Kingdom.parse("f1")[0, 0])
    assert done.seats[0].doubts == 0
    back = done.undone(done.made[-1])
    assert back.seats[0].board == before.board
    assert back.seats[0].offers == before.offers


def two_mines(store: Store, visit: Visit) -> Table:
    """Two kingdoms with the one mine of three crowns, of which the first was set by a person."""
    table = new_table(store, Actor(visit.device)).with_player("Anna").with_player("Ben")
    first = seen_as("c w m1", {(0, 2): {"m1": 0.5, "m3": 0.5}})
    for number, reading in enumerate((first, seen_as("c w m3", sure=0.97))):
        kept = KeptReading(reading)
        reading_id = store.keep_reading(table.game.id, kept.to_data())
        table = table.with_reading(table.seats[number], reading_id, kept)
    return table.with_square(table.seats[0], (0, 2), Kingdom.parse("m3")[0, 0])


def test_what_the_box_says_otherwise_is_asked_at_both_places(store: Store, visit: Visit) -> None:
    table = two_mines(store, visit)
    markup = asked_markup(visit, table)
    assert markup is not None
    assert visit.say("seat.box_says") in markup
    for name in ("Anna", "Ben"):
        assert f"{name}, " in markup
    assert str(table.seats[1].board and table.seats[1].board.kingdom) == "c w m3"
    state = board_state(visit, table.seats[1], table.readings[table.seats[1].board.reading])  # type: ignore[union-attr,index]
    assert state.reading is not None
    assert state.open_squares is not None
    says = table.seats[1].asked[0, 2]
    assert state.open_squares[0, 2] == OpenSquare((str(says),), asked=True)
    _act(visit, table, table.seats[1], Act("choose", "1|1|0|2|m1"))
    after = table.again()
    assert str(after.seats[1].board and after.seats[1].board.kingdom) == "c w m1"
    assert asked_markup(visit, after) is None


def test_it_is_right_said_to_the_box_is_a_decision(store: Store, visit: Visit) -> None:
    """Of one's own correction and of what was read; taken back, it is asked again."""
    table = two_mines(store, visit)
    assert [list(seat.asked) for seat in table.seats] == [[(0, 2)], [(0, 2)]]
    _act(visit, table, table.seats[0], Act("choose", "0|1|0|2|m3"))
    mine = table.again()
    assert [list(seat.asked) for seat in mine.seats] == [[], [(0, 2)]]
    _act(visit, mine, mine.seats[1], Act("choose", "1|1|0|2|m3"))
    both = table.again()
    assert not any((0, 2) in seat.offers for seat in both.seats)
    assert [str(seat.board and seat.board.kingdom) for seat in both.seats] == ["c w m3", "c w m3"]
    mine_again = both.undone(store.log(table.game.id)[-1].sequence)
    assert [seat.asked for seat in mine_again.seats] == [seat.asked for seat in mine.seats]
    other = mine_again.with_square(mine_again.seats[0], (0, 2), Kingdom.parse("m1")[0, 0])
    assert other.seats[0].board is not None
    assert other.seats[0].board.insisted == frozenset()


def test_a_phone_that_insists_is_not_asked_again(store: Store, visit: Visit) -> None:
    table = two_mines(store, visit)
    seat = table.seats[0]
    assert seat.board is not None
    place = frozenset({(0, 2)})
    change = BoardChange(
        "phone00001", 1, seat.revision, seat.board.kingdom, place, Frame(), (), insisted=place
    )
    assert _keep(visit, table, 0, change) is None
    after = table.again().seats[0]
    assert not after.asked
    assert board_state(visit, after, None).message("")["settled"] == "002"


def test_a_choice_that_no_button_has_is_none(store: Store, visit: Visit) -> None:
    table = two_mines(store, visit)
    for value in ("", "1|1|0|2|q9", "1|1|9|9|w", "7|1|0|0|w", "1|3|0|0|w", "1|1|0|2"):
        _act(visit, table, table.seats[1], Act("choose", value))
    assert table.again().game.sequence == table.game.sequence


def test_a_square_that_may_be_many_things_leads_to_its_board(store: Store, visit: Visit) -> None:
    table = two_mines(store, visit)
    squares = Kingdom.parse("w f l g s m").rows[0]
    few, many = (
        choice_markup(visit, table, table.seats[1], (0, 2), squares[:count]) for count in (4, 5)
    )
    assert (few.count('data-do="choose"'), "<a" in few) == (4, False)
    assert many.count('data-do="choose"') == 4
    assert "seat=2" in many.partition("<a")[2]


def set_by(client: str, table: Table, square: str, *actions: Action) -> BoardChange:
    """A phone's change of the first square of Anna's kingdom."""
    kingdom = Kingdom.parse(f"{square} w/c f")
    place = frozenset({(0, 0)})
    revision = table.seats[0].revision
    return BoardChange(client, 1, revision, kingdom, place, Frame(), actions)


def test_why_a_change_was_not_taken_as_it_was_is_said(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    assert _keep(visit, table, 0, set_by("phone00001", table, "m2")) is None
    other = set_by("phone00002", table, "l1")
    assert _keep(visit, table.again(), 0, other) == visit.say("seat.collision")
    undo = set_by("phone00003", table.again(), "m2", Action(1, ChangeKind.UNDO, change=99))
    assert _keep(visit, table.again(), 0, undo) == visit.say("store_error.nothing_to_undo")


@pytest.mark.parametrize("agreed", [False, True])
def test_squares_that_people_set_are_kept_only_where_they_agreed(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    kept: list[KeptBoard] = []
    monkeypatch.setattr(
        seat_view, "keep_squares_later", lambda visit, game, board: kept.append(board)
    )
    visit.keep_squares = agreed
    table, _ = read_table(store, visit)
    _keep(visit, table, 0, set_by("phone00001", table, "m2"))
    assert [board.corrected for board in kept] == ([{(0, 0)}] if agreed else [])


def page_of(
    visit: Visit, table: Table, monkeypatch: pytest.MonkeyPatch
) -> tuple[BoardState, Mapping[str, Any], Mapping[str, str]]:
    """What the page of the address gives its board, and its other parts as markup."""
    drawn: list[tuple[BoardState, Mapping[str, Any]]] = []
    parts: dict[str, str] = {}
    monkeypatch.setattr(seat_view, "board", lambda state, **given: drawn.append((state, given)))
    monkeypatch.setattr(
        seat_view, "show_part", lambda visit, markup, key, do: parts.update({key: markup})
    )
    # Without a page Streamlit leaves out what draws itself.
    vars(seat_view)["_page"].__wrapped__(visit, table.game.id, table.number)
    return *(drawn or [(BoardState(Kingdom.parse("c")), {})])[-1], parts


def test_the_board_begins_as_it_was_asked_to_and_a_notice_is_said_once(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = read_table(store, visit)
    table = table.with_rules(KeptRules(Rules(court=True)))
    seat = table.seats[0]
    table = table.with_square(seat, (0, 0), Kingdom.parse("m2")[0, 0])
    visit.page_state["notice", _key(table, seat)] = "Das geht nicht."
    visit.page_state["corners"] = {(table.game.id, seat.key)}
    state, given, _ = page_of(visit, table, monkeypatch)
    assert (state.notice, state.court) == ("Das geht nicht.", True)
    assert (state.sets_corners, state.paints) == (True, False)
    (step,) = given["earlier"]()
    assert str(step.after.kingdom) == "m2 w/c f"
    visit.page_state["corners"] = set()
    state, *_ = page_of(visit, table.with_rules(KeptRules()), monkeypatch)
    assert (state.notice, state.court, state.sets_corners) == (None, False, False)


def test_what_is_painted_is_of_the_seat_of_the_address(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = read_table(store, visit)
    table = table.with_player("Ben")
    table = table.begun_by_hand(table.seats[1])
    visit.parameters = {"game": table.game.id, "seat": "2"}
    state, given, _ = page_of(visit, table, monkeypatch)
    assert (state.title, state.paints) == ("Ben", True)
    change = set_by("phone00001", table, "m2")
    given["on_change"](replace(change, base=table.seats[1].revision))
    anna, ben = table.again().seats
    assert anna.board == table.seats[0].board
    assert ben.board is not None
    assert str(ben.board.kingdom[0, 0]) == "m2"


def test_a_game_opens_where_a_kingdom_is_missing(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    table = table.with_player("Ben").with_player("Cleo")
    for text, name in (("", "Ben"), ("1", "Anna"), ("3", "Cleo"), ("9", "Ben"), ("x", "Ben")):
        visit.parameters = {"seat": text}
        seat = _chosen(visit, table)
        assert seat is not None
        assert seat.player.name == name


def test_the_photo_of_an_empty_seat_is_that_player_s_and_of_a_new_one_a_newcomer_s(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = read_table(store, visit)
    table = replace(table.with_player("Ben").with_rules(KeptRules(dynasty=True)), number=3)
    for seat, photo in (("2", "seat:1"), ("new", "seat:new")):
        visit.parameters = {"game": table.game.id, "seat": seat}
        *_, parts = page_of(visit, table, monkeypatch)
        assert f'data-photo="{photo}"' in parts["empty"]
        assert 'data-do="by-hand" data-value="2"' in parts["empty"]
        assert visit.say("rules.game_of_dynasty", number=3) in parts["head"]


def test_what_is_due_next_is_the_large_one(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit)
    due = re.compile(r'class="button main"[^>]*>.*?(?:data-photo="([^"]*)"|$)')

    def following(table: Table) -> tuple[list[str], bool]:
        steps = _next_steps(visit, table, table.seats[0])
        assert 'data-photo="seat:0"' in steps  # Anna's once more.
        result = re.search(r'view=result"[^>]*class="([^"]*)"', steps)
        assert result is not None
        return due.findall(steps.partition("</a>")[0]), result[1] == "button main"

    assert following(table) == ([""], False)
    table = table.with_player("Ben")
    assert following(table) == (["seat:1"], False)
    table = table.begun_by_hand(table.seats[1])
    assert following(table)[1]


def test_a_second_tap_by_hand_leaves_what_was_entered_meanwhile(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Visit, "go", lambda self, **where: None)
    table = new_table(store, visit.actor).with_player("Anna")
    _act(visit, table, table.seats[0], Act("by-hand"))
    entered = KeptBoard(Kingdom.parse("c w1 w"))
    table.again().with_board(table.again().seats[0], entered, "paint")
    _act(visit, table, table.seats[0], Act("by-hand"))
    assert table.again().seats[0].board == entered
