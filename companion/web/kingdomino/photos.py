"""Photos that were taken: read, kept with the game, and brought to the seats."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from companion.games import StoreError
from companion.kingdomino.unread import unread_photo
from companion.web.kingdomino.readings import keep_readings, kept_readings, read_shelved
from companion.web.kingdomino.seating import Placement, place_readings, placements
from companion.web.kingdomino.settler import settle_later
from companion.web.kingdomino.table import Seat, Table, empty_side, new_table
from companion.web.kingdomino.taking import new_kept_kingdom
from companion.web.kingdomino.wording import name_of_newcomers, refusal
from companion.web.refused import refused_photo
from companion.web.visit import Visit
from vision.photo.errors import PhotoError

__all__ = ["How", "fill_seats", "photos_for_new_game", "photos_for_table"]


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
) -> None:
    """Read photos and bring their kingdoms to the seats; ``target`` is the player they are of.

    Without a table one is made by the first photo that holds a kingdom. What only the people can
    tell is asked on a page of its own. ``how`` is for a photo that was refused because there is
    probably no kingdom in it. With ``kept`` what is made is no game, but a kingdom kept without
    one.
    """
    visit.answered += 1
    asked: list[str] = []
    filled: list[Seat] = []
    replaced = bool(target is not None and table and (seat := table.seat(target)) and seat.board)
    for name in photos:
        try:
            table, more, questions = _one_photo(visit, table, name, target, how, kept)
        except (PhotoError, StoreError) as error:
            _refuse(visit, table, name, target, error, how, kept)
            continue
        filled += more
        asked += questions
    if table is None:
        return
    if asked:
        visit.go_to_game(table.game.id, "whose", readings=" ".join(asked), number=_number(table))
    elif filled:
        _show_filled(visit, table, filled, replaced)


def _one_photo(
    visit: Visit, table: Table | None, name: str, target: int | None, how: How, kept: bool
) -> tuple[Table, list[Seat], list[str]]:
    """Read one photo; the table after it, the seats it filled, and the readings to ask about."""
    if (refused := refused_photo(name)) is not None:
        raise refused
    photo = visit.shelf.get(name)
    if photo is None or photo.device != visit.device:
        raise PhotoError("gone")
    if how is How.BY_CORNERS:
        reading = unread_photo(photo.width, photo.height, empty_side(table))
    else:
        giants = table is not None and table.rules.rules.age_of_giants
        reading = read_shelved(visit.house, photo, anyway=how is How.ANYWAY, giants=giants)
    if table is None:
        table = new_kept_kingdom(visit) if kept else new_table(visit.store, visit.actor)
    ids = keep_readings(visit.store, table.game.id, photo, reading, consent=visit.keep_photos)
    readings = kept_readings(visit.store, table.game.id)
    colours = [(each, readings[each].reading.castle_colour) for each in ids]
    if table.game.kept:
        found = [Placement(ids[0], table.seats[0].player.id)]
    else:
        found = placements(table.seats, colours, target)
    table, filled = fill_seats(visit, table, found)
    if how is How.BY_CORNERS:
        visit.room["corners"] = {(table.game.id, seat.key) for seat in filled}
    return table, filled, [each.reading for each in found if each.ask]


def _refuse(
    visit: Visit,
    table: Table | None,
    name: str,
    target: int | None,
    error: PhotoError | StoreError,
    how: How,
    kept: bool,
) -> None:
    """Say why a photo was not read, and offer what is left to try where no kingdom was found.

    First it can be read anyway; where that finds nothing either, people set the corners.
    """
    if error.code != "no_kingdom":
        visit.tell(refusal(error, visit))
        return
    following = How.ANYWAY if how is How.SURE else How.BY_CORNERS

    def go_on() -> None:
        now = table.again() if table else None
        photos_for_table(visit, now, [name], target, how=following, kept=kept)

    visit.tell(refusal(error, visit), go_on, _OFFERS[following])


def fill_seats(visit: Visit, table: Table, found: list[Placement]) -> tuple[Table, list[Seat]]:
    """Bring readings to their seats and settle the table anew."""
    readings = kept_readings(visit.store, table.game.id)
    names = name_of_newcomers(visit.language, visit)
    table, filled = place_readings(table, found, readings, names)
    if len([seat for seat in table.seats if seat.board]) > 1:
        settle_later(visit.store, table.game.id, table.number)
    return table, filled


def _show_filled(visit: Visit, table: Table, filled: list[Seat], replaced: bool) -> None:
    """The kingdom that was read; where all are there and nothing is in doubt, the winner."""
    seat = filled[0]
    done = len(table.seats) > 1 and table.next_empty() is None
    sure = not any(each.doubts for each in table.seats)
    if len(filled) > 1 and done and sure:
        visit.go_to_game(table.game.id, "result", number=_number(table))
        return
    doubtful = next((each for each in filled if each.doubts), seat)
    visit.go_to_game(table.game.id, seat=doubtful.player.id + 1, number=_number(table))
    if replaced:

        def back() -> None:
            replace(table, actor=visit.actor).undone(seat.key)

        visit.tell(visit.say("seat.replaced", name=seat.player.name), back)


def _number(table: Table) -> int | None:
    return table.number if table.number > 1 else None
