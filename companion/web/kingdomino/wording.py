"""What the pages of Kingdomino say of tables, seats and problems."""

from __future__ import annotations

from companion.games import StoreError
from companion.kingdomino.wording import castle_colour_name, problem_line, square_name
from companion.languages import Language, say
from companion.web.kingdomino.table import COLOURS, Seat, Table
from companion.web.refused import photo_refusal
from companion.web.visit import Visit
from companion.web.wording import count_of_points, listed
from scorer.kingdomino import GameProblem, NotationError, Square, problems
from vision.photo.errors import PhotoError

__all__ = [
    "conflict_lines",
    "is_name_of_newcomer",
    "label_of",
    "name_of_newcomers",
    "number_of",
    "refusal",
    "seat_label",
    "seat_problems",
]


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


def name_of_newcomers(language: Language, visit: Visit) -> dict[str | None, str]:
    """What players are called whom nobody has named: by the colour, else by a number."""
    names: dict[str | None, str] = {
        colour: castle_colour_name(colour, language).capitalize() for colour in COLOURS
    }
    return {**names, None: visit.say("seat.numbered", number="{number}")}


def is_name_of_newcomer(name: str) -> bool:
    """Whether a player is called so, in any language, because nobody has named them."""
    for language in Language:
        colours = (castle_colour_name(colour, language) for colour in COLOURS)
        if name.casefold() in {each.casefold() for each in colours}:
            return True
        before, _, after = say("seat.numbered", language, number="|").partition("|")
        number = name.removeprefix(before).removesuffix(after)
        if name.startswith(before) and number.isdecimal():
            return True
    return False


def seat_problems(table: Table, seat: Seat, language: Language) -> list[str]:
    """What is odd about the kingdom of a seat alone, in sentences."""
    if seat.board is None:
        return []
    found = problems(seat.board.kingdom, table.rules.rules)
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
    from dataclasses import replace

    named = replace(problem, players=tuple(names[each] for each in problem.players), squares=())
    return problem_line(named, language)


def label_of(notation: str | None, language: Language) -> str:
    """A square of the notation in words."""
    try:
        return square_name(Square.parse(notation or "."), language)
    except NotationError:
        return notation or ""


def refusal(error: StoreError | PhotoError, visit: Visit) -> str:
    """Why something was not done, in a sentence."""
    if isinstance(error, PhotoError):
        return photo_refusal(error, visit)
    reason = str(error.details.get("reason", ""))
    known = (
        "name_twice",
        "bad_name",
        "too_many",
        "five_players_need_expansion",
        "duel_needs_two_players",
        "large_grid_needs_two_players",
    )
    return visit.say(f"players.refused.{reason if reason in known else 'other'}")


def _sentence(line: str) -> str:
    return f"{line[:1].upper()}{line[1:]}."
