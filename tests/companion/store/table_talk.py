"""What the stories of the store have in common: who plays, and kingdoms with known points."""

from __future__ import annotations

from itertools import count
from typing import Any

from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.store import Actor, Change, Confirmed, Game, Json, Store

ANNA = Actor("annas-phone", "Anna")
BEN = Actor("bens-phone", "Ben")
TWO_PLAYERS = [{"id": 0, "name": "Anna", "colour": "pink"}, {"id": 1, "name": "Ben"}]

FOUR = "w w1 ./c l1 l"
"""2 squares of wheat with 1 crown, 2 of lake with 1: 4 points."""
SEVEN = "w1 w1 ./c f1 f/. . f"
"""2 of wheat with 2 crowns, 3 of forest with 1: 7 points."""

_NUMBERS = count()


def new_game(store: Store, actor: Actor = ANNA, **parts: Json) -> Game:
    """A game of Anna and Ben."""
    return store.create_game(KINGDOMINO.key, {"players": TWO_PLAYERS, **parts}, actor)


def board(kingdom: str, **fields: Any) -> Json:
    """The data of a board."""
    return {"kingdom": kingdom, **fields}


def send(
    store: Store, game: Game, value: Json, based_on: int, part: str = "", actor: Actor = ANNA
) -> Confirmed:
    """Send a change with an id of its own, of Anna's board where nothing else is said."""
    change = Change(part or board_key(0), value, based_on, f"c{next(_NUMBERS)}", "paint")
    return store.change(game.id, change, actor)
