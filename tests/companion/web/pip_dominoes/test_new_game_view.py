"""The page of a new game says how to set it up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.pip_dominoes.kind import KINDS
from companion.languages import Language
from companion.store import Store, open_store
from companion.web.pip_dominoes.new_game import NewGame, new_game_markup
from companion.web.shared_state import SharedState
from companion.web.visit import Visit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


@pytest.mark.parametrize("language", [Language.ENGLISH, Language.GERMAN])
@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_the_page_says_how_to_set_up(kind: str, language: Language, store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", language)
    chosen = NewGame(kind)
    shown = new_game_markup(visit, chosen)
    assert "disabled" in shown
    for name in ("Anna", "<b>Ben</b>", "Cem", "Dora")[: min(4, chosen.most_players)]:
        chosen.add(name)
    shown = new_game_markup(visit, chosen)
    said = {
        "mexican_train": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "chickenfoot": ("Each draws 18 dominoes, 18 stay", "Jeder zieht 18 Steine, 18 bleiben"),
        "muggins": ("Each draws 5 dominoes, 8 stay", "Jeder zieht 5 Steine, 8 bleiben"),
        "castle_rock": ("Lay 3 dominoes", "3 Steine offen"),
    }[kind]
    assert said[language is Language.GERMAN] in shown
    assert "<b>Ben" not in shown


def test_large_sets_are_said_to_be_unproven(store: Store) -> None:
    visit = Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    names = ["Anna", "Ben"]
    known, large = (
        new_game_markup(visit, NewGame("chickenfoot", names, each)) for each in (12, 15)
    )
    assert "never checked" in large
    assert "never checked" not in known
    # The sheet has no draw for two with either set.
    assert "agree on one" in large
