"""Who is who, once after the reading: each kingdom as it was photographed, and names of one tap."""

from __future__ import annotations

from dataclasses import replace

from companion.games.kingdomino.editing import KeptReading, kept_readings
from companion.games.kingdomino.table import Seat, Table
from companion.games.kingdomino.texts import is_name_of_newcomer
from companion.web.kingdomino.crops import kingdom_seen
from companion.web.kingdomino.parts import (
    flag,
    head,
    number_parameter,
)
from companion.web.parts import count_of_points, name_field, remembered_chips, saying_refusals
from companion.web.shell import Act, Markup, icon, joined, show_markup, tag
from companion.web.visit import Visit, address, rerun_on_changes

__all__ = ["act_on_names", "nameless", "show_who", "who_markup"]


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
    show_markup(
        who_markup(visit, table, readings),
        key="who",
        on_act=saying_refusals(visit, lambda act: act_on_names(visit, table, act)),
    )
    rerun_on_changes(visit, table.game)


def who_markup(visit: Visit, table: Table, readings: dict[str, KeptReading]) -> Markup:
    """The page as markup."""
    answered = tag("span", hidden=True, data_answered=visit.answered)
    bar = head(visit, table, visit.say("who.title"))
    waiting = {seat.player.id for seat in nameless(table)}
    asked = [seat for seat in table.seats if seat.board is not None]
    rows = [_row(visit, table, seat, readings, asks=seat.player.id in waiting) for seat in asked]
    on = tag(
        "a",
        icon("next"),
        visit.say("who.on" if not waiting else "who.skip"),
        href=_following(table),
        data_go=True,
        class_="button main",
    )
    return joined(bar, answered, tag("div", *rows, class_="whos"), tag("div", on, class_="thumb"))


def _following(table: Table) -> str:
    """The result where nothing is in doubt any more, else the first board that is."""
    number = number_parameter(table)
    doubtful = next((seat for seat in table.seats if seat.doubts), None)
    if doubtful is not None:
        return address(game=table.game.id, seat=doubtful.player.id + 1, number=number)
    return address(game=table.game.id, view="result", number=number)


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
    table = table.with_players(players, "name")
    if not nameless(table):
        visit.moved = True
