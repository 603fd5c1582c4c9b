"""The board of a seat: what comes up is kept, what goes down, and its earlier steps."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.kind import KeptBoard, board_leaf
from companion.games.kingdomino.table import Seat
from companion.games.kingdomino.texts import bonus_name
from companion.store import Actor, Change, Confirmed, Logged, Outcome, Store, new_id
from companion.web.kingdomino.board_messages import (
    BoardChange,
    BoardPhoto,
    BoardReading,
    BoardScore,
    BoardState,
    BoardStep,
    ChangeKind,
    Frame,
)
from companion.web.visit import Visit
from scorer.kingdomino import Kingdom, Position

__all__ = [
    "MAX_STEPS",
    "board_frame",
    "board_state",
    "confirm_change",
    "earlier_steps",
    "kept_board",
    "lattice_place",
    "rotated",
]


def kept_board(change: BoardChange, before: KeptBoard | None) -> KeptBoard:
    """The board as the store keeps it, after a change of what was there ``before``.

    The frame of the board is its turns and the lattice place of its first square. Squares are
    merged within one turn only, so the turns are the name of the frame, and the origin is the
    square that lies on the lattice place (0, 0).
    """
    lattice = change.frame.lattice_place
    doubtful = before.doubtful if before else frozenset()
    frame = board_frame(before) if before else Frame()
    still = {frame.lattice_place(place) for place in doubtful}
    return KeptBoard(
        change.kingdom,
        _turned_back((-change.frame.row, -change.frame.column), change.frame.turns),
        frozenset(
            place
            for place, _ in change.kingdom.items()
            if lattice(place) in still and place not in change.settled
        ),
        change.settled,
        _name_of(change.frame.turns),
        before.reading if before else None,
    )


def board_frame(board: KeptBoard) -> Frame:
    """Where a kept board lies on the lattice of its reading."""
    turns = int(board.frame or "0")
    row, column = _turned(board.origin, turns)
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
            _turned_back((-first[0], -first[1]), after),
            frozenset((c, height - 1 - r) for r, c in board.doubtful),
            frozenset((c, height - 1 - r) for r, c in board.corrected),
            _name_of(after),
            board.reading,
        )
    return board


def confirm_change(
    store: Store, game_id: str, part: str, change: BoardChange, board: KeptBoard, actor: Actor
) -> Confirmed:
    """The change of a board in the store.

    A phone that taps on before it is answered builds each change on its own last one, while it
    still names the state before. So where nobody else changed the board since, that last change
    is what the new one is based on; and where somebody did, a square that this phone set twice is
    no collision with itself.
    """
    own = store.changes_of(game_id, part, change.base)
    mine = [row for row in own if row.change_id.startswith(f"{change.client}.")]
    change_id = f"{change.client}.{change.seq}"
    action = change.actions[-1].kind.value if change.actions else "set"
    based_on = own[-1].part_sequence if own and len(mine) == len(own) else change.base
    sent = Change(part, board.to_data(), based_on, change_id, action)
    confirmed = store.change(game_id, sent, actor)
    if confirmed.outcome is not Outcome.COLLIDED or confirmed.again or not mine:
        return confirmed
    return _own_again(store, game_id, confirmed, mine[-1], board, actor)


def _own_again(
    store: Store, game_id: str, confirmed: Confirmed, last: Logged, board: KeptBoard, actor: Actor
) -> Confirmed:
    """Collisions of a phone with its own change before: the later one is meant."""
    of_own = [
        each
        for each in confirmed.collisions
        if each.leaf and each.kept == board_leaf(last.value, each.leaf)
    ]
    if not of_own:
        return confirmed
    now = KeptBoard.from_data(confirmed.value)
    fresh = {}
    for each in of_own:
        row, column = map(int, each.leaf.split(","))
        there = (row + now.origin[0], column + now.origin[1])
        mine = (row + board.origin[0], column + board.origin[1])
        fresh[there] = board.kingdom[mine]
    value = KeptBoard(
        now.kingdom.replace(fresh),
        now.origin,
        now.doubtful,
        now.corrected | frozenset(fresh),
        now.frame,
        now.reading,
    ).to_data()
    settles = tuple((each.sequence, each.leaf) for each in of_own)
    again = Change(confirmed.part, value, confirmed.part_sequence, new_id(), "set", settles)
    return store.change(game_id, again, actor)


def _name_of(turns: int) -> str:
    return str(turns) if turns else ""


def _turned(place: Position, turns: int) -> Position:
    """A step on the board as a step on the lattice."""
    return Frame(turns).lattice_place(place)


def _turned_back(place: Position, turns: int) -> Position:
    return Frame((4 - turns) % 4).lattice_place(place)


MAX_STEPS = 200
_MAX_LINES = 600


def earlier_steps(store: Store, game_id: str, part: str, revision: int) -> tuple[BoardStep, ...]:
    """The states of a kingdom before the one of that revision, the oldest first.

    What was undone is not among them, nor what was there before the kingdom was read anew.
    """
    steps: list[BoardStep] = []
    reading: str | None = None
    for line in store.changes_of(game_id, part, revision - _MAX_LINES, revision):
        if line.value is None:
            steps.clear()
            continue
        board = KeptBoard.from_data(line.value)
        if board.reading != reading:
            steps.clear()
            reading = board.reading
        step = BoardStep(board.kingdom, board.corrected, board_frame(board))
        if line.action == ChangeKind.UNDO and step in steps:
            del steps[_last_index(steps, step) :]
        if not steps or steps[-1] != step:
            steps.append(step)
    return tuple(steps[:-1][-MAX_STEPS:])


def _last_index(steps: list[BoardStep], step: BoardStep) -> int:
    return max(index for index, each in enumerate(steps) if each == step)


_PHOTO = re.compile(r"[A-Za-z0-9_-]{1,64}")


def board_state(
    visit: Visit,
    seat: Seat,
    kept: KeptReading | None,
    notice: str | None = None,
    *,
    court: bool = False,
) -> BoardState:
    """What goes down to the board of a seat that has one; with ``court`` The Court is played."""
    assert seat.board is not None
    assert seat.score is not None
    photo = None
    if kept is not None and _PHOTO.fullmatch(kept.photo or "") and kept.width and kept.height:
        photo = BoardPhoto(f"photo/{kept.photo}", kept.width, kept.height)
    return BoardState(
        seat.board.kingdom,
        seat.revision,
        score=BoardScore.of(seat.score, lambda bonus: bonus_name(bonus, visit.language)),
        court=court,
        photo=photo,
        reading=_board_reading(visit, seat.board, kept) if kept else None,
        settled=seat.board.corrected,
        frame=board_frame(seat.board),
        title=seat.player.name,
        colour=seat.player.colour,
        notice=notice,
    )


def _board_reading(visit: Visit, kept_board_: KeptBoard, kept: KeptReading) -> BoardReading:
    """The reading with the doubts of now: settling a table may have added some."""
    found = BoardReading.of(kept.reading)
    frame = board_frame(kept_board_)
    doubts = {frame.lattice_place(place) for place in kept_board_.doubtful}
    rows = tuple(
        tuple(
            replace(
                each,
                doubtful=each.doubtful or (row, column) in doubts,
                why=_why(visit, kept.reading.squares[row][column].reason),
            )
            for column, each in enumerate(squares)
        )
        for row, squares in enumerate(found.squares)
    )
    return replace(found, squares=rows)


def _why(visit: Visit, code: str | None) -> str:
    """What makes a square doubtful besides its label; "" for what this version has no words for."""
    try:
        return visit.say(f"reason.{code}") if code else ""
    except KeyError:
        return ""
