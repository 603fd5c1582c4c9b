"""One change confirmed in one transaction: merged with what came between, logged, counted, and
taken back through the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from companion.store.errors import StoreError
from companion.store.kinds import GameKind, Results, kind_of, players_of
from companion.store.merging import WHOLE, Json, LeafCollision, Merged
from companion.store.model import ABOUT, GAME, Actor, Change, Collision, Confirmed, Logged, Outcome
from companion.store.parts import (
    checked,
    checked_id,
    checked_text,
    leaf_of,
    merge_part,
    name_key,
    search_text,
)
from companion.store.tables import ChangeRow, CollisionRow, GameRow, NameRow, PartRow, ResultRow


def open_collisions(
    session: Session, game_id: str, sequence: int | None = None
) -> tuple[Collision, ...]:
    """Collisions that nobody has settled: of the game, or of one change."""
    wanted = select(CollisionRow).where(
        CollisionRow.game_id == game_id, CollisionRow.settled_by.is_(None)
    )
    if sequence is not None:
        wanted = wanted.where(CollisionRow.sequence == sequence)
    rows = session.scalars(wanted.order_by(CollisionRow.sequence, CollisionRow.leaf))
    return tuple(Collision(row.sequence, row.part, row.leaf, row.kept, row.other) for row in rows)


def settle_collisions(
    session: Session, kind: GameKind, change: Change, row: ChangeRow, values: tuple[Json, Json]
) -> None:
    """Mark the collisions that this change settles.

    It names them, or it was made knowing them and sets their place to something else.
    """
    rows = session.execute(
        select(CollisionRow, ChangeRow.part_sequence)
        .join(
            ChangeRow,
            (ChangeRow.game_id == CollisionRow.game_id)
            & (ChangeRow.sequence == CollisionRow.sequence),
        )
        .where(
            CollisionRow.game_id == row.game_id,
            CollisionRow.part == row.part,
            CollisionRow.settled_by.is_(None),
            CollisionRow.sequence < row.sequence,
        )
    ).all()
    for each, seen in rows:
        knowing = change.based_on >= seen and _touches(kind, each.leaf, row.part, values)
        if knowing or (each.sequence, each.leaf) in change.settles:
            each.settled_by = row.sequence


def _touches(kind: GameKind, leaf: str, part: str, values: tuple[Json, Json]) -> bool:
    if leaf == WHOLE:
        return bool(values[0] != values[1])
    before, after = (leaf_of(kind, part, value, leaf) for value in values)
    return bool(before != after)


@dataclass(frozen=True)
class Step:
    """A change to be taken back or done again, as two values that the part held.

    Merging the way from ``base`` to ``value`` into what the part holds now changes nothing but
    what that change had changed.
    """

    part: str
    undoes: int
    action: str
    base: Json
    value: Json
    base_sequence: int


def locked(session: Session, game_id: str) -> GameRow:
    """The game, so that nobody else changes it before this transaction ends.

    StoreError ``no_game`` or ``deleted_game``.
    """
    game = session.get(GameRow, game_id, with_for_update=True)
    if game is None:
        raise StoreError("no_game")
    if game.deleted_at is not None:
        raise StoreError("deleted_game")
    return game


def values_of(session: Session, game_id: str) -> dict[str, Json]:
    """What the parts of a game hold, by key."""
    rows = session.execute(select(PartRow.key, PartRow.value).where(PartRow.game_id == game_id))
    return {key: value for key, value in rows if value is not None}


def confirm(
    session: Session, game: GameRow, change: Change, actor: Actor, step: Step | None = None
) -> Confirmed:
    """Confirm a change of a locked game; it is on the disk when the session is committed.

    ``step`` is given where the change takes another one back or does it again.
    """
    checked_id(change.change_id)
    kind = kind_of(game.kind)
    values = values_of(session, game.id)
    others = {key: value for key, value in values.items() if key != change.part}
    before = _confirmed_before(session, game, kind, change, others)
    if before is not None:
        return before
    sent = checked(kind, change.part, change.value, others)
    part = session.get(PartRow, (game.id, change.part))
    number = part.sequence if part else 0
    if type(change.based_on) is not int or not 0 <= change.based_on <= number:
        raise StoreError("bad_sequence", expected=number, actual=change.based_on)
    current = part.value if part else None
    merged = Merged(sent)
    if step is not None or change.based_on != number:
        known = step.base if step else value_at(session, game.id, change.part, change.based_on)
        merged = _checked_merge(kind, change.part, (known, current, sent), others)
    row = log(session, game, change, actor, merged, sent, step.undoes if step else None)
    if part is None:
        session.add(PartRow(game_id=game.id, key=row.part, sequence=1, value=merged.value))
    else:
        part.sequence, part.value = row.part_sequence, merged.value
    after = others if merged.value is None else {**others, change.part: merged.value}
    row.points = record_results(session, game, kind.results(after), after)
    settle_collisions(session, kind, change, row, (current, merged.value))
    found = tuple(
        Collision(row.sequence, row.part, each.leaf, each.kept, each.other)
        for each in merged.collisions
    )
    outcome = Outcome(row.outcome)
    return Confirmed(row.part, row.sequence, row.part_sequence, merged.value, outcome, found)


def value_at(session: Session, game_id: str, part: str, number: int) -> Json:
    """What a part held after its change of that number; None for 0."""
    if number == 0:
        return None
    return session.scalars(
        select(ChangeRow.value).where(
            ChangeRow.game_id == game_id,
            ChangeRow.part == part,
            ChangeRow.part_sequence == number,
        )
    ).one()


def log(
    session: Session,
    game: GameRow,
    change: Change,
    actor: Actor,
    merged: Merged,
    sent: Json,
    undoes: int | None = None,
) -> ChangeRow:
    """Write the next line of the log, with its collisions."""
    of_part = ChangeRow.game_id == game.id, ChangeRow.part == change.part
    last = session.scalar(select(func.max(ChangeRow.part_sequence)).where(*of_part))
    outcome = Outcome.APPLIED
    if merged.collisions:
        outcome = Outcome.COLLIDED
    elif merged.value != sent:
        outcome = Outcome.MERGED
    game.sequence += 1
    game.changed_at = datetime.now(UTC)
    row = ChangeRow(
        game_id=game.id,
        sequence=game.sequence,
        part=change.part,
        part_sequence=(last or 0) + 1,
        based_on=change.based_on,
        change_id=change.change_id,
        device=actor.device,
        who=checked_text(actor.who, 40),
        at=game.changed_at,
        action=checked_text(change.action, 40),
        outcome=outcome,
        undoes=undoes,
        value=merged.value,
        sent=None if outcome is Outcome.APPLIED else sent,
    )
    session.add(row)
    session.flush()
    session.add_all(
        CollisionRow(
            game_id=game.id,
            sequence=row.sequence,
            part=row.part,
            leaf=each.leaf,
            kept=each.kept,
            other=each.other,
        )
        for each in merged.collisions
    )
    return row


def record_results(
    session: Session, game: GameRow, results: Results, values: Mapping[str, Json]
) -> dict[str, int | None]:
    """Write the standing and what the game is found by; the points by id, for the log."""
    names = {player["id"]: player["name"] for player in players_of(values)}
    session.execute(delete(ResultRow).where(ResultRow.game_id == game.id))
    session.add_all(
        ResultRow(
            game_id=game.id,
            player=each.player,
            name=names[each.player],
            name_key=name_key(names[each.player]),
            points=each.points,
            place=each.place,
            won=each.won,
            details=dict(each.details),
        )
        for each in results.players
    )
    game.complete = results.complete
    game.search_text = search_text(values)
    played_at = (values.get(ABOUT) or {}).get("played_at")
    game.played_at = datetime.fromisoformat(played_at) if played_at else game.created_at
    return _points(results)


def remember_names(session: Session, values: Mapping[str, Json], actor: Actor) -> None:
    """Keep the players' names for the device that typed them."""
    now = datetime.now(UTC)
    for player in players_of(values):
        key = name_key(player["name"])
        row = session.get(NameRow, (actor.device, key))
        if row is None:
            session.add(
                NameRow(device=actor.device, name_key=key, name=player["name"], used_at=now)
            )
        else:
            row.name, row.used_at = player["name"], now


def _points(results: Results) -> dict[str, int | None]:
    return {str(each.player): each.points for each in results.players}


def _confirmed_before(
    session: Session,
    game: GameRow,
    kind: GameKind,
    change: Change,
    others: Mapping[str, Json],
) -> Confirmed | None:
    """The confirmation of a change that was sent before; None for a new one.

    StoreError ``change_id_reused`` where something else was sent under this id.
    """
    row = session.scalars(
        select(ChangeRow).where(
            ChangeRow.game_id == game.id, ChangeRow.change_id == change.change_id
        )
    ).first()
    if row is None:
        return None
    was_sent = row.value if row.outcome == Outcome.APPLIED else row.sent
    sent = change.value
    # What was right when it was sent first may not fit the game any more.
    with suppress(StoreError):
        sent = checked(kind, change.part, sent, others)
    if row.part == GAME or row.part != change.part or was_sent not in (sent, change.value):
        raise StoreError("change_id_reused", change_id=change.change_id)
    part = session.get_one(PartRow, (game.id, change.part))
    return replace(
        Confirmed(
            row.part, row.sequence, part.sequence, part.value, Outcome(row.outcome), again=True
        ),
        collisions=open_collisions(session, game.id, row.sequence),
    )


def _checked_merge(
    kind: GameKind, part: str, sides: tuple[Json, Json, Json], others: Mapping[str, Json]
) -> Merged:
    """The three put together; where that is no value of the game, the current one stays."""
    base, current, sent = sides
    merged = merge_part(kind, part, base, current, sent)
    try:
        return Merged(checked(kind, part, merged.value, others), merged.collisions)
    except StoreError:
        return Merged(current, (LeafCollision(WHOLE, current, sent),))


UNDO = "undo"
REDO = "redo"


def other_value(session: Session, game_id: str, kind: GameKind, sequence: int) -> Json:
    """What a part holds now, but at the places where a change collided with what that one sent.

    StoreError ``no_collision`` where nothing is open of that change.
    """
    row = session.get(ChangeRow, (game_id, sequence))
    if row is None or not open_collisions(session, game_id, sequence):
        raise StoreError("no_collision", sequence=sequence)
    based_on = row.based_on - 1 if row.action == REDO else row.based_on
    base = value_at(session, game_id, row.part, based_on)
    now = session.get_one(PartRow, (game_id, row.part)).value
    return merge_part(kind, row.part, base, row.sent, now).value


@dataclass(frozen=True)
class Line:
    """What undoing looks at in a line of the log; ``undoes`` is what it undid or did again."""

    sequence: int
    device: str
    action: str
    undoes: int | None


def undo_step(session: Session, game_id: str, sequence: int) -> Step:
    """The way back from a change, named by its number in the game.

    StoreError ``nothing_to_undo`` where there is no such change, or it is undone.
    """
    row = _ordinary(session, game_id, sequence)
    if row is None or sequence in _undone(session, game_id, row.part):
        raise StoreError("nothing_to_undo", sequence=sequence)
    before = value_at(session, game_id, row.part, row.part_sequence - 1)
    return Step(row.part, sequence, UNDO, row.value, before, row.part_sequence)


def redo_step(session: Session, game_id: str, sequence: int) -> Step:
    """A change that is undone, done again. StoreError ``nothing_to_redo``."""
    row = _ordinary(session, game_id, sequence)
    if row is None or sequence not in _undone(session, game_id, row.part):
        raise StoreError("nothing_to_redo", sequence=sequence)
    before = value_at(session, game_id, row.part, row.part_sequence - 1)
    return Step(row.part, sequence, REDO, before, row.value, row.part_sequence)


def _ordinary(session: Session, game_id: str, sequence: int) -> ChangeRow | None:
    """A change that people made, neither an undo nor the end of the game."""
    row = session.get(ChangeRow, (game_id, sequence))
    return None if row is None or row.undoes is not None or row.part == GAME else row


def _undone(session: Session, game_id: str, part: str) -> dict[int, int]:
    return _folded(_lines(session, game_id, part))[1]


def undo_target(lines: Iterable[Line | Logged], device: str | None) -> int | None:
    """The sequence number of the change to undo; None where there is nothing left."""
    ordinary, undone = _folded(lines)
    left = [
        each.sequence
        for each in ordinary
        if each.sequence not in undone and device in (None, each.device)
    ]
    return left[-1] if left else None


def _folded(lines: Iterable[Line | Logged]) -> tuple[list[Line | Logged], dict[int, int]]:
    """The ordinary changes, and those of them that are undone now with the line that did it."""
    ordinary: list[Line | Logged] = []
    undone: dict[int, int] = {}
    for line in lines:
        if line.undoes is None:
            ordinary.append(line)
        elif line.action == UNDO:
            undone[line.undoes] = line.sequence
        else:
            undone.pop(line.undoes, None)
    return ordinary, undone


def _lines(session: Session, game_id: str, part: str) -> list[Line]:
    rows = session.execute(
        select(ChangeRow.sequence, ChangeRow.device, ChangeRow.action, ChangeRow.undoes)
        .where(ChangeRow.game_id == game_id, ChangeRow.part == part)
        .order_by(ChangeRow.sequence)
    )
    return [Line(*row) for row in rows]
