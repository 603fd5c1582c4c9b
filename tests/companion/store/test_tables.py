"""The tables that the code uses are those that the migrations make."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import DateTime, Numeric, inspect, select
from sqlalchemy.exc import StatementError

from companion.store import Store
from companion.store.tables import Base, DeviceRow, SquareRow, Utc
from tests.companion.store.table_talk import ANNA, new_game


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []
    # Which does not look at how long texts may be.
    made, dialect = inspect(store.engine), store.engine.dialect
    for name, table in Base.metadata.tables.items():
        types = {each["name"]: each["type"].compile(dialect) for each in made.get_columns(name)}
        assert types == {each.name: each.type.compile(dialect) for each in table.columns}
        # Nor at what makes a row one, nor at names, by which later migrations change what there is.
        ones = made.get_pk_constraint(name)["constrained_columns"]
        assert ones == [each.name for each in table.primary_key]
        keys = {each.name for each in table.constraints} | {each.name for each in table.indexes}
        assert keys == {
            made.get_pk_constraint(name)["name"],
            *(each["name"] for each in made.get_foreign_keys(name)),
            *(each["name"] for each in made.get_unique_constraints(name)),
            *(each["name"] for each in made.get_indexes(name) if not each["unique"]),
        }


@pytest.fixture
def in_tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Where this computer's clock is nine hours before UTC, if it can be told so."""
    monkeypatch.setenv("TZ", "JST-9")
    if hasattr(time, "tzset"):
        time.tzset()
    yield
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.mark.usefixtures("in_tokyo")
def test_every_moment_is_kept_in_utc_and_given_back_so(store: Store) -> None:
    columns = [each for table in Base.metadata.tables.values() for each in table.columns]
    assert sum(isinstance(each.type, Utc) for each in columns) > 5
    assert not any(isinstance(each.type, DateTime | Numeric) for each in columns)
    game = new_game(store)
    moment = datetime(2026, 3, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    with store.writing() as session:
        session.get_one(DeviceRow, (game.id, ANNA.device)).joined_at = moment
    with store.reading() as session:
        joined_at = session.scalars(select(DeviceRow.joined_at)).one()
        assert (joined_at, joined_at.tzinfo) == (moment, UTC)
        kept = session.connection().exec_driver_sql("SELECT joined_at FROM devices").scalar()
    assert str(kept).startswith("2026-02-28 23:30:00")
    with pytest.raises(StatementError, match="zone"), store.writing() as session:
        session.get_one(DeviceRow, (game.id, ANNA.device)).joined_at = datetime(2026, 3, 1)


def test_pictures_are_loaded_where_they_are_asked_for_alone() -> None:
    pictures = {each.key for each in inspect(SquareRow).column_attrs if each.deferred}
    assert pictures == {"png"}
