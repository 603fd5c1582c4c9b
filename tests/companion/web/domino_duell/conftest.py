"""A duel of two with the start stones, and a visit to look at it."""

from __future__ import annotations

import pytest

from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.languages import Language
from companion.store import Actor, Store
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from tests.companion.games.domino_duell.duels import START

DEVICE = "a-device-of-this-test"


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), DEVICE, Language.GERMAN)


@pytest.fixture
def table(store: Store) -> DuelTable:
    made = new_duel(store, ["Anna & Co", "Ben"], Actor(DEVICE))
    return made.set_rules(KeptSetUp(START))
