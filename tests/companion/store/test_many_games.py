"""What a device asks costs what its own games cost, however many others keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

from companion.store import Store, open_store
from tests.companion.store.many_games import CALLS, DEVICE, add_games, double_games
from tests.companion.store.servers import fresh_database

OTHERS = 4_000
OWN = 5


def filled(folder: Path, others: int) -> Store:
    """A store with few games of the device, the earliest of all, and many of others."""
    store = open_store(f"sqlite:///{folder / f'{others}.sqlite'}")
    # Ben, who is asked for, plays in all games but these.
    first = datetime(2025, 1, 1, tzinfo=UTC)
    add_games(store, OWN, lambda n: DEVICE, first, "own", ("Anna", "Cleo"))
    add_games(store, others, lambda n: f"d{n // 5}", datetime(2025, 2, 1, tzinfo=UTC), "other")
    return store


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = filled(tmp_path_factory.mktemp("alone"), 0)
    yield store
    store.close()


@pytest.fixture(
    scope="module", params=["as filled", pytest.param("analysed", marks=pytest.mark.slow)]
)
def crowded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    """Also with what SQLite knows of its tables after ANALYZE, which can change its plans."""
    store = filled(tmp_path_factory.mktemp("crowded"), OTHERS)
    if request.param == "analysed":
        with store.engine.begin() as connection:
            connection.execute(text("ANALYZE"))
    yield store
    store.close()


def asked_by(store: Store, call: str) -> list[tuple[str, Any]]:
    """What a call asks of the database, with its parameters."""
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    CALLS[call](store, DEVICE)
    event.remove(store.engine, "before_cursor_execute", note)
    assert asked
    return asked


@pytest.mark.parametrize("call", CALLS)
def test_no_plan_walks_through_the_games_of_others(crowded: Store, call: str) -> None:
    for statement, parameters in asked_by(crowded, call):
        with crowded.engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
        steps = [step[3] for step in plan]
        # "mine" are the games of the device, "last" some of them; the others are an empty list.
        scanned = {step.split()[1] for step in steps if step.startswith("SCAN")}
        assert scanned <= {"mine", "last", "CONSTANT", "(subquery-1)"}, steps
        assert not any("ix_games" in each for each in steps), steps


@pytest.fixture(scope="module")
def crowded_server(postgres: str) -> Iterator[Store]:
    store = open_store(fresh_database(postgres, "crowded"))
    add_games(store, OTHERS, lambda n: f"d{n // 5}", datetime(2025, 2, 1, tzinfo=UTC), "other")
    for mark in "abcd":
        double_games(store, mark)
    add_games(store, OWN, lambda n: DEVICE, datetime(2025, 1, 1, tzinfo=UTC), "own")
    with store.engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    yield store
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_no_plan_of_postgresql_does_either(crowded_server: Store, call: str) -> None:
    """The tables of logs and of erased games are empty here, and so is a scan of them."""
    for statement, parameters in asked_by(crowded_server, call):
        with crowded_server.engine.connect() as connection:
            rows = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars()
            plan = "\n".join(rows)
        scanned = set(re.findall(r"Seq Scan on (\w+)", plan))
        assert scanned <= {"changes", "collisions", "readings", "erased_games"}, plan
        assert "ix_games" not in plan, plan


@pytest.mark.parametrize("call", CALLS)
def test_the_games_of_others_cost_nothing(alone: Store, crowded: Store, call: str) -> None:
    """Counted in steps of SQLite's machine: 20,000 games of others are walked in over 100,000."""
    assert steps_of(crowded, call) <= 1.5 * steps_of(alone, call) + 20


def steps_of(store: Store, call: str) -> int:
    """Steps that SQLite takes to answer, to within ten for each statement."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 10
        return 0

    def watch(_connection: Any, cursor: Any, *_: Any) -> None:
        cursor.connection.set_progress_handler(count, 10)

    event.listen(store.engine, "before_cursor_execute", watch)
    CALLS[call](store, DEVICE)
    event.remove(store.engine, "before_cursor_execute", watch)
    with store.engine.connect() as connection:
        connection.connection.dbapi_connection.set_progress_handler(None, 0)  # type: ignore[union-attr]
    return taken
