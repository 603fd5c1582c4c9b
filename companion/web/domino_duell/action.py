"""What comes up from the board, believed only after a hard look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.domino_duell import Piece, parse_piece

__all__ = ["DuelAction", "actions_of"]

_CLIENT = re.compile(r"[0-9a-z]{8,40}")
_HOLLOW = re.compile(r"[a-z][0-9]{1,2}")
_KINDS = frozenset({"start", "lay", "joker", "hand", "hand-done"})
_MAX_NUMBER = 2**31 - 1
_MAX_ACTIONS = 200
_MAX_PIECES = 7


@dataclass(frozen=True)
class DuelAction:
    """One thing that a person did: ``start``, ``lay``, ``joker``, ``hand`` or ``hand-done``.

    ``client`` names the board on one phone, ``seq`` numbers what was done there from 1, ``turns``
    is the number of turns that the person saw. ``edge`` is set by hand, ``joker`` the hollow of a
    stone taken for a joker before, ``pieces`` the whole hand of ``player``.
    """

    client: str
    seq: int
    kind: str
    turns: int = 0
    hollow: str | None = None
    stone: Piece | None = None
    edge: bool | None = None
    joker: str | None = None
    player: int | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def change_id(self) -> str:
        """The same for the same tap, however often it is sent."""
        return f"{self.client}.{self.seq}"


def actions_of(sent: Any) -> list[DuelAction]:
    """What a browser sent, the oldest first; anything that is no such message is left out."""
    if not isinstance(sent, Mapping):
        return []
    client, done = sent.get("client"), sent.get("done")
    if not isinstance(client, str) or not _CLIENT.fullmatch(client):
        return []
    if not isinstance(done, list) or len(done) > _MAX_ACTIONS:
        return []
    found = []
    for each in done:
        try:
            found.append(_action(client, each))
        except (ValueError, TypeError, KeyError):
            continue
    return found


def _action(client: str, each: Mapping[str, Any]) -> DuelAction:
    kind, pieces = each["kind"], each.get("pieces", [])
    if kind not in _KINDS or not isinstance(pieces, list) or len(pieces) > _MAX_PIECES:
        raise ValueError("kind or pieces")
    stone, edge = each.get("stone"), each.get("edge")
    if edge is not None and not isinstance(edge, bool):
        raise ValueError("edge")
    return DuelAction(
        client,
        _number(each["seq"], 1),
        kind,
        _number(each.get("turns", 0), 0),
        _hollow(each.get("hollow")),
        None if stone is None else parse_piece(stone),
        edge,
        _hollow(each.get("joker")),
        None if each.get("player") is None else _number(each["player"], 0),
        tuple(parse_piece(piece) for piece in pieces),
    )


def _number(value: Any, least: int) -> int:
    if type(value) is not int or not least <= value <= _MAX_NUMBER:
        raise ValueError("number")
    return int(value)


def _hollow(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not _HOLLOW.fullmatch(value):
        raise ValueError("hollow")
    return value
