from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.games.domino_duell.card import CardLayout, result_card
from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import DuelTable, new_duel
from companion.languages import Language
from companion.store import Actor, Store, open_store
from scorer.domino_duell import STONES, legal_moves
from tests.companion.domino_duell.duels import START


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{(tmp_path / 'games.sqlite').as_posix()}")
    yield opened
    opened.close()


def played(store: Store, names: list[str], moves: int) -> DuelTable:
    table = new_duel(store, names, Actor("a-device-of-this-test")).set_rules(KeptSetUp(START))
    for _ in range(moves):
        assert table.duel is not None
        best = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(best.stone, best.hollow)
    return table


def test_a_card_of_a_complete_game(store: Store) -> None:
    table = played(store, ["Anna", "Ben mit einem Namen, der nicht passt"], 6)
    with pytest.raises(ValueError, match="complete"):
        result_card(table.game, Language.ENGLISH)
    for _ in table.players:
        table = table.sit_out()
    cards = {}
    for language in Language:
        file = result_card(table.game, language)
        with Image.open(BytesIO(file)) as card:
            assert card.width == CardLayout().width_px
            cards[language] = np.asarray(card.convert("RGB"))
    assert cards[Language.ENGLISH].shape == cards[Language.GERMAN].shape
    assert (cards[Language.ENGLISH] != cards[Language.GERMAN]).any()


def test_every_stone_laid_shows_on_the_card(store: Store) -> None:
    """Of two games that differ in one stone the boards differ."""
    first, second = (played(store, ["Anna", "Ben"], moves).sit_out().sit_out() for moves in (2, 4))
    one, other = (
        np.asarray(Image.open(BytesIO(result_card(each.game, Language.ENGLISH))).convert("RGB"))
        for each in (first, second)
    )
    top, bottom = 300, 800
    assert (one[top:bottom] != other[top:bottom]).any(2).sum() > 2000
