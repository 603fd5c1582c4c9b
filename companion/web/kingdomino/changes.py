"""What comes up from the board of a seat, brought into the store, and the way back down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from companion.games import Actor, Change, Confirmed, Outcome, Store, new_id
from companion.games.tables import ChangeRow
from companion.kingdomino.kept_board import KeptBoard, board_leaf
from companion.web.board import BoardChange, Frame
from scorer.kingdomino import Kingdom, Position

__all__ = ["board_frame", "confirm_change", "kept_board", "lattice_place", "rotated"]


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
    own = _since(store, game_id, part, change.base)
    mine = [row for row in own if row.change_id.startswith(f"{change.client}.")]
    change_id = f"{change.client}.{change.seq}"
    action = change.actions[-1].kind.value if change.actions else "set"
    based_on = own[-1].sequence if own and len(mine) == len(own) else change.base
    sent = Change(part, board.to_data(), based_on, change_id, action)
    confirmed = store.change(game_id, sent, actor)
    if confirmed.outcome is not Outcome.COLLIDED or confirmed.again or not mine:
        return confirmed
    return _own_again(store, game_id, confirmed, mine[-1], board, actor)


def _own_again(
    store: Store, game_id: str, confirmed: Confirmed, last: _Row, board: KeptBoard, actor: Actor
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


@dataclass(frozen=True)
class _Row:
    sequence: int
    change_id: str
    value: object


def _since(store: Store, game_id: str, part: str, base: int) -> Sequence[_Row]:
    """The changes of a part after one of its sequence numbers, the oldest first."""
    wanted = (
        select(ChangeRow.part_sequence, ChangeRow.change_id, ChangeRow.value)
        .where(ChangeRow.game_id == game_id, ChangeRow.part == part, ChangeRow.part_sequence > base)
        .order_by(ChangeRow.part_sequence)
    )
    with store.reading() as session:
        return [_Row(*row) for row in session.execute(wanted)]


def _name_of(turns: int) -> str:
    return str(turns) if turns else ""


def _turned(place: Position, turns: int) -> Position:
    """A step on the board as a step on the lattice."""
    return Frame(turns).lattice_place(place)


def _turned_back(place: Position, turns: int) -> Position:
    return Frame((4 - turns) % 4).lattice_place(place)
