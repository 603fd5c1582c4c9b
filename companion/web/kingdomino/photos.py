"""Kingdoms brought to the seats of a game: from photos, or from those kept alone."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import partial

import numpy as np

from companion.games.kingdomino.kept_board import on_reading
from companion.games.kingdomino.kept_reading import KeptReading, kept_readings, unread_photo
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.kingdomino.table import (
    MAX_PLAYERS,
    Placement,
    Seat,
    Table,
    empty_side,
    new_table,
    place_readings,
    placements,
)
from companion.games.kingdomino.texts import is_name_of_newcomer, names_of_newcomers
from companion.store import Player, StoreError
from companion.store.history import Summary, delete_game, find_games, restore_game
from companion.store.photos import keep_photo, load_photo
from companion.web.kingdomino.parts import (
    NEW_SEAT,
    flag,
    head,
    kingdom_crop,
    kingdom_picture,
    kingdom_seen,
    number_parameter,
)
from companion.web.kingdomino.readings import keep_readings, read_cached, read_with
from companion.web.parts import (
    answered,
    count_of_points,
    name_field,
    refusal,
    remembered_chips,
    sent_photo,
    show_part,
)
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.visit import Visit, address, rerun_on_changes
from vision.kingdomino.result import KingdomReading, PhotoReading
from vision.photo.errors import PhotoError

_SHOWN = 20
ANOTHER = "another:"


def new_kept_kingdom(visit: Visit) -> Table:
    """A new kingdom without a game: a table of its own kind, with one nameless seat."""
    seat = {"id": 0, "name": visit.say("kept.nameless"), "colour": None}
    parts = {"players": [seat]}
    game = visit.store.create_game(KINGDOMINO.key, parts, visit.actor, kept=True)
    return Table(visit.store, visit.actor, game)


def kept_kingdoms(visit: Visit) -> list[Summary]:
    """The kingdoms that this device keeps without a game, the latest first."""
    return find_games(
        visit.store, device=visit.device, kind=KINGDOMINO.key, kept=True, limit=_SHOWN
    )


def open_games(visit: Visit) -> list[Summary]:
    """The games of this device that still wait for a kingdom, the latest first."""
    found = find_games(visit.store, device=visit.device, kind=KINGDOMINO.key, limit=_SHOWN)
    return [game for game in found if not game.complete]


def take_into(visit: Visit, kept: Table, table: Table, seat: Seat | None) -> tuple[Table, Seat]:
    """Bring the kingdom to a seat, or to a new one at the end of the row; the table after it.

    The kept kingdom goes out of the list, and the notice at the foot of the page takes all of it
    back. StoreError where the seat can't be had, and then nothing has changed.
    """
    board = kept.seats[0].board
    if board is None:
        raise StoreError("bad_value", part=board_key(0), reason="bad_board")
    if seat is None:
        table = table.with_player(_name(kept, table), kept.game.players[0].colour)
        seat = table.seats[-1]
    reading = kept_readings(visit.store, kept.game.id).get(board.reading or "")
    if reading is not None:
        moved = _with_photo(visit, table, reading)
        board = replace(board, reading=visit.store.keep_reading(table.game.id, moved.to_data()))
    table = table.with_board(seat, board, "take")
    delete_game(visit.store, kept.game.id, visit.actor)

    def back() -> None:
        restore_game(visit.store, kept.game.id, visit.actor)
        table.undone(*table.made)

    visit.notify(visit.say("kept.taken"), back)
    taken = table.seat(seat.player.id)
    assert taken is not None
    return table, taken


def _with_photo(visit: Visit, table: Table, reading: KeptReading) -> KeptReading:
    """The reading with its photo at the other game: each game has its own, and goes with them."""
    if reading.photo is None:
        return reading
    cached = visit.photos.get(reading.photo)
    if cached is not None:
        visit.photos.give_to(cached, table.game.id)
        return reading
    try:
        data = load_photo(visit.store, reading.photo)
        copied = keep_photo(visit.store, table.game.id, data, consent=True, decoder=visit.decode)
    except StoreError:
        return replace(reading, photo=None)
    return replace(reading, photo=copied.id)


def _name(kept: Table, table: Table) -> str:
    """The name given to the kingdom, with a number where somebody has it already."""
    wanted = str((kept.game.values.get("about") or {}).get("title") or kept.game.players[0].name)
    taken = {player.name.casefold() for player in table.game.players}
    name, number = wanted, 2
    while name.casefold() in taken:
        name, number = f"{wanted} {number}", number + 1
    return Player(0, name).name


def take_photos(visit: Visit, table: Table, sent: str) -> None:
    """Read the photos of an act ``photo``: ``seat:PLAYER|ID ID …``, or ``seat:new|…``.

    ``another:PLAYER|ID`` is another photo of a kingdom that is there.
    """
    where, _, ids = sent.partition("|")
    if where.startswith(ANOTHER):
        whose, names = where.removeprefix(ANOTHER), ids.split()
        if whose.isdecimal() and len(whose) < 3 and names:
            read_another_photo(visit, table, int(whose), names[0])
        return
    target = where.removeprefix("seat:")
    player = int(target) if target.isdecimal() and len(target) < 3 else None
    photos_for_table(visit, table, ids.split(), player, newcomer=target == NEW_SEAT)


class How(Enum):
    """How a photo is read: only what is surely a kingdom, anything, or in corners set by hand."""

    SURE = "sure"
    ANYWAY = "anyway"
    BY_CORNERS = "by_corners"


_OFFERS = {How.ANYWAY: "page.read_anyway", How.BY_CORNERS: "page.set_corners"}


def photos_for_new_game(visit: Visit, photos: list[str]) -> None:
    """Photos of the home page: a new game with as many players as there are kingdoms."""
    photos_for_table(visit, None, photos, None)


def photos_for_table(
    visit: Visit,
    table: Table | None,
    photos: list[str],
    target: int | None,
    *,
    how: How = How.SURE,
    kept: bool = False,
    newcomer: bool = False,
) -> None:
    """Read photos and bring their kingdoms to the seats; ``target`` is the player they are of.

    A single kingdom of a photo that was taken for a ``newcomer`` makes a player.

    Without a table one is made by the first photo that holds a kingdom. What only the people can
    tell is asked on a page of its own. ``how`` is for a photo that was refused because there is
    probably no kingdom in it. With ``kept`` what is made is no game, but a kingdom kept without
    one.
    """
    visit.answered += 1
    asked: list[str] = []
    filled: list[Seat] = []
    before = {player.id for player in table.game.players} if table else set()
    replaced = bool(target is not None and table and (seat := table.seat(target)) and seat.board)
    for name in photos:
        try:
            table, more, questions = _one_photo(visit, table, name, target, how, kept, newcomer)
        except (PhotoError, StoreError) as error:
            _refuse(visit, table, name, target, error, how, kept, newcomer)
            continue
        filled += more
        asked += questions
    if table is None:
        return
    if asked:
        visit.go_to_game(table.game.id, "whose", readings=" ".join(asked), number=_number(table))
    elif filled:
        _show_filled(visit, table, filled, replaced, before)


def _one_photo(
    visit: Visit,
    table: Table | None,
    name: str,
    target: int | None,
    how: How,
    kept: bool,
    newcomer: bool,
) -> tuple[Table, list[Seat], list[str]]:
    """Read one photo; the table after it, the seats it filled, and the readings to ask about."""
    photo = sent_photo(visit, name)
    if how is How.BY_CORNERS:
        reading = unread_photo(photo.width, photo.height, empty_side(table))
    else:
        giants = table is not None and table.rules.rules.age_of_giants
        reading = read_cached(visit, photo, anyway=how is How.ANYWAY, giants=giants)
    if table is None:
        table = new_kept_kingdom(visit) if kept else new_table(visit.store, visit.actor)
    ids = keep_readings(visit, table.game.id, photo, reading)
    readings = kept_readings(visit.store, table.game.id)
    colours = [(each, readings[each].reading.castle_colour) for each in ids]
    if table.game.kept:
        found = [Placement(ids[0], table.seats[0].player.id)]
    elif newcomer and len(ids) == 1:
        found = [Placement(ids[0])]
    else:
        found = placements(table.seats, colours, target)
    table, filled = fill_seats(visit, table, found)
    if how is How.BY_CORNERS:
        visit.page_state["corners"] = {(table.game.id, seat.key) for seat in filled}
    return table, filled, [each.reading for each in found if each.ask]


def read_another_photo(
    visit: Visit, table: Table, player: int, name: str, *, same: bool = False
) -> None:
    """Read another photo of a player's kingdom together with what was read of it before.

    What people set stays, and the notice at the foot of the page takes all of it back. Where it
    shows no kingdom, or another one, that is said and nothing changes; where nobody knows, it is
    asked, and ``same`` is the answer that it is the same.
    """
    visit.answered += 1
    seat = table.seat(player)
    kept = table.readings.get(seat.board.reading or "") if seat and seat.board else None
    if kept is None:
        return
    try:
        photo = sent_photo(visit, name)
        giants = table.rules.rules.age_of_giants
        both = read_with(visit, photo, kept, giants=giants, same=same)
    except PhotoError as error:
        nothing = error.code == "no_kingdom"
        visit.notify(visit.say("seat.another_nothing") if nothing else refusal(error, visit))
        return
    found = next(each for each in both.kingdoms if 0 in each.photos)
    if 1 not in found.photos:
        _ask_or_tell(visit, table, player, name, both, same)
        return
    # Nobody looks at it again: the board shows the first one.
    visit.photos.drop(name)
    _lay_on_board(visit, table.again(), player, kept, found)


def _ask_or_tell(
    visit: Visit, table: Table, player: int, name: str, both: PhotoReading, same: bool
) -> None:
    """Say why a photo was not read together with the first, or ask whether it is to be."""

    def go_on() -> None:
        read_another_photo(visit, table.again(), player, name, same=True)

    found = next(each for each in both.kingdoms if 0 in each.photos)
    if same:
        visit.notify(visit.say("seat.another_unclear"))
    elif "maybe_same" in found.warnings:
        visit.notify(visit.say("seat.another_maybe"), go_on, "page.same_kingdom")
    else:
        is_new = any(1 in each.photos for each in both.kingdoms)
        visit.notify(visit.say("seat.another_other" if is_new else "seat.another_known"))


def _lay_on_board(
    visit: Visit, table: Table, player: int, kept: KeptReading, found: KingdomReading
) -> None:
    """A better reading of the kingdom on a board, as one change that can be taken back."""
    seat = table.seat(player)
    if seat is None or seat.board is None or table.readings.get(seat.board.reading or "") != kept:
        visit.notify(visit.say("game.others_changed"))
        return
    left, top = np.rint(np.linalg.solve(kept.reading.homography, found.homography)[:2, 2])
    sure = replace(found, warnings=tuple(each for each in found.warnings if each != "maybe_same"))
    fresh = replace(kept, reading=sure)
    reading_id = table.store.keep_reading(table.game.id, fresh.to_data())
    board = on_reading(seat.board, found.kingdom, found.doubtful, (int(top), int(left)), reading_id)
    anew = table.with_board(seat, board, "another_photo")
    now = anew.seat(player)
    count = now.doubts if now else 0

    def back() -> None:
        anew.undone(*anew.made[-1:])

    visit.notify(
        visit.say("seat.another_read" if count else "seat.another_sure", count=count), back
    )


def _refuse(
    visit: Visit,
    table: Table | None,
    name: str,
    target: int | None,
    error: PhotoError | StoreError,
    how: How,
    kept: bool,
    newcomer: bool,
) -> None:
    """Say why a photo was not read, and offer what is left to try where no kingdom was found.

    First it can be read anyway; where that finds nothing either, people set the corners.
    """
    if error.code != "no_kingdom":
        visit.notify(refusal(error, visit))
        return
    following = How.ANYWAY if how is How.SURE else How.BY_CORNERS

    def go_on() -> None:
        now = table.again() if table else None
        photos_for_table(visit, now, [name], target, how=following, kept=kept, newcomer=newcomer)

    visit.notify(refusal(error, visit), go_on, _OFFERS[following])


def fill_seats(visit: Visit, table: Table, found: list[Placement]) -> tuple[Table, list[Seat]]:
    """Bring readings to their seats."""
    readings = kept_readings(visit.store, table.game.id)
    names = names_of_newcomers(visit.language)
    return place_readings(table, found, readings, names)


def _show_filled(
    visit: Visit, table: Table, filled: list[Seat], replaced: bool, before: set[int]
) -> None:
    """The kingdom that was read; where all are there and nothing is in doubt, the winner.

    Who several new players are is asked first, once; ``before`` are those who sat there already.
    """
    seat = filled[0]
    fresh = {each.player.id for each in filled} - before
    if len(fresh & {each.player.id for each in nameless(table)}) > 1:
        visit.go_to_game(table.game.id, "who", number=_number(table))
        return
    done = len(table.seats) > 1 and table.next_empty() is None
    sure = not any(each.doubts for each in table.seats)
    if len(filled) > 1 and done and sure:
        visit.go_to_game(table.game.id, "result", number=_number(table))
        return
    doubtful = next((each for each in filled if each.doubts), seat)
    visit.go_to_game(table.game.id, seat=doubtful.player.id + 1, number=_number(table))
    if replaced:

        def back() -> None:
            replace(table, actor=visit.actor).undone(*table.made)

        visit.notify(visit.say("seat.replaced", name=seat.player.name), back)


def _number(table: Table) -> int | None:
    return table.number if table.number > 1 else None


_NEW, _NOBODY = "new", "nobody"


def show_whose(visit: Visit, table: Table) -> None:
    """Ask about one kingdom after the other; the address holds those that are left.

    It still holds those that have got a seat where somebody goes back to the page, or another phone
    was first.
    """
    readings = kept_readings(table.store, table.game.id)
    seated = {seat.board.reading for seat in table.seats if seat.board is not None}
    named = visit.parameters.get("readings", "").split()
    waiting = [each for each in named if each in readings and each not in seated]
    bar = head(visit, table, visit.say("whose.title"))
    if waiting:
        body = _owner_question(visit, table, readings[waiting[0]])
    else:
        body = _way_on(visit, table, "who.on")
    show_part(
        visit,
        joined(bar, answered(visit), body),
        "whose",
        partial(_act_on_owner, visit, table, waiting),
    )
    rerun_on_changes(visit, table.game)


def _owner_question(visit: Visit, table: Table, kept: KeptReading) -> Markup:
    kingdom = kept.reading.kingdom
    points = table.score_of(kingdom)
    name = count_of_points(points.points, visit.language)
    seen = kingdom_crop(visit, kept, name) or kingdom_picture(kingdom, name, points)
    picture = tag("div", seen, class_="narrow")
    said = tag("p", flag(kept.reading.castle_colour), " ", name, class_="row")
    buttons = []
    for seat in table.seats:
        words = seat.player.name
        if seat.board is not None:
            words = visit.say("whose.replace", name=words)
        buttons.append(_owner_button(str(seat.player.id), joined(flag(seat.player.colour), words)))
    if len(table.seats) < MAX_PLAYERS:
        buttons.append(_owner_button(_NEW, visit.say("whose.new")))
    buttons.append(_owner_button(_NOBODY, visit.say("whose.skip")))
    choices = tag("div", *buttons, class_="stack")
    return tag("div", picture, tag("div", said, choices, class_="stack"), class_="columns two")


def _owner_button(value: str, words: Markup | str) -> Markup:
    return act_button("whose", words, value=value, look="middle")


def _act_on_owner(visit: Visit, table: Table, waiting: list[str], act: Act) -> None:
    if act.do != "whose" or not waiting:
        return
    reading, left = waiting[0], waiting[1:]
    table = table.again()
    number = number_parameter(table)
    seat = table.seat(int(act.value)) if act.value.isdecimal() else None
    shown: int | None = None
    if seat is not None or act.value == _NEW:
        found = [Placement(reading, seat.player.id if seat else None)]
        replaced = seat is not None and seat.board is not None
        table, filled = fill_seats(visit, table, found)
        shown = filled[0].player.id + 1 if filled else None
        if replaced and filled:

            def back() -> None:
                table.undone(*table.made)

            visit.notify(visit.say("seat.replaced", name=filled[0].player.name), back)
    if left:
        visit.go_to_game(table.game.id, "whose", readings=" ".join(left), number=number)
    else:
        visit.go_to_game(table.game.id, seat=shown, number=number)


def nameless(table: Table) -> list[Seat]:
    """The seats with a kingdom whose players nobody has named."""
    return [
        seat
        for seat in table.seats
        if seat.board is not None and is_name_of_newcomer(seat.player.name)
    ]


def show_who(visit: Visit, table: Table) -> None:
    """Draw the page; it is skipped by its one large button."""
    readings = kept_readings(table.store, table.game.id)
    show_part(visit, who_markup(visit, table, readings), "who", partial(act_on_names, visit, table))
    rerun_on_changes(visit, table.game)


def who_markup(visit: Visit, table: Table, readings: dict[str, KeptReading]) -> Markup:
    """The page as markup."""
    bar = head(visit, table, visit.say("who.title"))
    waiting = {seat.player.id for seat in nameless(table)}
    asked = [seat for seat in table.seats if seat.board is not None]
    rows = [_row(visit, table, seat, readings, asks=seat.player.id in waiting) for seat in asked]
    on = _way_on(visit, table, "who.on" if not waiting else "who.skip")
    return joined(
        bar, answered(visit), tag("div", *rows, class_="whos"), tag("div", on, class_="thumb")
    )


def _way_on(visit: Visit, table: Table, words: str) -> Markup:
    """A link to the result where nothing is in doubt any more, else to the first board that is."""
    number = number_parameter(table)
    doubtful = next((seat for seat in table.seats if seat.doubts), None)
    if doubtful is not None:
        to = address(game=table.game.id, seat=doubtful.player.id + 1, number=number)
    else:
        to = address(game=table.game.id, view="result", number=number)
    return go_link(to, icon("next"), visit.say(words), look="button main")


def _row(
    visit: Visit, table: Table, seat: Seat, readings: dict[str, KeptReading], *, asks: bool
) -> Markup:
    assert seat.board is not None
    points = count_of_points(seat.score.points if seat.score else 0, visit.language)
    seen = kingdom_seen(visit, seat.board, readings.get(seat.board.reading or ""), points)
    name = tag("h2", flag(seat.player.colour), seat.player.name, class_="row")
    parts: list[Markup | None] = [name, tag("p", points, class_="soft")]
    if asks:
        here = {each.player.name.casefold() for each in table.seats}
        chips = remembered_chips(visit, here, "is", f"{seat.player.id}|")
        typed = name_field(visit.say("players.name"), "is", f"{seat.player.id}")
        parts += [tag("div", *chips, class_="chips") if chips else None, typed]
    said = tag("div", *parts, class_="stack grow")
    return tag(
        "section",
        tag("div", seen, class_="seen"),
        said,
        class_="card who-row",
        data_key=f"who-{seat.player.id}",
    )


def act_on_names(visit: Visit, table: Table, act: Act) -> None:
    """Name a player: ``is`` with ``ID|NAME``."""
    if act.do != "is":
        return
    table = table.again()
    player, _, name = act.value.partition("|")
    players = [
        replace(each, name=name) if str(each.id) == player else each for each in table.game.players
    ]
    table.with_players(players, "name")
