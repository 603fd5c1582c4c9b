"""What the boards of a table show: what was read and what people decided, and what is in doubt.

Nothing here writes. Every square that nobody has settled shows what was read; what the box of the
whole game says of it is asked, and changes nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock

from companion.games.kingdomino.kept_board import KeptBoard, board_frame
from companion.games.kingdomino.kept_reading import KeptReading
from scorer.kingdomino import Position, Square
from vision.kingdomino.resettling import settle_together
from vision.kingdomino.result import ANY_SQUARE, KingdomReading, SquareReading, alternatives


@dataclass(frozen=True)
class ShownBoard:
    """A board with what is in doubt on it, by (row, column).

    ``offers`` has every square that a person should look at, with what else may lie there, the most
    likely first. ``asked`` are those of them where the box of the whole game says otherwise than
    what stands, because of what people set elsewhere, and nobody insists, with what it says.
    """

    board: KeptBoard
    offers: Mapping[Position, tuple[Square, ...]] = field(default_factory=dict)
    asked: Mapping[Position, Square] = field(default_factory=dict)


def shown_boards(
    boards: Mapping[str, KeptBoard], readings: Mapping[str, KeptReading], *, giants: bool = False
) -> dict[str, ShownBoard]:
    """What the boards of one game show, by the same keys; ``readings`` are those kept with it.

    With ``giants`` the dominoes of Age of Giants are in the box. The same boards show the same,
    in whichever order their squares were set.
    """
    says = _box_says(boards, readings, giants)
    found = {}
    for key, board in boards.items():
        kept = readings.get(board.reading or "")
        asked = {
            place: square
            for place, square in says.get(key, {}).items()
            if place not in board.insisted
        }
        others = _alternatives(board, kept.reading if kept else None)
        places = sorted((board.doubtful - board.corrected) | asked.keys())
        offers = {}
        for place in places:
            first = [asked[place]] if place in asked else []
            rest = others.get(place, ()) if place in board.doubtful - board.corrected else ()
            squares = dict.fromkeys([*first, *rest])
            squares.pop(board.kingdom[place], None)
            offers[place] = tuple(squares)
        found[key] = ShownBoard(board, offers, asked)
    return found


def _alternatives(
    board: KeptBoard, reading: KingdomReading | None
) -> dict[Position, tuple[Square, ...]]:
    """What else may lie on the doubtful squares of a board; anything where that is not known."""
    lattice = board_frame(board).lattice_place
    known = alternatives(reading) if reading else {}
    found = {}
    for place in board.doubtful:
        there = lattice(place)
        others = known.get(there, ANY_SQUARE)
        read = _read_at(reading, there)
        found[place] = (Square.parse(read.label), *others) if read and there in known else others
    return found


def _read_at(reading: KingdomReading | None, place: Position) -> SquareReading | None:
    if reading is None:
        return None
    row, column = place
    if row not in range(reading.kingdom.height) or column not in range(reading.kingdom.width):
        return None
    return reading.squares[row][column]


_Says = dict[str, dict[Position, Square]]
_SAID: OrderedDict[object, _Says] = OrderedDict()
_MOST_SAID = 256
_LOCK = Lock()


def _box_says(
    boards: Mapping[str, KeptBoard], readings: Mapping[str, KeptReading], giants: bool
) -> _Says:
    """Where the box says otherwise than a board shows, and what; kept for the last tables."""
    read = {
        key: kept.reading
        for key, board in boards.items()
        if (kept := readings.get(board.reading or "")) and kept.reading.probabilities is not None
    }
    if not any(boards[key].corrected for key in read):
        return {}
    # A reading never changes, and a board names its own.
    version = (giants, tuple((key, boards[key]) for key in sorted(read)))
    with _LOCK:
        if version in _SAID:
            _SAID.move_to_end(version)
            return _SAID[version]
    found = _ask_the_box({key: boards[key] for key in sorted(read)}, read, giants)
    with _LOCK:
        _SAID[version] = found
        while len(_SAID) > _MOST_SAID:
            _SAID.popitem(last=False)
    return found


def _ask_the_box(
    boards: Mapping[str, KeptBoard], read: Mapping[str, KingdomReading], giants: bool
) -> _Says:
    at_lattice = {key: _by_lattice(boards[key], read[key]) for key in boards}
    corrections = [
        {
            there: str(boards[key].kingdom[place].printed)
            for there, place in at_lattice[key].items()
            if place in boards[key].corrected
        }
        for key in boards
    ]
    try:
        settled = settle_together([read[key] for key in boards], corrections, giants=giants)
    except ValueError:
        # A reading that came in with a game may hold what no reader gives.
        return {}
    found: _Says = {}
    for key, now, corrected in zip(boards, settled, corrections, strict=True):
        for there, place in at_lattice[key].items():
            row, column = there
            before, after = read[key].squares[row][column], now.squares[row][column]
            if there in corrected:
                says = after.runner_up
            elif after.label != before.label:
                says = after.label
            else:
                is_new = (after.doubtful, after.runner_up) != (before.doubtful, before.runner_up)
                says = after.runner_up if is_new else None
            if says and says != str(boards[key].kingdom[place].printed):
                found.setdefault(key, {})[place] = Square.parse(says)
    return found


def _by_lattice(board: KeptBoard, reading: KingdomReading) -> dict[Position, Position]:
    """The squares of a board by their places on the lattice of its reading."""
    lattice = board_frame(board).lattice_place
    places = {lattice(place): place for place, _ in board.kingdom.items()}
    return {there: place for there, place in places.items() if _read_at(reading, there)}
