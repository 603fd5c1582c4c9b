"""The store: games made, joined, loaded, changed, watched and undone."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import URL, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from companion.store.confirming import (
    Step,
    confirm,
    locked,
    open_collisions,
    other_value,
    redo_step,
    remember_names,
    undo_step,
)
from companion.store.database import database_url, make_engine, parsed_url, upgrade, writing
from companion.store.errors import StoreError
from companion.store.kinds import kind_of
from companion.store.merging import Json
from companion.store.model import (
    PLAYERS,
    Actor,
    Change,
    Changes,
    Confirmed,
    Game,
    Logged,
    Outcome,
    Part,
)
from companion.store.parts import check_plain, checked_id
from companion.store.tables import ChangeRow, DeviceRow, GameRow, PartRow, ReadingRow


def load(session: Session, game_id: str) -> Game:
    """The game as it stands in this session; StoreError ``no_game``."""
    game = session.get(GameRow, game_id)
    if game is None:
        raise StoreError("no_game")
    rows = session.scalars(select(PartRow).where(PartRow.game_id == game_id).order_by(PartRow.key))
    parts = {row.key: Part(row.value, row.sequence) for row in rows}
    values = {key: part.value for key, part in parts.items() if part.value is not None}
    return Game(
        game.id,
        game.kind,
        game.kept,
        game.created_at,
        game.changed_at,
        game.played_at,
        game.deleted_at,
        game.sequence,
        parts,
        kind_of(game.kind).results(values),
        open_collisions(session, game_id),
    )


def logged(row: ChangeRow) -> Logged:
    """A line of the log as it is given to others."""
    points = {int(player): value for player, value in (row.points or {}).items()}
    return Logged(
        row.sequence,
        row.part,
        row.part_sequence,
        row.action,
        Outcome(row.outcome),
        row.device,
        row.who,
        row.at,
        row.change_id,
        row.value,
        row.undoes,
        points,
    )


_HERE = Actor()


def new_id() -> str:
    """An unguessable id (128 bits) for a game, a device or a change, safe in an address."""
    return secrets.token_urlsafe(16)


def open_store(url: str | URL | None = None) -> Store:
    """The store of a database, its tables brought up to date.

    Without a URL it is that of ``KINGDOMINO_DATABASE_URL``, else the SQLite file in the user's
    data folder. StoreError ``bad_url`` or ``newer_database``.
    """
    if url is None:
        url = database_url()
    return Store(parsed_url(url) if isinstance(url, str) else url)


class Store:
    """Games in a database; may be used by many threads and processes at once.

    What a method has returned is on the disk. Every method that takes a ``game_id`` raises
    StoreError ``no_game`` for one that is not there, and ``deleted_game`` where a deleted one
    can't be changed.
    """

    def __init__(self, url: URL) -> None:
        self.engine = make_engine(url)
        try:
            upgrade(self.engine)
        except BaseException:
            self.engine.dispose()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @property
    def is_on_server(self) -> bool:
        """Whether the database is a server's, so that other computers may use it too."""
        return self.engine.dialect.name != "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state of the database."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are on the disk when the block ends; all of them or none."""
        with Session(writing(self.engine), expire_on_commit=False) as session, session.begin():
            yield session

    def create_game(
        self,
        kind: str,
        parts: Mapping[str, Json] | None = None,
        actor: Actor = _HERE,
        *,
        kept: bool = False,
    ) -> Game:
        """A new game with an unguessable id; its first ``parts`` are changes like any other.

        ``kept`` is for a board without a game. StoreError ``unknown_kind`` or one of ``change``.
        """
        kind_of(kind)
        now = datetime.now(UTC)
        game_id = new_id()
        with self.writing() as session:
            game = GameRow(
                id=game_id,
                kind=kind,
                kept=kept,
                created_at=now,
                changed_at=now,
                played_at=now,
                sequence=0,
                complete=False,
                search_text="",
            )
            session.add(game)
            session.flush()
            session.add(DeviceRow(game_id=game_id, device=actor.device, joined_at=now))
            for part, value in (parts or {}).items():
                change = Change(part, value, 0, f"new:{part}", "create")
                self._confirm(session, game, change, actor)
        return self.game(game_id)

    def game(self, game_id: str) -> Game:
        """The game as it stands, a deleted one too."""
        with self.reading() as session:
            return load(session, game_id)

    def join(self, game_id: str, actor: Actor) -> Game:
        """The game, from now on in the history of this device too."""
        checked_id(actor.device)
        with self.writing() as session:
            game = locked(session, game_id)
            if session.get(DeviceRow, (game.id, actor.device)) is None:
                now = datetime.now(UTC)
                session.add(DeviceRow(game_id=game.id, device=actor.device, joined_at=now))
            return load(session, game_id)

    def has_joined(self, game_id: str, device: str) -> bool:
        """Whether a device has made or joined the game."""
        with self.reading() as session:
            return session.get(DeviceRow, (game_id, device)) is not None

    def answers(self) -> bool:
        """Whether the database answers a question, so that games can be shown."""
        try:
            with self.reading() as session:
                session.execute(select(select(DeviceRow.device).exists()))
        except SQLAlchemyError:
            return False
        return True

    def is_deleted(self, game_id: str) -> bool:
        """Whether the game has been deleted and not restored since."""
        with self.reading() as session:
            game = session.get(GameRow, game_id)
            return game is not None and game.deleted_at is not None

    def devices(self, game_id: str) -> int:
        """How many devices have made or joined the game."""
        with self.reading() as session:
            return len(
                session.scalars(select(DeviceRow.device).where(DeviceRow.game_id == game_id)).all()
            )

    def change(self, game_id: str, change: Change, actor: Actor = _HERE) -> Confirmed:
        """Confirm one change; see ``change_all``."""
        return self.change_all(game_id, [change], actor)[0]

    def change_all(
        self, game_id: str, changes: Sequence[Change], actor: Actor = _HERE
    ) -> list[Confirmed]:
        """Confirm changes together, all or none.

        A change that was based on an older state is merged place by place; where both set the
        same place, the earlier stays, both are kept as a collision, and the confirmation says so.
        A change sent again is confirmed again (``again``) with the value of now.

        StoreError ``bad_part``, ``bad_value``, ``bad_players``, ``too_large``, ``bad_sequence``
        or ``change_id_reused``; then nothing is changed.
        """
        with self.writing() as session:
            game = locked(session, game_id)
            return [self._confirm(session, game, change, actor) for change in changes]

    def undo(self, game_id: str, sequence: int, change_id: str, actor: Actor = _HERE) -> Confirmed:
        """Take back one change, named by its number in the game.

        Only what that change had changed is set back, whatever was done since; where somebody
        changed the same place meanwhile, that stays, and both are asked about. It is a change like
        any other and can be done again. StoreError ``nothing_to_undo``.
        """
        return self._stepped(undo_step, game_id, sequence, change_id, actor)

    def redo(self, game_id: str, sequence: int, change_id: str, actor: Actor = _HERE) -> Confirmed:
        """Do a change again that is undone, by its number. StoreError ``nothing_to_redo``."""
        return self._stepped(redo_step, game_id, sequence, change_id, actor)

    def _stepped(
        self,
        find: Callable[[Session, str, int], Step],
        game_id: str,
        sequence: int,
        change_id: str,
        actor: Actor,
    ) -> Confirmed:
        """Confirm the step that ``find`` gives, unless the change was confirmed before."""
        with self.writing() as session:
            game = locked(session, game_id)
            if again := self._again(session, game, sequence, change_id):
                return again
            step = find(session, game_id, sequence)
            change = Change(step.part, step.value, step.base_sequence, change_id, step.action)
            return confirm(session, game, change, actor, step)

    def settle_collision(
        self, game_id: str, sequence: int, actor: Actor = _HERE, *, take_other: bool
    ) -> Confirmed:
        """Decide all that collided of a change: what is there stays, or what it sent is taken.

        StoreError ``no_collision`` where nothing is open of that change, or one of ``change``.
        """
        with self.writing() as session:
            game = locked(session, game_id)
            other = other_value(session, game_id, kind_of(game.kind), sequence)
            found = open_collisions(session, game_id, sequence)
            part = session.get_one(PartRow, (game_id, found[0].part))
            change = Change(
                part.key,
                other if take_other else part.value,
                part.sequence,
                new_id(),
                "settle_collision",
                tuple((each.sequence, each.leaf) for each in found),
            )
            return self._confirm(session, game, change, actor)

    def changes_since(self, game_id: str, sequence: int, limit: int = 200) -> Changes:
        """What was changed after the change of that number, oldest first.

        One look-up by key where nothing was, so that many phones may ask every second.
        """
        with self.reading() as session:
            now = session.scalars(select(GameRow.sequence).where(GameRow.id == game_id)).first()
            if now is None:
                raise StoreError("no_game")
            if now <= sequence:
                return Changes(now)
            rows = session.scalars(
                select(ChangeRow)
                .where(ChangeRow.game_id == game_id, ChangeRow.sequence > sequence)
                .order_by(ChangeRow.sequence)
                .limit(limit)
            ).all()
            found = tuple(logged(row) for row in rows)
            return Changes(
                found[-1].sequence,
                found,
                open_collisions(session, game_id),
                more=found[-1].sequence < now,
            )

    def log(self, game_id: str) -> tuple[Logged, ...]:
        """Every change of the game from the first, with the points after it."""
        with self.reading() as session:
            if session.get(GameRow, game_id) is None:
                raise StoreError("no_game")
            rows = session.scalars(
                select(ChangeRow).where(ChangeRow.game_id == game_id).order_by(ChangeRow.sequence)
            )
            return tuple(logged(row) for row in rows)

    def changes_of(
        self, game_id: str, part: str, after: int, until: int | None = None
    ) -> tuple[Logged, ...]:
        """The changes of one part, the oldest first: those after one of its sequence numbers.

        ``until`` is the last of its numbers that is wanted.
        """
        wanted = select(ChangeRow).where(
            ChangeRow.game_id == game_id, ChangeRow.part == part, ChangeRow.part_sequence > after
        )
        if until is not None:
            wanted = wanted.where(ChangeRow.part_sequence <= until)
        with self.reading() as session:
            rows = session.scalars(wanted.order_by(ChangeRow.part_sequence))
            return tuple(logged(row) for row in rows)

    def keep_reading(self, game_id: str, data: Json) -> str:
        """Keep what the reader made of a photo; the id by which a board names it."""
        check_plain("reading", data)
        reading_id = new_id()
        with self.writing() as session:
            game = locked(session, game_id)
            session.add(ReadingRow(game_id=game.id, id=reading_id, data=data))
        return reading_id

    def readings(self, game_id: str) -> dict[str, Json]:
        """The readings kept with a game, by id."""
        with self.reading() as session:
            rows = session.scalars(select(ReadingRow).where(ReadingRow.game_id == game_id))
            return {row.id: row.data for row in rows}

    def _confirm(self, session: Session, game: GameRow, change: Change, actor: Actor) -> Confirmed:
        confirmed = confirm(session, game, change, actor)
        if change.part == PLAYERS and confirmed.value and not confirmed.again:
            remember_names(session, {PLAYERS: confirmed.value}, actor)
        return confirmed

    def _again(
        self, session: Session, game: GameRow, sequence: int, change_id: str
    ) -> Confirmed | None:
        """The confirmation of an undo or redo that was sent before."""
        row = session.scalars(
            select(ChangeRow).where(ChangeRow.game_id == game.id, ChangeRow.change_id == change_id)
        ).first()
        if row is None:
            return None
        if row.undoes != sequence:
            raise StoreError("change_id_reused", change_id=change_id)
        now = session.get_one(PartRow, (game.id, row.part))
        found = open_collisions(session, game.id, row.sequence)
        return Confirmed(
            row.part, row.sequence, now.sequence, now.value, Outcome(row.outcome), found, again=True
        )
