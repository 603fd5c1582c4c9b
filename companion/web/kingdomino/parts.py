"""What the pages of Kingdomino share: the bar at the top, sentences, small pictures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.kind import KINGDOMINO
from companion.games.kingdomino.table import MAX_PLAYERS, Seat, Table
from companion.games.kingdomino.terrain_art import tile_svg
from companion.games.kingdomino.texts import (
    place_name,
    problem_line,
    square_name,
)
from companion.languages import Language, listed
from companion.web.kingdomino.board_changes import is_photo_here
from companion.web.parts import count_of_points, photo_field, sign_link, top_bar
from companion.web.shell import Act, Markup, act_button, go_link, icon, joined, tag
from companion.web.visit import Visit, address
from scorer.kingdomino import (
    GameProblem,
    Kingdom,
    NotationError,
    Position,
    Score,
    Square,
    problems,
)
from vision.kingdomino.result import KingdomReading


def number_of(visit: Visit) -> int:
    """The game of a Dynasty that the address names, 1 without one."""
    text = visit.parameters.get("number", "1")
    return int(text) if text in ("1", "2", "3") else 1


def seat_label(seat: Seat, language: Language, visit: Visit) -> str:
    """A seat said in a sentence, for screen readers."""
    if seat.score is None:
        return visit.say("seat.empty", name=seat.player.name)
    points = count_of_points(seat.score.points, language)
    said = visit.say("seat.open", name=seat.player.name, points=points)
    return f"{said}, {visit.say('seat.to_check', count=seat.doubts)}" if seat.doubts else said


def seat_problems(table: Table, seat: Seat, language: Language) -> list[str]:
    """What is odd about the kingdom of a seat alone, in sentences."""
    if seat.board is None:
        return []
    found = problems(seat.board.kingdom, table.rules_in_play)
    return [_sentence(problem_line(each, language)) for each in found]


def conflict_lines(table: Table, seat: Seat, language: Language) -> list[str]:
    """What can't be true of this kingdom together with others, in sentences."""
    own = str(seat.player.id)
    names = {str(each.player.id): each.player.name for each in table.seats}
    lines = []
    for each in table.conflicts:
        if own in each.players:
            others = [names[player] for player in each.players]
            lines.append(f"{listed(others, language)}: {_sentence(_short(each, names, language))}")
    return lines


def _short(problem: GameProblem, names: dict[str, str], language: Language) -> str:
    named = replace(problem, players=tuple(names[each] for each in problem.players), squares=())
    return problem_line(named, language)


def label_of(notation: str | None, language: Language) -> str:
    """A square of the notation in words."""
    try:
        return square_name(Square.parse(notation or "."), language)
    except NotationError:
        return notation or ""


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."


_SIDE = 20


def kingdom_picture(
    kingdom: Kingdom,
    name: str,
    score: Score | None = None,
    lit: Collection[Position] | None = None,
) -> Markup:
    """The kingdom drawn; with a score each territory shows its points.

    Where ``lit`` is given, only those squares stay bright.
    """
    height, width = kingdom.height, kingdom.width
    parts: list[Markup] = []
    for place, square in kingdom.items():
        dim = lit is not None and place not in lit
        parts.append(_tile(place, square, dim))
    for territory in score.territories if score else ():
        parts.append(_outline(territory.squares))
    if score is not None:
        for territory in score.territories:
            if territory.points and (lit is None or set(territory.squares) & set(lit)):
                parts.append(_points(territory.squares, territory.points))
    for place in lit or ():
        parts.append(_frame(place))
    box = f"-1 -1 {width * _SIDE + 2} {height * _SIDE + 2}"
    inside = "".join(parts)
    return Markup(f'<svg class="kingdom" viewBox="{box}" role="img" {_label(name)}>{inside}</svg>')


def _label(name: str) -> str:
    return tag("i", aria_label=name)[3 : -len("></i>")]


def _tile(place: Position, square: Square, dim: bool) -> Markup:
    x, y = place[1] * _SIDE, place[0] * _SIDE
    if square.is_empty:
        return Markup("")
    look = ' class="dim"' if dim else ""
    drawn = tile_svg(square)
    return Markup(f'<g transform="translate({x} {y}) scale(.2)"{look}>{drawn}</g>')


def _outline(squares: Iterable[Position]) -> Markup:
    """The border of a territory: the edges that only one of its squares has."""
    inside = set(squares)
    edges = []
    for row, column in inside:
        x, y = column * _SIDE, row * _SIDE
        for (dr, dc), path in (
            ((-1, 0), f"M{x} {y}h20"),
            ((1, 0), f"M{x} {y + 20}h20"),
            ((0, -1), f"M{x} {y}v20"),
            ((0, 1), f"M{x + 20} {y}v20"),
        ):
            if (row + dr, column + dc) not in inside:
                edges.append(path)
    path = "".join(edges)
    return Markup(f'<path d="{path}" stroke="#fffaf0" stroke-width="1.4" fill="none"/>')


def _points(squares: Iterable[Position], points: int) -> Markup:
    """The points on the square nearest to the territory's middle."""
    places = list(squares)
    middle = [sum(each) / len(places) for each in zip(*places, strict=True)]
    row, column = min(
        places, key=lambda place: (place[0] - middle[0]) ** 2 + (place[1] - middle[1]) ** 2
    )
    x, y = column * _SIDE + 5.6, row * _SIDE + 5.6
    return Markup(
        f'<circle cx="{x}" cy="{y}" r="4.9" fill="#fffaf0" stroke="#2b2116" stroke-width=".8"/>'
        f'<text x="{x}" y="{y + 2}">{points}</text>'
    )


def _frame(place: Position) -> Markup:
    x, y = place[1] * _SIDE, place[0] * _SIDE
    return Markup(
        f'<rect x="{x + 1}" y="{y + 1}" width="18" height="18" fill="none" stroke="#ffd64f" '
        'stroke-width="1.6"/>'
    )


_MOST_CHOICES = 4


def choice_markup(
    visit: Visit, table: Table, seat: Seat, place: Position, squares: Iterable[Square]
) -> Markup:
    """One square of a kingdom, where it lies, and a button for each thing that it may be.

    Of many the first, and a way to its board, where it can be set to any.
    """
    squares = list(squares)
    assert seat.board is not None
    where = place_name(place, visit.language)
    name = visit.say("choose.where", name=seat.player.name, place=where)
    value = f"{seat.player.id}|{table.number}|{place[0]}|{place[1]}"
    buttons = [
        act_button("choose", square_name(square, visit.language), value=f"{value}|{square}")
        for square in squares[:_MOST_CHOICES]
    ]
    if len(squares) > _MOST_CHOICES:
        board = address(game=table.game.id, seat=seat.player.id + 1, number=number_parameter(table))
        other = visit.say("choose.other")
        buttons.append(go_link(board, other, look="button"))
    picture = kingdom_picture(seat.board.kingdom, name, lit={place})
    said = tag("p", flag(seat.player.colour), " ", name, class_="row")
    choices = tag("div", said, *buttons, class_="stack grow")
    key = f"choice-{seat.player.id}-{place[0]}-{place[1]}"
    return tag("div", tag("div", picture, class_="where"), choices, class_="row", data_key=key)


_CHOICE = re.compile(r"([0-9]{1,2})\|([1-3])\|([0-9]{1,2})\|([0-9]{1,2})\|(.{1,20})")


def choose_square(table: Table, act: Act) -> None:
    """Set the square that a button of ``choice_markup`` names; nothing for what is not there.

    Who is asked because of the box, and calls right what stands, insists on it.
    """
    found = _CHOICE.fullmatch(act.value)
    if found is None:
        return
    player, number, row, column = map(int, found.groups()[:4])
    table = replace(table, number=number)
    seat = table.seat(player)
    try:
        square = Square.parse(found[5])
        if seat is not None and seat.board is not None:
            place = (row, column)
            insists = place in seat.asked and seat.board.kingdom[place] == square
            table.with_square(seat, place, square, insists=insists)
    except (NotationError, IndexError):
        return


NEW_SEAT = "new"
"""The ``seat=`` of a player who is made together with the first kingdom: no seat stays empty."""

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
    number = number_parameter(table)
    people = sign_link(
        visit.say("game.menu"),
        "people",
        address(game=table.game.id, view="players", number=number),
    )
    result = sign_link(
        visit.say("seat.result"),
        "trophy",
        address(game=table.game.id, view="result", number=number),
    )
    return top_bar(visit, title, people, result)


def seat_strip(visit: Visit, table: Table, chosen: int | None) -> Markup:
    """The seats: castle, name, points, and a mark for what is still to check."""
    number = number_parameter(table)
    seats = [_seat(visit, table, seat, seat.player.id == chosen, number) for seat in table.seats]
    if len(table.seats) < MAX_PLAYERS:
        name = visit.say("seat.add")
        seats.append(
            go_link(
                address(game=table.game.id, seat=NEW_SEAT, number=number),
                icon("plus"),
                look="seat add",
                named=name,
            )
        )
    return tag("nav", *seats, class_="seats", aria_label=visit.say("seat.strip"))


def _seat(visit: Visit, table: Table, seat: Seat, current: bool, number: int | None) -> Markup:
    points = "–" if seat.score is None else str(seat.score.points)
    mark = None
    if seat.doubts:
        mark = tag("span", icon("doubt"), tag("span", seat.doubts), class_="mark")
    elif any(str(seat.player.id) in each.players for each in table.conflicts):
        mark = tag("span", icon("warning"), class_="mark")
    inside = joined(
        tag("span", seat.player.name, class_="name"),
        flag(seat.player.colour),
        tag("span", points, class_="points"),
        mark,
    )
    return go_link(
        address(game=table.game.id, seat=seat.player.id + 1, number=number),
        tag("span", seat_label(seat, visit.language, visit), class_="hidden"),
        tag("span", inside, class_="shown", aria_hidden="true"),
        look="seat",
        aria_current="page" if current else None,
        data_key=f"seat-{seat.player.id}",
    )


_MARGIN = 0.3
"""Of a square, around the kingdom."""


def kingdom_seen(visit: Visit, board: KeptBoard, kept: KeptReading | None, name: str) -> Markup:
    """The kingdom on its photo; drawn, where there is none."""
    return kingdom_crop(visit, kept, name) or kingdom_picture(board.kingdom.trimmed(), name)


def kingdom_crop(visit: Visit, kept: KeptReading | None, name: str) -> Markup | None:
    """The part of the photo that shows the kingdom; None where the photo is not here."""
    if kept is None or not is_photo_here(visit, kept):
        return None
    left, top, right, bottom = _box(kept.reading, kept.reading.kingdom)
    left, top = max(0.0, left), max(0.0, top)
    right, bottom = min(float(kept.width), right), min(float(kept.height), bottom)
    if right - left < 1 or bottom - top < 1:
        return None
    image = tag("image", href=f"photo/{kept.photo}", width=kept.width, height=kept.height)
    return tag(
        "svg",
        image,
        viewBox=f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}",
        class_="crop",
        role="img",
        aria_label=name,
    )


def _box(reading: KingdomReading, kingdom: Kingdom) -> tuple[float, float, float, float]:
    """What a kingdom spans on its photo, in pixels: left, top, right, bottom."""
    low, wide, high = -_MARGIN, kingdom.width + _MARGIN, kingdom.height + _MARGIN
    corners = np.array([[low, low, 1], [wide, low, 1], [wide, high, 1], [low, high, 1]])
    placed = corners @ reading.homography.T
    points = placed[:, :2] / placed[:, 2:]
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)
