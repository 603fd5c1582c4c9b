"""What the store keeps of a game of Domino-Duell: its start, its turns, and hands people entered.

Players are named by their ids here (``"0"``, ``"1"`` …), in the record of the rules core too, so
that a name may change while people play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games import Json, players_of
from scorer.domino_duell import (
    DEFAULT_SHAPE,
    HAND_SIZE,
    JOKER,
    JOKERS,
    BoardError,
    End,
    Exchange,
    Game,
    IllegalTurn,
    Lay,
    Piece,
    Record,
    SetUpError,
    Shape,
    Step,
    Stone,
    format_turn,
    parse_piece,
    parse_turn,
)

__all__ = ["KeptHand", "KeptSetUp", "hand_key", "hand_now", "played", "record_of", "set_up_of"]


@dataclass(frozen=True)
class KeptSetUp:
    """How a game starts, as far as it is known yet.

    ``start`` has the stones of the middle, of which some may be missing still; ``begins`` is the
    id of a player, None for the first one. ``helper`` tells whether moves are offered.
    """

    start: Mapping[str, Stone] = field(default_factory=dict)
    begins: int | None = None
    end: End = End.STONES
    jokers: bool = False
    helper: bool = False
    shape: Shape = DEFAULT_SHAPE

    def __post_init__(self) -> None:
        foreign = [hollow for hollow in self.start if hollow not in self.shape.middle]
        if foreign:
            raise SetUpError("start_stones", hollows=self.shape.middle)
        if len(set(self.start.values())) < len(self.start):
            raise SetUpError("piece_twice", stone=str(_twice(list(self.start.values()))))

    @property
    def is_ready(self) -> bool:
        """Whether every hollow of the middle has its stone."""
        return len(self.start) == len(self.shape.middle)

    def to_data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        rows = None if self.shape == DEFAULT_SHAPE else list(self.shape.rows)
        return {
            "start": {hollow: str(self.start[hollow]) for hollow in sorted(self.start)},
            "begins": self.begins,
            "end": self.end.value,
            "jokers": self.jokers,
            "helper": self.helper,
            "board": rows,
        }

    @classmethod
    def from_data(cls, data: Json) -> KeptSetUp:
        """What ``to_data`` gave. DuelError; ValueError for data of another form."""
        if data is None:
            return cls()
        known = {"start", "begins", "end", "jokers", "helper", "board"}
        if not isinstance(data, dict) or not data.keys() <= known:
            raise ValueError("setup: expected an object of known fields")
        begins, board, start = data.get("begins"), data.get("board"), data.get("start") or {}
        if begins is not None and type(begins) is not int:
            raise ValueError(f"begins: expected the id of a player, got {begins!r}")
        if not isinstance(start, dict) or not all(isinstance(each, str) for each in start.values()):
            raise ValueError("start: expected stones by hollow")
        if board is not None and not (
            isinstance(board, list) and all(isinstance(row, str) for row in board)
        ):
            raise ValueError("board: expected rows of a drawing")
        return cls(
            {hollow: Stone.parse(stone) for hollow, stone in start.items()},
            begins,
            End(data.get("end", End.STONES)),
            data.get("jokers") is True,
            data.get("helper") is True,
            DEFAULT_SHAPE if board is None else Shape(tuple(board)),
        )


@dataclass(frozen=True)
class KeptHand:
    """The pieces of a hand as somebody saw them when ``after`` turns had been taken."""

    pieces: tuple[Piece, ...]
    after: int = 0

    def __post_init__(self) -> None:
        if len(self.pieces) > HAND_SIZE:
            raise SetUpError("hand_too_large", found=len(self.pieces), allowed=HAND_SIZE)
        stones = [piece for piece in self.pieces if piece is not JOKER]
        if len(set(stones)) < len(stones):
            raise SetUpError("piece_twice", stone=str(_twice(stones)))
        if (found := self.pieces.count(JOKER)) > JOKERS:
            raise BoardError("too_many_jokers", found=found, allowed=JOKERS)

    def to_data(self) -> dict[str, Any]:
        return {"pieces": [str(piece) for piece in self.pieces], "after": self.after}

    @classmethod
    def from_data(cls, data: Json) -> KeptHand:
        """What ``to_data`` gave. DuelError; ValueError for data of another form."""
        if not isinstance(data, dict) or data.keys() != {"pieces", "after"}:
            raise ValueError("hand: expected pieces and after")
        pieces, after = data["pieces"], data["after"]
        if not isinstance(pieces, list) or not all(isinstance(each, str) for each in pieces):
            raise ValueError("pieces: expected a list of texts")
        if type(after) is not int or after < 0:
            raise ValueError(f"after: expected a count, got {after!r}")
        return cls(tuple(parse_piece(piece) for piece in pieces), after)


def hand_key(player: int) -> str:
    """The part of a player's hand."""
    return f"hand:{player}"


def set_up_of(parts: Mapping[str, Json]) -> KeptSetUp:
    """How the game of these parts starts."""
    return KeptSetUp.from_data(parts.get("setup"))


def record_of(parts: Mapping[str, Json]) -> Record | None:
    """The game of these parts; None while players or start stones are missing.

    NotationError, BoardError or SetUpError where the parts contradict the rules.
    """
    kept = set_up_of(parts)
    ids = [player["id"] for player in players_of(parts)]
    if not kept.is_ready or len(ids) < 2:
        return None
    names = tuple(map(str, ids))
    begins = kept.begins if kept.begins in ids else ids[0]
    record = Record.from_data({**kept.to_data(), "players": names, "begins": str(begins)})
    turns = parts.get("turns") or []
    return Record(record.set_up, tuple(parse_turn(turn, kept.shape, names) for turn in turns))


def played(record: Record) -> tuple[Game, IllegalTurn | None]:
    """The game as far as its turns are allowed, and what is wrong with the first that is not."""
    game = Game.start(record.set_up)
    for turn in record.turns:
        try:
            game = game.after(turn)
        except IllegalTurn as error:
            return game, IllegalTurn(error.code, **error.details, turn=format_turn(turn))
    return game, None


def hand_now(hand: KeptHand, seat: int, game: Game) -> tuple[Piece, ...]:
    """What is known of a hand after all that was laid, taken, drawn and exchanged since.

    ``seat`` is the index of the player. After an exchange of pieces nobody named nothing is known.
    """
    pieces = list(hand.pieces)
    for step in game.steps[hand.after :]:
        if step.player == seat:
            pieces = _after_step(pieces, step)
    lying = game.position
    return tuple(piece for piece in pieces if piece is JOKER or piece not in lying.stones)


def _after_step(pieces: list[Piece], step: Step) -> list[Piece]:
    turn = step.turn
    if isinstance(turn, Exchange):
        kept = [piece for piece in pieces if piece not in turn.given]
        return [*kept, *turn.drawn] if turn.given else []
    if step.taken is not None:
        if JOKER in pieces:
            pieces.remove(JOKER)
        pieces.append(step.taken)
    if isinstance(turn, Lay):
        pieces = [piece for piece in pieces if piece != turn.stone]
        if turn.drawn is not None:
            pieces.append(turn.drawn)
    return pieces


def _twice(pieces: Sequence[Piece]) -> Piece:
    return next(piece for piece in pieces if pieces.count(piece) > 1)
