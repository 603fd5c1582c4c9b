"""The board of a seat: what comes up is kept, what goes down, and its earlier steps."""

from __future__ import annotations

import re
from dataclasses import replace

from companion.games.kingdomino.editing import KeptReading
from companion.games.kingdomino.frame import (
    Frame,
    board_frame,
    frame_name,
    origin_of,
)
from companion.games.kingdomino.kind import KeptBoard, board_leaf
from companion.games.kingdomino.table import Seat
from companion.games.kingdomino.texts import bonus_name
from companion.store import Actor, Change, Confirmed, Logged, Outcome, Store, new_id
from companion.store.photos import game_of_photo
from companion.web.kingdomino.board_messages import (
    BoardChange,
    BoardPhoto,
    BoardReading,
    BoardScore,
    BoardState,
    BoardStep,
    ChangeKind,
)
from companion.web.visit import Visit

__all__ = [
    "MAX_STEPS",
    "board_state",
    "confirm_change",
    "earlier_steps",
    "is_photo_here",
    "is_untouched",
    "kept_board",
]


def kept_board(
    change: BoardChange, before: KeptBoard | None, kept: KeptReading | None = None
) -> KeptBoard:
    """The board as the store keeps it, after a change of what was there ``before``.

    Only squares that people have settled are taken from a phone; every other one stays as it is.
    What was read in doubt stays so in the board, settled or not, so that a decision that is taken
    back leaves nothing behind.
    """
    frame = board_frame(before) if before else Frame()
    stands = (
        {frame.lattice_place(place): place for place, _ in before.kingdom.items()} if before else {}
    )
    doubtful = {frame.lattice_place(place) for place in before.doubtful} if before else set()
    if kept is not None:
        doubtful |= {place for place in kept.reading.doubtful if place not in stands}
    fresh = {}
    for place, _ in change.kingdom.items():
        there = stands.get(change.frame.lattice_place(place))
        if before and there and place not in change.settled and there not in before.corrected:
            fresh[place] = before.kingdom[there]
    return KeptBoard(
        change.kingdom.replace(fresh),
        origin_of(change.frame),
        frozenset(
            place
            for place, _ in change.kingdom.items()
            if change.frame.lattice_place(place) in doubtful
        ),
        change.settled,
        frame_name(change.frame),
        before.reading if before else None,
    )


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
    if kept is not None and is_photo_here(visit, kept):
        photo = BoardPhoto(f"photo/{kept.photo}", kept.width, kept.height)
    return BoardState(
        seat.board.kingdom,
        seat.revision,
        score=BoardScore.of(seat.score, lambda bonus: bonus_name(bonus, visit.language)),
        court=court,
        photo=photo,
        reading=_board_reading(visit, seat, kept) if kept else None,
        settled=seat.board.corrected,
        frame=board_frame(seat.board),
        title=seat.player.name,
        colour=seat.player.colour,
        notice=notice,
    )


def is_photo_here(visit: Visit, kept: KeptReading) -> bool:
    """Whether the photo of a reading can still be shown; else its plan is."""
    name = kept.photo or ""
    if not (_PHOTO.fullmatch(name) and kept.width and kept.height):
        return False
    return visit.photos.get(name) is not None or game_of_photo(visit.store, name) is not None


def is_untouched(board: KeptBoard | None) -> bool:
    """Whether a kingdom by hand has nothing but its castle."""
    if board is None or board.reading is not None:
        return False
    return all(square.is_castle or square.is_empty for _, square in board.kingdom.items())


def _board_reading(visit: Visit, seat: Seat, kept: KeptReading) -> BoardReading:
    """The reading with the doubts of now, and what the box says first among what else may be."""
    found = BoardReading.of(kept.reading)
    assert seat.board is not None
    frame = board_frame(seat.board)
    doubts = {frame.lattice_place(place) for place in seat.board.doubtful}
    asked = {frame.lattice_place(place): square for place, square in seat.asked.items()}
    rows = tuple(
        tuple(
            replace(
                each,
                doubtful=each.doubtful or (row, column) in doubts or (row, column) in asked,
                runner_up=str(asked.get((row, column), each.runner_up or "")) or None,
                why=visit.say("seat.box_says_why")
                if (row, column) in asked
                else _why(visit, kept.reading.squares[row][column].reason),
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
