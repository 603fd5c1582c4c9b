"""The board of a seat: its photo or its tiles, its points, and what is worth a look."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from companion.games.kingdomino.kept_board import KeptBoard, place_of_leaf
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO
from companion.games.kingdomino.table import MAX_PLAYERS, Seat, Table, new_table
from companion.games.kingdomino.texts import names_of_newcomers
from companion.store import Change, Collision, Outcome, StoreError, new_id
from companion.store.history import find_games
from companion.web.kingdomino.board import BoardChange, board, board_words
from companion.web.kingdomino.board_changes import (
    board_state,
    confirm_change,
    is_untouched,
    kept_board,
    own_steps,
)
from companion.web.kingdomino.kept_view import (
    act_on_kept,
    kept_chips,
    kept_foot,
    kept_head,
    take_named,
)
from companion.web.kingdomino.parts import (
    NEW_SEAT,
    choice_markup,
    choose_square,
    conflict_lines,
    head,
    kingdom_picture,
    label_of,
    number_parameter,
    photo_button,
    seat_problems,
    seat_strip,
)
from companion.web.kingdomino.photos import ANOTHER, take_photos
from companion.web.kingdomino.readings import keep_squares_later, read_again, reading_with_next_best
from companion.web.parts import answered, count_of_points, refusal, show_part, spoken
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, show_markup, tag
from companion.web.shell.bridge import component_key
from companion.web.visit import Visit, address, or_say_unreachable, rerun_on_changes
from scorer.kingdomino import Square


def another_photo_markup(visit: Visit, seat: Seat, kept: KeptReading | None) -> Markup | None:
    """Another photo offered where one left squares open."""
    if kept is None or kept.reading.probabilities is None or not seat.doubts:
        return None
    words = tag("p", visit.say("seat.another_why"), class_="grow")
    value = f"{ANOTHER}{seat.player.id}"
    take = photo_button(visit, visit.say("seat.another"), "", value=value, many=False)
    return tag("div", words, take, class_="notice")


def next_best_markup(
    visit: Visit, table: Table, seat: Seat, kept: KeptReading | None
) -> Markup | None:
    """Another reading of the same photo, offered where the grid is not certain."""
    if kept is None or kept.reading.lattice_certain:
        return None
    words = tag("p", visit.say("seat.lattice"))
    other = kept.reading.next_best
    if other is None:
        return tag("div", words, class_="notice")
    points = table.score_of(other.kingdom, seat.player.id).points
    offer = visit.say(
        "seat.next_best",
        height=other.kingdom.height,
        width=other.kingdom.width,
        points=count_of_points(points, visit.language),
    )
    take = act_button("next-best", visit.say("seat.take_next_best"))
    return tag("div", tag("div", words, tag("p", offer), class_="grow"), take, class_="notice")


def oddities_markup(
    visit: Visit, table: Table, seat: Seat, kept: KeptReading | None
) -> Markup | None:
    """What is worth a look: the first in a line, the others folded behind it."""
    lines = conflict_lines(table, seat, visit.language) + seat_problems(table, seat, visit.language)
    lines = [*_warnings(visit, kept), *lines]
    if not lines:
        return None
    first, *more = [tag("li", icon("warning"), tag("span", line)) for line in lines]
    shown = tag("ul", first, class_="problems")
    if not more:
        return tag("section", shown, class_="card")
    summary = tag("summary", visit.say("seat.odd_more", count=len(more)))
    folded = tag("details", summary, tag("ul", *more, class_="problems"), data_key="odd")
    return tag("section", shown, folded, class_="card")


def _warnings(visit: Visit, kept: KeptReading | None) -> list[str]:
    """What the reader says of the kingdom and of its photo, with what to do about it."""
    if kept is None:
        return []
    codes = dict.fromkeys([*kept.reading.warnings, *kept.warnings])
    return list(dict.fromkeys(_warning(visit, code) for code in codes))


def _warning(visit: Visit, code: str) -> str:
    try:
        return visit.say(f"warning.{code}")
    except KeyError:
        return visit.say("warning.unclear")


def take_next_best(table: Table, seat: Seat) -> None:
    """Take the reading that is next best."""
    assert seat.board is not None
    kept = table.readings.get(seat.board.reading or "")
    other = reading_with_next_best(kept.reading) if kept else None
    if kept is not None and other is not None:
        fresh = replace(kept, reading=other)
        reading_id = table.store.keep_reading(table.game.id, fresh.to_data())
        table.with_board(seat, KeptBoard.of_reading(other, reading_id), "next_best")


def asked_markup(visit: Visit, table: Table) -> Markup | None:
    """Squares where the box says otherwise because of what people set: which is right?"""
    lines = [
        choice_markup(visit, table, seat, place, (seat.board.kingdom[place], says))
        for seat in table.seats
        if seat.board is not None
        for place, says in sorted(seat.asked.items())
    ]
    if not lines:
        return None
    heading = tag("h2", visit.say("seat.box_says"), class_="minor")
    return tag("section", heading, *lines, class_="card stack")


def collisions_markup(visit: Visit, table: Table, seat: Seat) -> Markup | None:
    """Places that two people set differently: which is right?"""
    found = [each for each in table.collisions if each.part == seat.key]
    if not found:
        return None
    heading = tag("h2", visit.say("seat.collision"), class_="minor")
    # One at a time, over whatever sheet is open.
    return tag("section", heading, _collision(visit, seat, found[0]), class_="card stack asked")


def _collision(visit: Visit, seat: Seat, collision: Collision) -> Markup:
    if collision.leaf:
        kept = label_of(collision.kept, visit.language)
        other = label_of(collision.other, visit.language)
    else:
        kept, other = visit.say("seat.collision_keep"), visit.say("seat.collision_other")
    value = f"{collision.sequence}|{collision.leaf}"
    buttons = [
        act_button(f"settle-{which}", words, value=value)
        for which, words in (("kept", kept), ("other", other))
    ]
    if not collision.leaf:
        said = tag("p", visit.say("seat.collision_board"))
        return tag("div", said, *buttons, class_="row")
    where = tag("div", _where(visit, seat, collision.leaf), class_="where")
    return tag("div", where, tag("div", *buttons, class_="stack grow"), class_="row")


def _where(visit: Visit, seat: Seat, leaf: str) -> Markup | None:
    """The kingdom with that square bright; None where it is not in it any more."""
    if seat.board is None:
        return None
    place = place_of_leaf(seat.board, leaf)
    if place is None:
        return None
    return kingdom_picture(seat.board.kingdom, visit.say("seat.collision_where"), lit={place})


def settle_collision(table: Table, seat: Seat, act: Act) -> None:
    """One of two values is right; the collision is settled by saying so."""
    sequence, _, leaf = act.value.partition("|")
    found = [
        each
        for each in table.collisions
        if each.part == seat.key and str(each.sequence) == sequence and each.leaf == leaf
    ]
    if not found or seat.board is None:
        return
    value = table.game.part(seat.key).value
    if act.do == "settle-other":
        value = found[0].other if not leaf else _with_leaf(seat.board, leaf, found[0].other)
    settles = ((found[0].sequence, leaf),)
    change = Change(seat.key, value, seat.revision, new_id(), "settle_collision", settles)
    table.store.change(table.game.id, change, table.actor)


def _with_leaf(kept: KeptBoard, leaf: str, notation: object) -> object:
    place = place_of_leaf(kept, leaf)
    if place is None:
        return kept.to_data()
    square = Square.parse(str(notation))
    changed = replace(
        kept,
        kingdom=kept.kingdom.replace({place: square}),
        corrected=kept.corrected | {place},
        doubtful=kept.doubtful - {place},
        insisted=kept.insisted - {place},
    )
    return changed.to_data()


def begun_by_hand(visit: Visit) -> Table:
    """A new game with one player, whose kingdom is entered by hand."""
    table = _with_newcomer(visit, new_table(visit.store, visit.actor))
    return table.begun_by_hand(table.seats[0])


def untouched_table(visit: Visit) -> Table | None:
    """The last game of this device, if nothing but its first castle is in it yet."""
    kind = KINGDOMINO.key
    for found in find_games(visit.store, device=visit.device, kind=kind, limit=1):
        table = Table(visit.store, visit.actor, visit.store.game(found.id))
        if len(table.seats) == 1 and is_untouched(table.seats[0].board):
            return table
    return None


def show_seat(visit: Visit, table: Table) -> None:
    """The page of a seat, or of the first one that has no kingdom yet."""
    _page(visit, table.game.id, table.number)
    rerun_on_changes(visit, table.game)


@st.fragment
@or_say_unreachable
def _page(visit: Visit, game_id: str, number: int) -> None:
    """Drawn again after every change of the board, with the points of all seats."""
    visit.catch_up()
    table = Table(visit.store, visit.actor, visit.store.game(game_id), number)
    seat = _chosen(visit, table)
    _show_head(visit, table, seat)
    if seat is None or seat.board is None:
        _show_empty(visit, table, seat)
        return
    readings = table.readings
    kept = readings.get(seat.board.reading or "")
    corners = visit.page_state.get("corners", set())
    asks = (table.game.id, seat.key) in corners
    key = _key(table, seat)
    notice = visit.page_state.pop(("notice", key), None)
    court = table.rules.rules.court
    state = replace(
        board_state(visit, seat, kept, notice, court=court),
        sets_corners=asks,
        paints=is_untouched(seat.board),
    )
    board(
        state,
        key=key,
        words=board_words(visit.language),
        on_change=partial(_answer_change, visit, table, seat.player.id),
        earlier=partial(
            own_steps, table.store, table.game.id, seat.key, seat.revision, visit.device
        ),
    )
    _show_foot(visit, table, seat, kept)


def _chosen(visit: Visit, table: Table) -> Seat | None:
    text = visit.parameters.get("seat", "")
    if text == NEW_SEAT and len(table.seats) < MAX_PLAYERS:
        return None
    named = table.seat(int(text) - 1) if text.isdecimal() and len(text) < 3 else None
    first = table.seats[0] if table.seats else None
    return named or table.next_empty() or first


def _key(table: Table, seat: Seat) -> str:
    return component_key("board", table.game.id, seat.number, seat.player.id)


def _show_head(visit: Visit, table: Table, seat: Seat | None) -> None:
    if table.game.kept:
        show_markup(kept_head(visit), key="head")
        return
    chosen = seat.player.id if seat else None
    title = "Kingdomino"
    if table.rules.dynasty:
        title = visit.say("rules.game_of_dynasty", number=table.number)
    strip = seat_strip(visit, table, chosen)
    asked = collisions_markup(visit, table, seat) if seat else None
    show_part(
        visit,
        joined(head(visit, table, title), strip, asked, answered(visit)),
        "head",
        partial(_act, visit, table, seat),
    )


def _show_empty(visit: Visit, table: Table, seat: Seat | None) -> None:
    """No kingdom yet: its photo, or by hand."""
    value = f"seat:{seat.player.id}" if seat else f"seat:{NEW_SEAT}"
    words = visit.say("seat.photo", name=seat.player.name) if seat else visit.say("seat.photo_next")
    take = photo_button(visit, words, "main big", value=value, large=True)
    by_hand = act_button(
        "by-hand", icon("hand"), visit.say("seat.by_hand"), value=len(table.seats), look="middle"
    )
    show_part(
        visit,
        tag("div", take, by_hand, kept_chips(visit), class_="stack narrow"),
        "empty",
        partial(_act, visit, table, seat),
    )


def _answer_change(visit: Visit, table: Table, player: int, change: BoardChange) -> None:
    """Keep what was done on the board; what there is to say about it is said on the board."""
    visit.drop_refusal()
    table = table.again()
    seat = table.seat(player)
    if seat is None or seat.board is None:
        return
    visit.page_state.get("corners", set()).discard((table.game.id, seat.key))
    visit.page_state["notice", _key(table, seat)] = _keep(visit, table, player, change)


def _keep(visit: Visit, table: Table, player: int, change: BoardChange) -> str | None:
    """Bring a change into the store; what to say about it, if anything."""
    seat = table.seat(player)
    if seat is None:
        return None
    before = seat.board
    if change.corners is not None and change.grid is not None:
        fresh = read_again(visit, table, seat, change.corners, change.grid)
        if fresh is None:
            return visit.say("seat.no_grid")
        reading_id, kept = fresh
        new = KeptBoard.of_reading(kept.reading, reading_id)
        anew = table.with_board(seat, new, "corners")

        def back() -> None:
            anew.undone(*anew.made[-1:])

        visit.notify(visit.say("seat.read_again", name=seat.player.name), back)
        return None
    undone = next((each.change for each in change.actions if each.change is not None), None)
    try:
        name = f"{change.client}.{change.seq}.back"
        if undone is not None and table.is_confirmed(name):
            return None
        read = table.readings.get(before.reading or "") if before else None
        sent = kept_board(change, before, read)
        if undone is None or sent != before:
            confirmed = confirm_change(
                table.store, table.game.id, seat.key, change, sent, table.actor
            )
        if undone is not None:
            confirmed = table.take_back(undone, change_id=name)
    except StoreError as error:
        return refusal(error, visit)
    if before is not None and sent.corrected != before.corrected and visit.keep_squares:
        keep_squares_later(visit, table.game.id, sent)
    if confirmed.outcome is Outcome.COLLIDED:
        return visit.say("seat.collision")
    return visit.say("game.others_changed") if confirmed.outcome is Outcome.MERGED else None


def _show_foot(visit: Visit, table: Table, seat: Seat, kept: KeptReading | None) -> None:
    parts = [
        another_photo_markup(visit, seat, kept),
        asked_markup(visit, table),
        next_best_markup(visit, table, seat, kept),
        oddities_markup(visit, table, seat, kept),
        kept_foot(visit, table, seat) if table.game.kept else _next_steps(visit, table, seat),
    ]
    show_part(visit, tag("div", *parts, class_="stack"), "foot", partial(_act, visit, table, seat))


def _next_steps(visit: Visit, table: Table, seat: Seat) -> Markup:
    """The next kingdom or the result: the one that is due is the large one."""
    waiting = table.next_empty()
    number = number_parameter(table)
    result = go_link(
        address(game=table.game.id, view="result", number=number),
        icon("trophy"),
        visit.say("seat.result"),
        look="button" + ("" if waiting or len(table.seats) < 2 else " main"),
    )
    if waiting is not None:
        name = waiting.player.name
        words = spoken(visit.say("seat.photo", name=name), name, "short")
        following = photo_button(visit, words, "main", value=f"seat:{waiting.player.id}")
    elif len(table.seats) < MAX_PLAYERS:
        look = "" if len(table.seats) > 1 else "main"
        words = spoken(visit.say("seat.photo_next"), visit.say("seat.photo_short"), "short")
        following = photo_button(visit, words, look)
    else:
        following = None
    again = photo_button(
        visit, visit.say("seat.photo_again"), "", value=f"seat:{seat.player.id}", many=False
    )
    bar = tag("div", following, result, class_="thumb")
    return tag("div", tag("div", again, class_="row"), bar, class_="stack")


def _act(visit: Visit, table: Table, seat: Seat | None, act: Act) -> None:
    table = table.again()
    seat = table.seat(seat.player.id) if seat else None
    number = number_parameter(table)
    if table.game.kept and act_on_kept(visit, table, act):
        return
    if act.do == "photo":
        take_photos(visit, table, act.value)
    elif act.do == "by-hand":
        if seat is None and act.value != str(len(table.seats)):
            return  # The second of two quick taps.
        if seat is None:
            table = _with_newcomer(visit, table)
            seat = table.seats[-1]
        if seat.board is None:
            table.begun_by_hand(seat)
        visit.go_to_game(table.game.id, seat=seat.player.id + 1, number=number)
    elif act.do == "next-best" and seat is not None and seat.board is not None:
        take_next_best(table, seat)
    elif act.do == "take-kept":
        take_named(visit, table, seat, act.value)
    elif act.do == "choose":
        choose_square(table, act)
    elif act.do in ("settle-kept", "settle-other") and seat is not None:
        settle_collision(table, seat, act)


def _with_newcomer(visit: Visit, table: Table) -> Table:
    names = {each.player.name.casefold() for each in table.seats}
    pattern = names_of_newcomers(visit.language)[None]
    number = len(table.seats) + 1
    while pattern.format(number=number).casefold() in names:
        number += 1
    return table.with_player(pattern.format(number=number))
