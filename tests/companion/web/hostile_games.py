"""Games of every kind whose people have names that a careless page would read as markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.domino_duell.kind import KeptSetUp
from companion.games.domino_duell.table import new_duel
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.table import new_table
from companion.store import Actor, Change, Store, new_id
from scorer.domino_duell import STONES, legal_moves
from scorer.kingdomino import Kingdom
from scorer.pip_dominoes import Tile
from tests.companion.games.domino_duell.duels import START

HOSTILE = (
    "![x](http://127.0.0.1:9/p.png)",
    "<img src=x onerror=fail()>",
    "\"><svg onload=fail()> ' onfocus=fail()",
    "</script><script>fail()</script>",
    "[x](javascript:fail()) :red[**b**] $a$",
    "$& $` {name} {count} {0.__class__} %s",
)
"""At most 40 characters each, as long as a name may be."""

TITLE = "<b>evening</b> ![x](http://127.0.0.1:9/title.png)"
PLACE = "<iframe src=//127.0.0.1:9></iframe>"

REFUSED = {
    "10,000 characters": "x" * 10_000,
    "terminal escapes": "\x1b[31mred\x1b]0;title\x07",
    "right to left": "\u202egnp.exe",
    "isolates": "\u2066a\u2069",
    "zero width": "a\u200bb",
    "line ends": "a\x00b",
    "half a character": "\ud800",
    "nothing": "\u3000 ",
}
"""Names that no game takes."""

_KINGDOMS = ("s w1 w/f1 g c", "f1 f w/w g1 c", "w w1 c/g g g", "l1 f c/s g g")
_ROUNDS = ("mexican_train", "chickenfoot")


def make_games(store: Store, actor: Actor) -> dict[str, list[str]]:
    """Games by kind, complete and not, for a device; their ids."""
    return {
        KINGDOMINO.key: [
            _kingdomino(store, actor),
            _collided(store, actor),
            _dynasty(store, actor),
        ],
        **{kind: [_rounds(store, kind, actor)] for kind in _ROUNDS},
        "muggins": [_muggins(store, actor)],
        "castle_rock": [_castle(store, actor)],
        "domino_duell": [_duel(store, actor), new_duel(store, [HOSTILE[3]], actor).game.id],
    }


def addresses(games: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """The addresses of every view: of each game, and of the companion."""
    found: list[dict[str, str]] = [{}]
    found += [{"view": view} for view in ("history", "statistics", "help", "nothing")]
    for kind, ids in games.items():
        found += [{"new": kind, "like": ids[0]}]
        found += [{"view": view, "kind": kind} for view in ("statistics", "help")]
        for game in ids:
            views: list[dict[str, str]] = [{}, {"view": "players"}, {"view": "result"}]
            if kind == KINGDOMINO.key:
                views += [{"seat": "1"}, {"seat": "4"}, {"view": "whose"}]
                views += [{"number": "2"}, {"number": "2", "view": "result"}]
            elif kind != "domino_duell":
                views += [
                    {"view": "hand", "seat": "1"},
                    {"view": "hand", "seat": "2", "round": "2"},
                ]
                views += [{"view": "end"}, {"round": "2"}]
            found += [{"game": game, **view} for view in views]
    return found


def _about(store: Store, game: str, actor: Actor) -> str:
    about = {"title": TITLE, "place": PLACE, "note": f"{TITLE} {PLACE}" * 5}
    store.change(game, Change("about", about, 0, new_id(), "about"), actor)
    return game


def _players(names: Sequence[str]) -> list[dict[str, object]]:
    return [{"id": number, "name": name} for number, name in enumerate(names)]


def _boards(number: int = 1) -> dict[str, object]:
    kingdoms = zip(range(4), _KINGDOMS, strict=True)
    return {
        board_key(player, number): KeptBoard(Kingdom.parse(text)).to_data()
        for player, text in kingdoms
    }


def _kingdomino(store: Store, actor: Actor) -> str:
    parts = {"players": _players(HOSTILE[:4]), **_boards()}
    return _about(store, store.create_game(KINGDOMINO.key, parts, actor).id, actor)


def _dynasty(store: Store, actor: Actor) -> str:
    parts = {"players": _players(HOSTILE[2:6]), "rules": {"dynasty": True}, **_boards()}
    return store.create_game(KINGDOMINO.key, parts, actor).id


def _collided(store: Store, actor: Actor) -> str:
    """Two phones set the same square, and the whole of another board, to different things."""
    parts = {"players": _players(HOSTILE[:2]), **dict(list(_boards().items())[:2])}
    game = store.create_game(KINGDOMINO.key, parts, actor).id
    for who, square, frame in (("a", "f", "1"), ("b", "g2", "2")):
        kept = KeptBoard(Kingdom.parse(_KINGDOMS[0].replace("s ", f"{square} ", 1)))
        other = Actor(f"another-device-{who}", HOSTILE[1])
        store.change(game, Change(board_key(0), kept.to_data(), 1, new_id(), "set"), other)
        turned = KeptBoard(Kingdom.parse(_KINGDOMS[1].replace("f1 f", f"f1 {square}")), frame=frame)
        store.change(game, Change(board_key(1), turned.to_data(), 1, new_id(), "turn"), other)
    return game


def _rounds(store: Store, kind: str, actor: Actor) -> str:
    rules = {"set": 9, "rounds": 2, "first": 0}
    table = new_table(store, kind, HOSTILE[:4], rules, actor)
    for number in (1, 2):
        for player in range(4):
            hand = KeptHand.of_tiles([Tile(player, 7), Tile(player, 6)] if player else [])
            table.set_hand(number, player, hand)
    table.add_penalty(1, 2)
    return _about(store, table.game_id, actor)


def _muggins(store: Store, actor: Actor) -> str:
    table = new_table(store, "muggins", HOSTILE[1:5], {"target": 60, "first": 0}, actor)
    table.add_play(1, 0, 20)
    table.add_play(1, 1, 15, caller=2)
    for player in range(4):
        table.set_hand(1, player, KeptHand.of_tiles([Tile(player, 6)] if player else []))
    return _about(store, table.game_id, actor)


def _castle(store: Store, actor: Actor) -> str:
    table = new_table(store, "castle_rock", [HOSTILE[1]], {"set": 6}, actor)
    table.set_hand(1, 0, KeptHand.of_tiles([Tile(1, 2)]))
    return _about(store, table.game_id, actor)


def _duel(store: Store, actor: Actor) -> str:
    table = new_duel(store, [HOSTILE[0], HOSTILE[5]], actor).set_rules(KeptSetUp(START))
    for _ in range(3):
        assert table.duel is not None
        move = legal_moves(table.duel.position, STONES)[0]
        table = table.lay(move.stone, move.hollow)
    return _about(store, table.game.id, actor)
