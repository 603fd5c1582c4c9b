"""What stands above every page of a game: the way home, the seats, and what belongs to all."""

from __future__ import annotations

from functools import partial

from companion.kingdomino.kind import KINGDOMINO
from companion.web.home import photo_field
from companion.web.kingdomino.table import MAX_PLAYERS, Seat, Table
from companion.web.kingdomino.wording import seat_label
from companion.web.surface import Markup, icon, joined, tag
from companion.web.visit import Visit, address

__all__ = ["flag", "head", "number_parameter", "photo_button", "seat_strip"]

photo_button = partial(photo_field, aim=KINGDOMINO.key)
"""A button that takes photos of kingdoms, found in the live view of the camera."""


def number_parameter(table: Table) -> int | None:
    """The ``number=`` of addresses: None for the first game."""
    return table.number if table.number > 1 else None


def flag(colour: str | None) -> Markup:
    """The castle of a player in its colour."""
    return tag("span", class_=f"flag {colour or ''}".strip(), aria_hidden="true")


def head(visit: Visit, table: Table, title: str) -> Markup:
    """The bar at the top: home, where one is, players and rules."""
    home = _sign(visit.say("page.home"), "back", "./")
    number = number_parameter(table)
    people = _sign(
        visit.say("game.menu"),
        "people",
        address(game=table.game.id, view="players", number=number),
    )
    result = _sign(
        visit.say("seat.result"),
        "trophy",
        address(game=table.game.id, view="result", number=number),
    )
    return tag("header", home, tag("h1", title, class_="title"), people, result, class_="top")


def _sign(name: str, sign: str, where: str) -> Markup:
    return tag(
        "a", icon(sign), href=where, data_go=True, class_="button bare", aria_label=name, title=name
    )


def seat_strip(visit: Visit, table: Table, chosen: int | None) -> Markup:
    """The seats: castle, name, points, and a mark for what is still to check."""
    number = number_parameter(table)
    seats = [_seat(visit, table, seat, seat.player.id == chosen, number) for seat in table.seats]
    if len(table.seats) < MAX_PLAYERS:
        name = visit.say("seat.add")
        seats.append(
            tag(
                "button",
                icon("plus"),
                type="button",
                data_do="add-seat",
                class_="seat add",
                aria_label=name,
                title=name,
            )
        )
    return tag("nav", *seats, class_="seats", aria_label=visit.say("seat.strip"))


def _seat(visit: Visit, table: Table, seat: Seat, current: bool, number: int | None) -> Markup:
    points = "–" if seat.score is None else str(seat.score.points)
    mark = None
    if seat.doubts:
        mark = tag("span", icon("doubt"), str(seat.doubts), class_="mark")
    elif any(str(seat.player.id) in each.players for each in table.conflicts):
        mark = tag("span", icon("warning"), class_="mark")
    inside = joined(
        tag("span", seat.player.name, class_="name"),
        flag(seat.player.colour),
        tag("span", points, mark, class_="points"),
    )
    return tag(
        "a",
        inside,
        href=address(game=table.game.id, seat=seat.player.id + 1, number=number),
        data_go=True,
        class_="seat",
        aria_current="page" if current else None,
        aria_label=seat_label(seat, visit.language, visit),
        data_key=f"seat-{seat.player.id}",
    )
