"""Which kingdom of a photo belongs to whom: by the castle's colour where it is sure, else asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.kingdomino.kept_reading import KeptReading
from companion.web.kingdomino.table import COLOURS, MAX_PLAYERS, Seat, Table

__all__ = ["Placement", "place_readings", "placements"]


@dataclass(frozen=True)
class Placement:
    """Where a reading goes: to the player with the id ``player``, or to a new one.

    ``ask`` where only the people can tell.
    """

    reading: str
    player: int | None = None
    ask: bool = False


def placements(
    seats: Sequence[Seat], colours: Sequence[tuple[str, str | None]], target: int | None
) -> list[Placement]:
    """Where the readings of one photo go; ``colours`` are their ids and castles' colours.

    One kingdom fills the seat that its photo was taken for. Of several each goes to the player
    of its colour; no kingdom that is there is ever replaced by them. At a table where nobody sits
    yet, each makes a player. Everything else is asked.
    """
    if target is not None and len(colours) == 1:
        return [Placement(colours[0][0], target)]
    if not seats:
        return [Placement(reading) for reading, _ in colours[:MAX_PLAYERS]]
    by_colour = {seat.player.colour: seat for seat in seats if seat.player.colour}
    taken: set[int] = set()
    found = []
    for reading, colour in colours:
        seat = by_colour.get(colour or "")
        if seat is not None and seat.board is None and seat.player.id not in taken:
            taken.add(seat.player.id)
            found.append(Placement(reading, seat.player.id))
        else:
            found.append(Placement(reading, ask=True))
    if target is None and len(found) == 1 and found[0].ask:
        return [_alone(seats, colours[0])]
    left = [seat for seat in seats if seat.board is None and seat.player.id not in taken]
    asked = [each for each in found if each.ask]
    if len(asked) == len(left) == 1 and left[0].player.colour is None:
        found[found.index(asked[0])] = Placement(asked[0].reading, left[0].player.id)
    return found


def _alone(seats: Sequence[Seat], kingdom: tuple[str, str | None]) -> Placement:
    """One kingdom that was photographed for no seat: it makes a player where that is plain."""
    reading, colour = kingdom
    coloured = {seat.player.colour for seat in seats}
    everybody_has_one = all(seat.board is not None for seat in seats)
    if everybody_has_one and colour not in coloured - {None} and len(seats) < MAX_PLAYERS:
        return Placement(reading)
    return Placement(reading, ask=True)


def place_readings(
    table: Table,
    found: Sequence[Placement],
    readings: dict[str, KeptReading],
    name_of: dict[str | None, str],
) -> tuple[Table, list[Seat]]:
    """Fill the seats that are plain; the table after it and the seats that were filled.

    ``name_of`` has the names of new players by colour, and under None the pattern of a number.
    """
    filled = []
    for each in found:
        if each.ask:
            continue
        kept = readings[each.reading]
        if each.player is None:
            if len(table.seats) >= MAX_PLAYERS:
                continue
            table = table.with_player(*_newcomer(table, kept, name_of))
            seat = table.seats[-1]
        else:
            there = table.seat(each.player)
            if there is None:
                continue
            seat = there
        table = table.with_reading(seat, each.reading, kept)
        now = table.seat(seat.player.id)
        if now is not None:
            filled.append(now)
    return table, filled


def _newcomer(
    table: Table, kept: KeptReading, name_of: dict[str | None, str]
) -> tuple[str, str | None]:
    """Name and colour of a player who was not there before."""
    colour = kept.reading.castle_colour
    if colour not in COLOURS or colour in {seat.player.colour for seat in table.seats}:
        colour = None
    names = {seat.player.name.casefold() for seat in table.seats}
    wanted = name_of.get(colour, "") if colour else ""
    number = len(table.seats) + 1
    while not wanted or wanted.casefold() in names:
        wanted = (name_of[None]).format(number=number)
        number += 1
    return wanted, colour
