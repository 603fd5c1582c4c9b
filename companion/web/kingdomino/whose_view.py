"""Kingdoms of a photo whose owner only the people know."""

from __future__ import annotations

from companion.kingdomino.kept_reading import KeptReading
from companion.web.kingdomino.drawing import kingdom_picture
from companion.web.kingdomino.frame import flag, head, number_parameter
from companion.web.kingdomino.photos import fill_seats
from companion.web.kingdomino.readings import kept_readings
from companion.web.kingdomino.seating import Placement
from companion.web.kingdomino.table import MAX_PLAYERS, Table
from companion.web.surface import Act, Markup, joined, surface, tag
from companion.web.visit import Visit
from companion.web.watching import watch
from companion.web.wording import count_of_points
from scorer.kingdomino import score

__all__ = ["show_whose"]

_NEW, _NOBODY = "new", "nobody"


def show_whose(visit: Visit, table: Table) -> None:
    """Ask about one kingdom after the other; the address holds those that are left."""
    waiting = visit.parameters.get("readings", "").split()
    readings = kept_readings(table.store, table.game.id)
    waiting = [each for each in waiting if each in readings]
    answered = tag("span", hidden=True, data_answered=visit.answered)
    bar = head(visit, table, visit.say("whose.title"))
    body = _question(visit, table, readings[waiting[0]]) if waiting else None
    surface(
        joined(bar, answered, body),
        key="whose",
        on_act=lambda act: _act(visit, table, waiting, act),
    )
    watch(visit, table.game)


def _question(visit: Visit, table: Table, kept: KeptReading) -> Markup:
    kingdom = kept.reading.kingdom
    points = score(kingdom, table.rules.rules)
    name = count_of_points(points.points, visit.language)
    picture = tag("div", kingdom_picture(kingdom, name, points), class_="narrow")
    said = tag("p", flag(kept.reading.castle_colour), " ", name, class_="row")
    buttons = []
    for seat in table.seats:
        words = seat.player.name
        if seat.board is not None:
            words = visit.say("whose.replace", name=words)
        buttons.append(_answer(str(seat.player.id), joined(flag(seat.player.colour), words)))
    if len(table.seats) < MAX_PLAYERS:
        buttons.append(_answer(_NEW, visit.say("whose.new")))
    buttons.append(_answer(_NOBODY, visit.say("whose.skip")))
    choices = tag("div", *buttons, class_="stack")
    return tag("div", picture, tag("div", said, choices, class_="stack"), class_="columns two")


def _answer(value: str, words: Markup | str) -> Markup:
    return tag("button", words, type="button", data_do="whose", data_value=value, class_="middle")


def _act(visit: Visit, table: Table, waiting: list[str], act: Act) -> None:
    if act.do != "whose" or not waiting:
        return
    reading, left = waiting[0], waiting[1:]
    table = table.again()
    number = number_parameter(table)
    seat = table.seat(int(act.value)) if act.value.isdecimal() else None
    if seat is not None or act.value == _NEW:
        found = [Placement(reading, seat.player.id if seat else None)]
        replaced = seat is not None and seat.board is not None
        table, filled = fill_seats(visit, table, found)
        if replaced and filled:
            part = filled[0].key

            def back() -> None:
                table.undone(part)

            visit.tell(visit.say("seat.replaced", name=filled[0].player.name), back)
    if left:
        visit.go_to_game(table.game.id, "whose", readings=" ".join(left), number=number)
    else:
        visit.go_to_game(table.game.id, number=number)
