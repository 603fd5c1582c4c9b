"""The result cards of all games, stroke by stroke.

What the card of a complete game draws is held against `golden_cards/`, a line a stroke: texts,
shapes, places, colours. After a change that is meant, look at the picture and write them anew with
``GOLDEN=write pytest tests/companion/games/test_cards.py``.
"""

from __future__ import annotations

import os
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

import companion.games.domino_duell.card
import companion.games.kingdomino.card
import companion.games.pip_dominoes.card
from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import new_duel
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.kingdomino.terrain_art import tile_picture
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.table import new_table
from companion.languages import Language
from companion.store import Actor, Game, Store
from scorer.domino_duell import STONES, legal_moves
from scorer.pip_dominoes import Tile
from tests.companion.games.domino_duell.duels import START

GOLDEN = Path(__file__).with_name("golden_cards")
ANNA = Actor("a-device-of-this-test")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
STROKES = ("ellipse", "line", "polygon", "rectangle", "rounded_rectangle", "text")


@pytest.fixture
def strokes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is drawn from now on, a line a stroke; none that another stroke is made of."""
    drawn: list[str] = []
    inside: list[str] = []
    tile_picture.cache_clear()

    def noted(name: str) -> None:
        real = getattr(ImageDraw.ImageDraw, name)

        def stroke(self: ImageDraw.ImageDraw, *arguments: Any, **options: Any) -> Any:
            if not inside:
                words = [*map(word, arguments), *(f"{k}={word(v)}" for k, v in options.items())]
                drawn.append(" ".join([name, *words]))
            inside.append(name)
            try:
                return real(self, *arguments, **options)
            finally:
                inside.pop()

        monkeypatch.setattr(ImageDraw.ImageDraw, name, stroke)

    for name in STROKES:
        noted(name)
    return drawn


def word(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"({','.join(map(word, value))})"
    if hasattr(value, "getlength"):
        return f"font:{value.size}"
    if isinstance(value, float):
        return f"{round(value, 1) + 0:g}"
    return repr(value) if isinstance(value, str) and " " in value else str(value)


def kingdomino(store: Store, **parts: Any) -> Game:
    players = [
        {"id": 0, "name": "Anna", "colour": "pink"},
        {"id": 1, "name": "Ben", "colour": "blue"},
        {"id": 2, "name": "Somebody with a long name, 3rd"},
    ]
    kingdoms = ("w w1 ./c l1 l1!/s2 m3!! g1", "w1 w1 ./c f1 f/. . f", "c")
    boards = {board_key(number): {"kingdom": text} for number, text in enumerate(kingdoms)}
    about = {"title": "Easter", "place": "at home"}
    return store.create_game(
        KINGDOMINO.key, {"players": players, "about": about, **boards, **parts}
    )


def dynasty(store: Store) -> Game:
    boards = {
        board_key(player, game): {"kingdom": text}
        for game, texts in enumerate(
            (("w w1/c .", "c w1"), ("f1 f/c .", "c f"), ("l/c", "c g1 g")), 1
        )
        for player, text in enumerate(texts)
    }
    players = [{"id": number, "name": name} for number, name in enumerate(("Anna", "Ben"))]
    rules = {"dynasty": True, "harmony": True}
    return store.create_game(KINGDOMINO.key, {"players": players, "rules": rules, **boards})


def duel(store: Store) -> Game:
    table = new_duel(store, ["Anna", "Ben"], ANNA).set_rules(KeptSetUp(START))
    for _ in range(5):
        assert table.duel is not None
        best = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(best.stone, best.hollow)
    return table.sit_out().sit_out().game


def mexican_train(store: Store) -> Game:
    names = ["Anna", "Ben", "Cem"]
    table = new_table(store, "mexican_train", names, {"set": 9, "rounds": 2}, ANNA)
    for number, counted in enumerate(((0, 12, 5), (7, 0, 5)), start=1):
        for player, each in enumerate(counted):
            table.set_hand(number, player, KeptHand(counted=each) if each else KeptHand())
    return table.game


def muggins(store: Store) -> Game:
    table = new_table(store, "muggins", ["Anna", "Ben"], {"target": 100}, ANNA)
    for number, points in enumerate((50, 10, 50)):
        table.add_play(1, number % 2, points, play_id=f"play{number}")
    return table.game


def castle_rock(store: Store) -> Game:
    table = new_table(store, "castle_rock", ["Anna"], {"set": 9, "challenge": "pips"}, ANNA)
    table.set_clock(83, None)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(low, high) for low, high in ((0, 9), (1, 2))]))
    return table.game


CARDS = {
    kingdomino: companion.games.kingdomino.card,
    dynasty: companion.games.kingdomino.card,
    duel: companion.games.domino_duell.card,
    mexican_train: companion.games.pip_dominoes.card,
    muggins: companion.games.pip_dominoes.card,
    castle_rock: companion.games.pip_dominoes.card,
}


@pytest.mark.parametrize("make", CARDS, ids=lambda make: make.__name__)
def test_a_card_is_drawn_as_it_was(store: Store, strokes: list[str], make: Any) -> None:
    game = make(store)
    with Image.open(BytesIO(CARDS[make].result_card(game, Language.ENGLISH))) as card:
        drawn = [f"size {card.width} {card.height}", *(DAY.sub("DAY", each) for each in strokes)]
    path = GOLDEN / f"{make.__name__}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.write_text("\n".join([*drawn, ""]), encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == drawn
