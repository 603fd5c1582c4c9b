"""A table of four with kingdoms, and a visit to look at it."""

from __future__ import annotations

import pytest

from companion.games.kingdomino.table import Table
from companion.languages import Language
from companion.store import Store
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from tests.companion.games.kingdomino.tables import table_of_four

DEVICE = "a-device-of-this-test"


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), DEVICE, Language.GERMAN)


@pytest.fixture
def table(store: Store) -> Table:
    return table_of_four(store, DEVICE)
