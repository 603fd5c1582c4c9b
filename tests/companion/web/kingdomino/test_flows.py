"""From page to page: by hand, a new seat, who is who, the games of a Dynasty, quick taps."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NoReturn

import pytest
import streamlit

from companion.games.kingdomino.kept_board import Frame, KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KeptRules
from companion.games.kingdomino.table import Table, is_winner_open, new_table
from companion.store import Actor, Player, Store
from companion.store.history import delete_game, find_games, statistics_by_player
from companion.web.kingdomino import pages, photos, result_view, seat_view
from companion.web.kingdomino.board import Action, BoardChange, ChangeKind
from companion.web.kingdomino.board_changes import is_untouched, own_steps
from companion.web.kingdomino.pages import PAGES
from companion.web.kingdomino.parts import kingdom_crop
from companion.web.kingdomino.photos import (
    _act_on_owner,
    act_on_names,
    nameless,
    photos_for_table,
    who_markup,
)
from companion.web.kingdomino.players_view import _act as _act_on_players
from companion.web.kingdomino.result_view import bars_markup, pad_rows, result_markup
from companion.web.kingdomino.seat_view import (
    begun_by_hand,
    collisions_markup,
    oddities_markup,
    untouched_table,
)
from companion.web.parts import deleted_games, game_list
from companion.web.routes import _copy
from companion.web.shell import Act
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Rules, Square
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from tests.companion.web.test_shared_state import jpeg


@pytest.fixture(autouse=True)
def address_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that are left for others, without a browser."""

    def go(visit: Visit, **parameters: str | int | None) -> None:
        visit.parameters = {name: str(value) for name, value in parameters.items() if value}

    monkeypatch.setattr(Visit, "go", go)


class EndOfTheRun(Exception):
    """Streamlit ends a run by an exception."""


@pytest.mark.parametrize("part", [seat_view._page, result_view._top])
def test_who_was_led_away_by_a_part_of_the_page_gets_the_whole_page(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, part: Any
) -> None:
    def draw_again() -> NoReturn:
        raise EndOfTheRun

    monkeypatch.setattr(streamlit, "rerun", draw_again)
    visit.notify("Something was refused.")
    with pytest.raises(EndOfTheRun):
        part.__wrapped__(visit, "a game", 1)
    assert not visit.moved


def test_by_hand_begins_with_the_castle_and_the_brush(store: Store, visit: Visit) -> None:
    table = begun_by_hand(visit)
    seat = table.seats[0]
    assert seat.board is not None
    assert seat.board.kingdom == Kingdom.empty(5, 5).replace({(2, 2): Kingdom.parse("c")[0, 0]})
    assert is_untouched(seat.board)
    assert oddities_markup(visit, table, seat, None) is None


def test_a_second_quick_tap_makes_no_second_game(store: Store, visit: Visit) -> None:
    table = begun_by_hand(visit)
    again = untouched_table(visit)
    assert again is not None
    assert again.game.id == table.game.id
    table.with_board(table.seats[0], KeptBoard(Kingdom.parse("c w1")), "paint")
    assert untouched_table(visit) is None


def test_the_duel_has_a_large_grid_though_a_small_one_is_there(visit: Visit) -> None:
    table = begun_by_hand(visit)
    _act_on_players(visit, table, Act("mighty_duel", "true"))
    board = table.again().seats[0].board
    assert board is not None
    assert (board.kingdom.height, board.kingdom.width) == (7, 7)


def test_a_new_seat_comes_with_its_kingdom_and_once(visit: Visit, table: Table) -> None:
    table = table.with_players(list(table.game.players[:3]))
    visit.parameters = {"seat": "new"}
    assert seat_view._chosen(visit, table) is None
    for _ in range(2):
        seat_view._act(visit, table, None, Act("by-hand", "3"))
    assert len(table.again().seats) == 4
    assert table.again().seats[3].board is not None


def test_without_those_who_have_none_there_is_a_winner(
    store: Store, visit: Visit, table: Table
) -> None:
    table = table.with_board(table.seats[3], None, "leave")
    assert not table.game.results.complete
    assert "without" in result_markup(visit, table)
    assert statistics_by_player(store, "kingdomino") == []
    result_view._act(visit, table, Act("without"))
    assert table.again().game.results.complete
    assert len(statistics_by_player(store, "kingdomino")) == 3
    assert visit.undo is not None
    visit.undo()
    assert len(table.again().seats) == 4


def test_all_places_and_bars_for_any_number_of_players(visit: Visit, table: Table) -> None:
    for count in (2, 3, 4):
        some = table.again().with_players(list(table.game.players[:count]))
        markup = result_markup(visit, some)
        assert markup.count('class="place"') == count
        bars = bars_markup(visit, some, pad_rows(some, visit.language))
        assert bars is not None
        assert bars.count('class="who"') == count
        for seat in some.seats:
            assert f"<strong>{seat.total}</strong>" in bars


def test_each_game_of_a_dynasty_leads_to_the_next(visit: Visit, table: Table) -> None:
    table = table.with_rules(KeptRules(Rules(), dynasty=True))
    markup = result_markup(visit, table)
    assert "Partie 2 beginnen" in markup
    assert "vorn: 21 Punkte" in markup
    assert "Das passt nicht zusammen" not in markup
    result_view._act(visit, table, Act("again"))
    assert visit.parameters == {"game": table.game.id, "number": "2"}


def test_two_quick_taps_begin_one_next_game(store: Store, visit: Visit, table: Table) -> None:
    for _ in range(2):
        result_view._act(visit, table, Act("again"))
    assert len(find_games(store, device=visit.device)) == 2


@pytest.mark.parametrize("then", ["played", "deleted"])
def test_who_plays_again_later_begins_one_more_game(
    store: Store, visit: Visit, table: Table, then: str
) -> None:
    """Not the one that was begun from there before, which was played or deleted meanwhile."""
    result_view._act(visit, table, Act("again"))
    before = Table(store, visit.actor, store.game(visit.game_id))
    if then == "played":
        before.with_board(before.seats[0], KeptBoard(Kingdom.parse("c w1")), "set")
    else:
        delete_game(store, before.game.id, visit.actor)
    result_view._act(visit, table, Act("again"))
    assert visit.game_id not in (table.game.id, before.game.id)
    assert store.game(visit.game_id).players == table.game.players


@pytest.mark.parametrize("newcomers", [[], ["Eva"]])
def test_the_next_game_has_the_same_people_and_rules(
    store: Store, visit: Visit, table: Table, newcomers: list[str]
) -> None:
    """Also where five play, whom only the expansion lets; and after the last of a Dynasty."""
    table = table.with_rules(KeptRules(Rules(age_of_giants=True, court=True), dynasty=True))
    for name in newcomers:
        table = table.with_player(name)
    result_view._act(visit, replace(table, number=3), Act("again"))
    fresh = Table(store, visit.actor, store.game(visit.game_id))
    assert fresh.game.id != table.game.id
    assert (fresh.game.players, fresh.rules) == (table.game.players, table.rules)


READING = kingdom_reading("w1 w/c f")


def read_table(store: Store, visit: Visit, names: list[str]) -> tuple[Table, str]:
    table = new_table(store, Actor(visit.device))
    table = table.with_players([Player(number, name) for number, name in enumerate(names)])
    kept = KeptReading(READING, "a-photo-of-the-table", 640, 480)
    reading = store.keep_reading(table.game.id, kept.to_data())
    for seat in table.seats:
        table = table.with_reading(seat, reading, kept)
    return table, reading


def test_who_is_who_is_asked_of_those_whom_nobody_has_named(store: Store, visit: Visit) -> None:
    earlier = new_table(store, visit.actor).with_player("Opa Jürgen")
    table, _ = read_table(store, visit, ["Rosa", "Anna"])
    assert [seat.player.name for seat in nameless(table)] == ["Rosa"]
    markup = who_markup(visit, table, {})
    assert 'data-value="0|Opa Jürgen"' in markup
    assert 'data-value="0" data-again' in markup
    assert 'data-value="1" data-again' not in markup
    assert visit.say("who.skip") in markup
    on = r'href="([^"]*)" data-go class="button main"'
    assert re.findall(on, markup) == [f"?game={table.game.id}&amp;view=result"]
    act_on_names(visit, table, Act("is", "0|Opa Jürgen"))
    table = table.again()
    assert [seat.player.name for seat in table.seats] == ["Opa Jürgen", "Anna"]
    assert nameless(table) == []
    assert visit.say("who.skip") not in who_markup(visit, table, {})
    unsure = KeptReading(kingdom_reading("w1 w/c f", {(1, 1): "l"}))
    reading = store.keep_reading(table.game.id, unsure.to_data())
    doubtful = table.with_reading(table.seats[1], reading, unsure)
    markup = who_markup(visit, doubtful, {})
    assert re.findall(on, markup) == [f"?game={table.game.id}&amp;seat=2"]
    assert earlier.game.id != table.game.id


def test_a_kingdom_is_shown_as_it_was_photographed(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = KeptReading(READING, "a-photo-of-the-table", 640, 480)
    assert kingdom_crop(visit, kept, "Anna") is None
    monkeypatch.setattr(visit.photos, "get", lambda name: name)
    crop = kingdom_crop(visit, kept, "Anna")
    assert crop is not None
    assert 'href="photo/a-photo-of-the-table"' in crop
    # Its squares are of 40 pixels from (10, 20) on, and around them is a little of the table.
    row = replace(kept, reading=kingdom_reading("c w w1"))
    for size, box in (
        ((640, 480), "0 8 142 64"),
        ((100, 480), "0 8 100 64"),
        ((640, 50), "0 8 142 42"),
    ):
        width, height = size
        there = kingdom_crop(visit, replace(row, width=width, height=height), "Anna")
        assert f'viewBox="{box}"' in str(there)


@pytest.mark.parametrize("by_notice", [True, False])
def test_corners_are_taken_back_with_the_frame_that_was_there(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch, *, by_notice: bool
) -> None:
    table, reading = read_table(store, visit, ["Anna"])
    before = table.seats[0].board
    fresh = KeptReading(kingdom_reading("c w w1"), "a-photo-of-the-table", 640, 480)
    fresh_id = store.keep_reading(table.game.id, fresh.to_data())
    monkeypatch.setattr(seat_view, "read_again", lambda *_: (fresh_id, fresh))
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    change = BoardChange(
        "aphoneofthistest",
        1,
        table.seats[0].revision,
        Kingdom.parse("w1 w/c f"),
        frozenset(),
        Frame(),
        (),
        corners,
        (2, 2),
    )
    seat_view._keep(visit, table, 0, change)
    now = table.again().seats[0].board
    assert now is not None
    assert now.reading == fresh_id
    if by_notice:
        assert visit.undo is not None
        visit.undo()
    else:
        number = table.again().game.part("board:1:0").sequence
        (step,) = own_steps(store, table.game.id, "board:1:0", number, visit.device)
        action = Action(2, ChangeKind.UNDO, change=step.change)
        back = replace(
            change,
            seq=2,
            base=number,
            actions=(action,),
            corners=None,
            grid=None,
            kingdom=now.kingdom,
        )
        for _ in range(2):  # A message comes twice where its answer was lost.
            assert seat_view._keep(visit, table.again(), 0, back) is None
    after = table.again().seats[0].board
    assert after == before
    assert after is not None
    assert after.reading == reading
    assert table.again().game.part("board:1:0").sequence == 3


def test_after_the_question_the_board_of_that_kingdom_is_shown(store: Store, visit: Visit) -> None:
    table, reading = read_table(store, visit, ["Anna", "Ben"])
    before = table.seats[1].board
    other = KeptReading(kingdom_reading("c w w1"), "another-photo", 640, 480)
    reading = store.keep_reading(table.game.id, other.to_data())
    _act_on_owner(visit, table, [reading], Act("whose", "1"))
    assert visit.parameters["seat"] == "2"
    # The one that it had is replaced, and comes back.
    assert visit.undo is not None
    visit.undo()
    assert table.again().seats[1].board == before


def test_whose_a_kingdom_is_may_be_anybody_s_who_has_a_seat(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit, ["Anna"])
    table = table.with_rules(KeptRules(Rules(age_of_giants=True))).with_player("Ben")
    kept = KeptReading(READING, "a-photo-of-the-table", 640, 480)
    question = photos._owner_question(visit, table, kept)
    said = re.findall(r'data-value="(\w+)"[^>]*>(?:<span.*?</span>)?([^<]*)', question)
    replaced = visit.say("whose.replace", name="Anna")
    assert said[:3] == [("0", replaced), ("1", "Ben"), ("new", visit.say("whose.new"))]
    for name in ("Cleo", "Dora", "Eva"):
        table = table.with_player(name)
    assert 'data-value="new"' not in photos._owner_question(visit, table, kept)


def test_many_warnings_are_one_line(store: Store, visit: Visit) -> None:
    warnings = ("cut_off", "hidden", "blurred", "dark", "glare", "grey", "beside")
    kept = KeptReading(replace(READING, warnings=warnings), "photo", 640, 480)
    table, _ = read_table(store, visit, ["Anna"])
    markup = oddities_markup(visit, table, table.seats[0], kept)
    assert markup is not None
    before, _, folded = markup.partition("<details")
    assert before.count("<li") == 1
    assert folded.count("<li") >= 6
    assert re.search(r"Noch \d Hinweise", folded)


def test_a_question_about_a_square_lies_over_every_sheet(store: Store, visit: Visit) -> None:
    table, _ = read_table(store, visit, ["Anna"])
    assert collisions_markup(visit, table, table.seats[0]) is None
    board = KeptBoard(Kingdom.parse("w1 w/c f"), corrected=frozenset({(0, 0)}))
    for notation in ("f", "m"):
        changed = replace(board, kingdom=Kingdom.parse(f"{notation} w/c f"))
        table.with_board(table.seats[0], changed, "set")
    asked = collisions_markup(visit, table.again(), table.again().seats[0])
    assert asked is not None
    assert "asked" in asked
    assert asked.count("settle-kept") == 1


def test_no_winner_is_named_in_a_list_while_a_doubt_could_change_it(
    store: Store, visit: Visit
) -> None:
    """Anna has two points, or five with the crown that may be on her field; Ben has three."""
    table = new_table(store, Actor(visit.device))
    for name, kingdom, doubts in (
        ("Anna", "w1 w/c f", {(0, 1): "w3", (1, 1): "l"}),
        ("Ben", "l1 l l/c . .", {}),
    ):
        table = table.with_player(name)
        kept = KeptReading(kingdom_reading(kingdom, doubts))
        reading = store.keep_reading(table.game.id, kept.to_data())
        table = table.with_reading(table.seats[-1], reading, kept)
    assert is_winner_open(store, table.game.id)

    def told() -> list[str]:
        """In the list, where it is deleted, and in the copy that a phone keeps, with its card."""
        (game,) = find_games(store, device=visit.device)
        copy = _copy(visit.shared, game.id, visit.device, visit.language)
        lists = game_list(visit, [game], [PAGES]), deleted_games(visit, [game], [PAGES])
        return [*map(str, lists), f"{copy['said']} {copy['card']}"]

    assert all("Ben und Anna, Sieg noch offen" in each for each in told())
    assert "card/" not in told()[-1]
    table.with_square(table.seats[0], (0, 1), Square.parse("w"))
    assert not is_winner_open(store, table.game.id)
    assert not any("offen" in each for each in told())
    assert "card/" in told()[-1]


def test_what_is_done_in_a_later_game_of_a_dynasty_stays_in_it(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = read_table(store, visit, ["Anna", "Ben", "Cleo"])
    table = replace(table.with_rules(KeptRules(dynasty=True)), number=2)
    seat_view._act(visit, table, table.seats[0], Act("by-hand"))
    assert visit.parameters == {"game": table.game.id, "seat": "1", "number": "2"}
    monkeypatch.setattr(photos, "read_cached", lambda *_, **how: photo_reading(READING))
    name = visit.photos.put(jpeg(), visit.device).id
    photos_for_table(visit, table.again(), [name], 1)
    assert visit.parameters == {"game": table.game.id, "seat": "2", "number": "2"}
    photos_for_table(visit, table.again(), [name], None)
    assert (visit.view, visit.parameters["number"]) == ("whose", "2")
    waiting = visit.parameters["readings"].split()
    _act_on_owner(visit, table, [*waiting, *waiting], Act("whose", "nobody"))
    assert (visit.view, visit.parameters["number"]) == ("whose", "2")
    _act_on_owner(visit, table, waiting, Act("whose", "2"))
    assert visit.parameters == {"game": table.game.id, "seat": "3", "number": "2"}
    assert all(seat.board is not None for seat in table.again().seats)


def test_a_kingdom_that_another_photo_replaced_comes_back_with_all_that_it_had(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the colour that the player took from the castle of the new photo."""
    table, _ = read_table(store, visit, ["Anna", "Ben"])
    before = table.again()
    blue = replace(kingdom_reading("c w w1"), castle_colour="blue")
    monkeypatch.setattr(photos, "read_cached", lambda *_, **how: photo_reading(blue))
    photos_for_table(visit, before, [visit.photos.put(jpeg(), visit.device).id], 0)
    assert table.again().game.players[0].colour == "blue"
    assert visit.undo is not None
    visit.undo()
    after = table.again()
    assert after.game.players == before.game.players
    assert after.seats[0].board == before.seats[0].board


def test_of_several_kingdoms_of_a_photo_the_first_in_doubt_is_shown(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = new_table(store, visit.actor)
    table = table.with_players([Player(0, "Anna", "pink"), Player(1, "Ben", "blue")])
    sure = replace(READING, castle_colour="pink")
    unsure = replace(kingdom_reading("c w w1", {(0, 1): "l"}, left=300), castle_colour="blue")
    monkeypatch.setattr(photos, "read_cached", lambda *_, **how: photo_reading(sure, unsure))
    photos_for_table(visit, table, [visit.photos.put(jpeg(), visit.device).id], None)
    assert visit.parameters == {"game": table.game.id, "seat": "2"}


def test_where_the_photos_lead_that_were_read(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who several new players are is asked; the winner is shown once all is there and sure."""

    def read(*kingdoms: str, doubts: dict[tuple[int, int], str] | None = None) -> dict[str, str]:
        found = [
            replace(kingdom_reading(text, doubts, left=10 + 300 * number), castle_colour=colour)
            for number, (text, colour) in enumerate(each.split("|") for each in kingdoms)
        ]
        monkeypatch.setattr(photos, "read_cached", lambda *_, **how: photo_reading(*found))
        table = Table(store, visit.actor, store.game(game)) if game else None
        photos_for_table(visit, table, [visit.photos.put(jpeg(), visit.device).id], None)
        return {name: each for name, each in visit.parameters.items() if name != "game"}

    game = ""
    assert read("c w w1|pink", "c l l1|blue") == {"view": "who"}
    game = visit.game_id
    # One more newcomer is named on the page of the players; whoever sat there is not asked again.
    assert read("c m m1|green") == {"seat": "3"}
    table = new_table(store, visit.actor)
    colours = ("pink", "blue", "green")
    named = [Player(number, f"P{number}", colour) for number, colour in enumerate(colours)]
    game = table.with_players(named).game.id
    assert read("c w w1|pink", "c l l1|blue") == {"seat": "1"}
    assert read("c m m1|green") == {"seat": "3"}
    for doubts, shown in ((None, {"view": "result"}), ({(0, 1): "f"}, {"seat": "1"})):
        game = new_table(store, visit.actor).with_players(named[:2]).game.id
        assert read("c w w1|pink", "c l l1|blue", doubts=doubts) == shown


def test_a_page_is_of_the_game_of_a_dynasty_that_its_address_names(
    visit: Visit, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, int]] = []
    for name in ("show_seat", "show_result", "show_players", "show_who", "show_whose"):
        monkeypatch.setattr(
            pages, name, lambda visit, table, name=name: shown.append((name, table.number))
        )
    for view, number in (("", "3"), ("result", "2"), ("players", "4"), ("who", ""), ("whose", "1")):
        visit.parameters = {"game": table.game.id, "view": view, "number": number}
        pages.show_game(visit, table.game)
    assert shown == [
        ("show_seat", 3),
        ("show_result", 2),
        ("show_players", 1),
        ("show_who", 1),
        ("show_whose", 1),
    ]


def test_of_kingdoms_that_are_to_be_asked_about_those_are_that_the_game_has_and_no_seat(
    store: Store, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seated = read_table(store, visit, ["Anna"])
    reading = store.keep_reading(table.game.id, KeptReading(READING).to_data())
    drawn: list[str] = []
    monkeypatch.setattr(photos, "show_part", lambda visit, markup, *_: drawn.append(markup))
    monkeypatch.setattr(photos, "rerun_on_changes", lambda *_: None)
    for readings, is_asked in (
        (f"gone {reading}", True),
        (f"{seated} {reading}", True),
        ("gone", False),
        (seated, False),
    ):
        visit.parameters = {"game": table.game.id, "view": "whose", "readings": readings}
        photos.show_whose(visit, table)
        assert ('data-do="whose"' in drawn[-1]) == is_asked
        # Nobody is left on an empty page, as after the way back to one that was answered.
        assert (visit.say("who.on") in drawn[-1]) != is_asked
