"""What is worth a look beside the squares: another reading, oddities, warnings with advice."""

from __future__ import annotations

from dataclasses import replace

from companion.kingdomino.editing import EditedKingdom
from companion.kingdomino.kept_reading import KeptReading, board_of
from companion.web.kingdomino.readings import kept_readings, reading_with_next_best
from companion.web.kingdomino.table import Seat, Table
from companion.web.kingdomino.wording import conflict_lines, seat_problems
from companion.web.surface import Markup, icon, tag
from companion.web.visit import Visit
from companion.web.wording import count_of_points
from scorer.kingdomino import score

__all__ = ["next_best_markup", "oddities_markup", "take_next_best"]


def next_best_markup(visit: Visit, table: Table, kept: KeptReading | None) -> Markup | None:
    """Another reading of the same photo, offered where the grid is not certain."""
    if kept is None or kept.reading.lattice_certain:
        return None
    words = tag("p", visit.say("seat.lattice"))
    other = kept.reading.next_best
    if other is None:
        return tag("div", words, class_="notice")
    points = count_of_points(score(other.kingdom, table.rules.rules).points, visit.language)
    offer = visit.say(
        "seat.next_best",
        height=other.kingdom.height,
        width=other.kingdom.width,
        points=points,
    )
    take = tag("button", visit.say("seat.take_next_best"), type="button", data_do="next-best")
    return tag("div", tag("div", words, tag("p", offer), class_="grow"), take, class_="notice")


def oddities_markup(
    visit: Visit, table: Table, seat: Seat, kept: KeptReading | None
) -> Markup | None:
    lines = conflict_lines(table, seat, visit.language) + seat_problems(table, seat, visit.language)
    lines = [*_warnings(visit, kept), *lines]
    if not lines:
        return None
    listed = [tag("li", icon("warning"), tag("span", line)) for line in lines]
    heading = tag("h2", visit.say("seat.odd"), class_="minor")
    return tag("section", heading, tag("ul", *listed, class_="problems"), class_="card")


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
    assert seat.board is not None
    kept = kept_readings(table.store, table.game.id).get(seat.board.reading or "")
    other = reading_with_next_best(kept.reading) if kept else None
    if kept is not None and other is not None:
        fresh = replace(kept, reading=other)
        reading_id = table.store.keep_reading(table.game.id, fresh.to_data())
        table.with_board(seat, board_of(EditedKingdom.of_reading(other), reading_id), "next_best")
