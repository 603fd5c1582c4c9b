"""The board of a seat: what comes up is kept, what goes down, and its earlier steps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.games.kingdomino.kept_board import (
    Frame,
    KeptBoard,
    board_frame,
    board_leaf,
    frame_name,
    origin_of,
    place_of_leaf,
)
from companion.games.kingdomino.kept_reading import KeptReading
from companion.games.kingdomino.table import Seat
from companion.games.kingdomino.texts import bonus_name
from companion.languages import codes
from companion.store import Actor, Change, Confirmed, Logged, Outcome, Store, new_id
from companion.store.photos import game_of_photo
from companion.web.kingdomino.board import (
    BoardChange,
    BoardPast,
    BoardPhoto,
    BoardScore,
    BoardState,
    BoardStep,
    ChangeKind,
    OpenSquare,
)
from companion.web.visit import Visit
from scorer.kingdomino import EMPTY, Position


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
        change.insisted,
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
        there, mine = place_of_leaf(now, each.leaf), place_of_leaf(board, each.leaf)
        if there is not None:
            fresh[there] = board.kingdom[mine] if mine is not None else EMPTY
    value = KeptBoard(
        now.kingdom.replace(fresh),
        now.origin,
        now.doubtful,
        now.corrected | frozenset(fresh),
        now.frame,
        now.reading,
        now.insisted - frozenset(fresh),
    ).to_data()
    settles = tuple((each.sequence, each.leaf) for each in of_own)
    again = Change(confirmed.part, value, confirmed.part_sequence, new_id(), "set", settles)
    return store.change(game_id, again, actor)


MAX_STEPS = 100
_MAX_LINES = 600


def own_steps(
    store: Store, game_id: str, part: str, revision: int, device: str
) -> tuple[BoardStep, ...]:
    """What this device did to a kingdom up to that revision and has not taken back, the oldest
    first.

    Steps are those on the reading that is there now, after the one by which it came.
    """
    done: list[_Done] = []
    before: KeptBoard | None = None
    for line in store.changes_of(game_id, part, revision - _MAX_LINES, revision):
        after = None if line.value is None else KeptBoard.from_data(line.value)
        if before is not None and after is not None:
            step = _Done(line.sequence, before, after)
            if line.action == ChangeKind.UNDO:
                _take_away(done, line, step)
            elif line.device == device and step.way:
                done.append(step)
        elif after is None:
            done.clear()
        before = after
    found: list[BoardStep] = []
    for step in reversed(done[-MAX_STEPS:]):
        if before is None or step.after.reading != before.reading:
            break
        if step.before.reading != step.after.reading:
            found.append(BoardStep(change=step.sequence))
            break
        found.append(BoardStep(_at(step.before), _at(step.after)))
    return tuple(reversed(found))


@dataclass(frozen=True)
class _Done:
    """A change of a kingdom by its number in the game."""

    sequence: int
    before: KeptBoard
    after: KeptBoard

    @property
    def way(self) -> dict[object, tuple[object, object]]:
        """What became different: squares by their place on the lattice, edges, turns, reading."""
        sides = [
            {
                **{place: (square, set_) for place, (square, _, set_) in board.cells.items()},
                **board.edges,
                "turns": board_frame(board).turns,
                "reading": board.reading,
            }
            for board in (self.before, self.after)
        ]
        return {
            key: (sides[0].get(key), sides[1].get(key))
            for key in sides[0] | sides[1]
            if sides[0].get(key) != sides[1].get(key)
        }


def _take_away(done: list[_Done], line: Logged, step: _Done) -> None:
    """Drop what an undo took back: what it names, or the last whose way back it went."""
    back = {key: (after, before) for key, (before, after) in step.way.items()}
    for index in reversed(range(len(done))):
        each = done[index]
        if line.undoes == each.sequence or (
            line.undoes is None and back and each.way.items() >= back.items()
        ):
            del done[index]
            return


def _at(board: KeptBoard) -> BoardPast:
    return BoardPast(board.kingdom, board.corrected, board_frame(board), board.insisted)


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
        mine=_is_own(visit, seat),
        photo=photo,
        reading=kept.reading if kept else None,
        reasons=_reasons(visit, kept) if kept else {},
        open_squares=_open_squares(seat, board_frame(seat.board)),
        settled=seat.board.corrected,
        insisted=seat.board.insisted,
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


def _is_own(visit: Visit, seat: Seat) -> bool:
    """Whether the last change of a board is of this device, on whichever part of a page."""
    last = visit.store.changes_of(visit.game_id, seat.key, seat.revision - 1, seat.revision)
    return any(line.device == visit.device for line in last)


def _open_squares(seat: Seat, frame: Frame) -> dict[Position, OpenSquare]:
    """What is to be looked at on a board, by the place on the lattice."""
    return {
        frame.lattice_place(place): OpenSquare(
            tuple(map(str, squares[:MAX_OFFERS])), place in seat.asked
        )
        for place, squares in seat.offers.items()
    }


MAX_OFFERS = 6
"""What a doubtful square is offered to be, the most likely first; the palette has the rest."""


def _reasons(visit: Visit, kept: KeptReading) -> dict[str, str]:
    """What makes squares doubtful besides their labels, as far as this version has words for it."""
    squares = (each for row in kept.reading.squares for each in row)
    found = {f"reason.{each.reason}" for each in squares if each.reason}
    return {code.removeprefix("reason."): visit.say(code) for code in found & set(codes())}
