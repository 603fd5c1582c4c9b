"""A kingdom as it is kept: its squares with their state, where it lies on the lattice of its
reading, turned, and two changes of it put together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from companion.store.merging import WHOLE, Json, LeafCollision, Merged, merge_whole, three_way
from scorer.kingdomino import CASTLE, EMPTY, Kingdom, NotationError, Position

if TYPE_CHECKING:  # Keeping a board needs no OpenCV.
    from vision.kingdomino.result import KingdomReading

_TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))


@dataclass(frozen=True)
class Frame:
    """The place of a board on the lattice of its reading.

    ``turns`` are quarter turns clockwise (0..3) that the board was turned by, ``row`` and
    ``column`` the lattice place of its square (0, 0).
    """

    turns: int = 0
    row: int = 0
    column: int = 0

    def __post_init__(self) -> None:
        if self.turns not in range(4):
            raise ValueError(f"turns: expected 0..3, got {self.turns}")

    def lattice_place(self, position: Position) -> Position:
        """The (row, column) of the reading that a square of the board lies on."""
        a, b, c, d = _TURNS[self.turns]
        row, column = position
        return a * row + b * column + self.row, c * row + d * column + self.column


AS_READ = Frame()


def origin_of(frame: Frame) -> Position:
    """The origin of a board in a frame: the square that lies on the lattice place (0, 0)."""
    return Frame((4 - frame.turns) % 4).lattice_place((-frame.row, -frame.column))


def frame_name(frame: Frame) -> str:
    """The name of a frame: its turns, "" for none."""
    return str(frame.turns) if frame.turns else ""


MAX_SIDE = 20
"""The most rows or columns: more than any kingdom or reading has."""

SquareState = tuple[str, bool, int]
"""The notation of a square, whether it is doubtful, and what people said of it.

That is 1 where a person set or confirmed it, 2 where one insists on it although the box says
otherwise, else 0.
"""

_BARE: SquareState = (str(EMPTY), False, 0)


@dataclass(frozen=True)
class KeptBoard:
    """A kingdom with the state of its squares and its reading.

    ``doubtful`` and ``corrected`` are (row, column), and so is ``origin``: the position of the
    square that was (0, 0) when the board was new, which moves as rows and columns are added or
    trimmed. ``frame`` names the quarter turns by which it was turned since, "" for none.
    ``reading`` is the id of the reading kept with the game. ``insisted`` are those of the
    ``corrected`` squares that a person called right although the box of the game says otherwise.
    """

    kingdom: Kingdom
    origin: Position = (0, 0)
    doubtful: frozenset[Position] = frozenset()
    corrected: frozenset[Position] = frozenset()
    frame: str = ""
    reading: str | None = None
    insisted: frozenset[Position] = frozenset()

    @classmethod
    def by_hand(cls, side: int) -> Self:
        """A grid to be filled by hand, with the castle in its middle."""
        return cls(Kingdom.empty(side, side).replace({(side // 2, side // 2): CASTLE}))

    @classmethod
    def of_reading(cls, reading: KingdomReading, reading_id: str | None = None) -> Self:
        """The kingdom of a photo with its doubts; its reading is kept under that id."""
        doubtful = frozenset(reading.doubtful)
        return cls(reading.kingdom, doubtful=doubtful, reading=reading_id)

    @classmethod
    def from_data(cls, data: Json) -> Self:
        """The board from plain data; ValueError or NotationError if they are invalid."""
        known = {"kingdom", "origin", "doubtful", "corrected", "frame", "reading", "insisted"}
        if not isinstance(data, dict) or not data.keys() <= known:
            raise ValueError("board: expected its fields and no others")
        if not isinstance(data.get("kingdom"), str):
            raise NotationError("empty_text")
        kingdom = Kingdom.parse(data["kingdom"])
        if max(kingdom.height, kingdom.width) > MAX_SIDE:
            raise ValueError(f"board: expected at most {MAX_SIDE} rows and columns")
        frame, reading = data.get("frame", ""), data.get("reading")
        if not isinstance(frame, str) or len(frame) > 200:
            raise ValueError("frame: expected a short text")
        if reading is not None and not isinstance(reading, str):
            raise ValueError("reading: expected an id")
        corrected = _places(data.get("corrected", []), kingdom)
        insisted = _places(data.get("insisted", []), kingdom)
        if not insisted <= corrected:
            raise ValueError("insisted: expected squares that a person corrected")
        return cls(
            kingdom,
            _position(data.get("origin", [0, 0])),
            _places(data.get("doubtful", []), kingdom),
            corrected,
            frame,
            reading,
            insisted,
        )

    def to_data(self) -> Json:
        """Plain data in canonical form: equal boards have equal data."""
        insisted = [list(place) for place in sorted(self.insisted)]
        return {
            "kingdom": self.kingdom.format(),
            "origin": list(self.origin),
            "doubtful": [list(place) for place in sorted(self.doubtful)],
            "corrected": [list(place) for place in sorted(self.corrected)],
            "frame": self.frame,
            "reading": self.reading,
            **({"insisted": insisted} if insisted else {}),
        }

    @property
    def cells(self) -> dict[Position, SquareState]:
        """Every square by its place on the lattice, which no turning and no trimming changes."""
        there = board_frame(self).lattice_place
        return {
            there(place): (
                str(square),
                place in self.doubtful,
                (place in self.corrected) + (place in self.insisted),
            )
            for place, square in self.kingdom.items()
        }

    @property
    def edges(self) -> dict[str, int]:
        """The first and last row and column on the lattice."""
        there = board_frame(self).lattice_place
        corners = there((0, 0)), there((self.kingdom.height - 1, self.kingdom.width - 1))
        (top, bottom), (left, right) = (sorted(each) for each in zip(*corners, strict=True))
        return {"top": top, "left": left, "bottom": bottom, "right": right}


def board_frame(board: KeptBoard) -> Frame:
    """Where a kept board lies on the lattice of its reading."""
    turns = int(board.frame or "0")
    row, column = Frame(turns).lattice_place(board.origin)
    return Frame(turns, -row, -column)


def lattice_place(board: KeptBoard, position: Position) -> Position:
    """The (row, column) of the reading that a square of a kept board lies on."""
    return board_frame(board).lattice_place(position)


def rotated(board: KeptBoard, turns: int) -> KeptBoard:
    """The board turned clockwise by quarter turns, its marks and its place on the lattice too."""
    for _ in range(turns % 4):
        height = board.kingdom.height
        rows = tuple(
            tuple(board.kingdom[height - 1 - row, column] for row in range(height))
            for column in range(board.kingdom.width)
        )
        frame = board_frame(board)
        first = frame.lattice_place((height - 1, 0))
        after = (frame.turns + 1) % 4
        board = KeptBoard(
            Kingdom(rows),
            origin_of(Frame(after, *first)),
            frozenset((c, height - 1 - r) for r, c in board.doubtful),
            frozenset((c, height - 1 - r) for r, c in board.corrected),
            frame_name(Frame(after)),
            board.reading,
            frozenset((c, height - 1 - r) for r, c in board.insisted),
        )
    return board


def on_reading(
    board: KeptBoard,
    kingdom: Kingdom,
    doubtful: Iterable[Position],
    moved: Position,
    reading: str | None,
) -> KeptBoard:
    """The board on another reading of its kingdom: what people set stays, all else is as read.

    ``moved`` is where on the lattice of the reading before the square (0, 0) of the new one lies.
    It is turned as it was.
    """
    asked = set(doubtful)
    cells = {place: (str(square), place in asked, 0) for place, square in kingdom.items()}
    for (row, column), (square, _, by_people) in board.cells.items():
        place = row - moved[0], column - moved[1]
        if by_people:
            cells[place] = square, place in asked, by_people
    edges = {"top": 0, "left": 0, "bottom": kingdom.height - 1, "right": kingdom.width - 1}
    return rotated(_built(cells, edges, reading), board_frame(board).turns)


def merge_boards(base: Json, current: Json, sent: Json) -> Merged:
    """Merge two changes of a kingdom square by square, and its turns beside them.

    A square that a person set has precedence over one that nobody did. Two different squares set by
    people collide, as do two readings; a leaf is ``row,column`` on the lattice. A square set in a
    row that has been trimmed meanwhile restores the row.
    """
    if base is None or current is None or sent is None or current in (base, sent) or base == sent:
        return merge_whole(base, current, sent)
    boards = [KeptBoard.from_data(each) for each in (base, current, sent)]
    if len({board.reading for board in boards}) > 1:
        return merge_whole(base, current, sent)
    try:
        turns = [board_frame(board).turns for board in boards]
    except ValueError:
        return merge_whole(base, current, sent)
    cells = [board.cells for board in boards]
    places = sorted(set().union(*cells))
    filled = [{place: side.get(place, _BARE) for place in places} for side in cells]
    merged, unsettled = three_way(filled[0], filled[1], filled[2], _settled)
    edges, _ = three_way(boards[0].edges, boards[1].edges, boards[2].edges, _outer)
    board = rotated(_built(merged, edges, boards[1].reading), _both_turned(*turns))
    collisions = tuple(
        LeafCollision(f"{place[0]},{place[1]}", filled[1][place][0], filled[2][place][0])
        for place in unsettled
    )
    return Merged(board.to_data(), collisions)


def board_leaf(value: Json, leaf: str) -> Json:
    """The value of a board at a leaf of ``merge_boards``."""
    if value is None or leaf == WHOLE:
        return value
    row, column = map(int, leaf.split(","))
    cell = KeptBoard.from_data(value).cells.get((row, column))
    return None if cell is None else cell[0]


def place_of_leaf(board: KeptBoard, leaf: str) -> Position | None:
    """The square of a board that a leaf of ``merge_boards`` names; None where it has none there."""
    row, column = map(int, leaf.split(","))
    there = board_frame(board).lattice_place
    return next(
        (place for place, _ in board.kingdom.items() if there(place) == (row, column)), None
    )


def _settled(_place: Position, current: SquareState, sent: SquareState) -> SquareState | None:
    if current[0] == sent[0]:
        return current[0], current[1] and sent[1], max(current[2], sent[2])
    if bool(current[2]) != bool(sent[2]):
        return current if current[2] else sent
    return None if current[2] else current


def _outer(edge: str, current: int, sent: int) -> int:
    return min(current, sent) if edge in ("top", "left") else max(current, sent)


def _both_turned(base: int, current: int, sent: int) -> int:
    """The turns of both sides; the same turn by both of them is one."""
    return current if current == sent else current + sent - base


def _built(
    cells: dict[Position, SquareState], edges: dict[str, int], reading: str | None
) -> KeptBoard:
    """The board of these squares of the lattice, not turned."""
    taken = [place for place, cell in cells.items() if cell[0] != str(EMPTY) or cell[2]]
    rows, columns = [place[0] for place in taken], [place[1] for place in taken]
    top, bottom = min([edges["top"], *rows]), max([edges["bottom"], *rows])
    left, right = min([edges["left"], *columns]), max([edges["right"], *columns])
    inside = {
        (row - top, column - left): cells.get((row, column), _BARE)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    }
    lines = [
        " ".join(inside[row, column][0] for column in range(right - left + 1))
        for row in range(bottom - top + 1)
    ]
    return KeptBoard(
        Kingdom.parse("/".join(lines)),
        (-top, -left),
        frozenset(place for place, cell in inside.items() if cell[1]),
        frozenset(place for place, cell in inside.items() if cell[2]),
        reading=reading,
        insisted=frozenset(place for place, cell in inside.items() if cell[2] > 1),
    )


def _position(value: Json) -> Position:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or any(type(each) is not int or abs(each) > 1000 for each in value)
    ):
        raise ValueError("position: expected [row, column]")
    return value[0], value[1]


def _places(values: Json, kingdom: Kingdom) -> frozenset[Position]:
    if not isinstance(values, list):
        raise ValueError("places: expected a list of [row, column]")
    places = frozenset(map(_position, values))
    _check_inside(places, kingdom)
    return places


def _check_inside(places: Iterable[Position], kingdom: Kingdom) -> None:
    for row, column in places:
        if row not in range(kingdom.height) or column not in range(kingdom.width):
            raise ValueError(f"places: expected inside the kingdom, got {(row, column)}")
