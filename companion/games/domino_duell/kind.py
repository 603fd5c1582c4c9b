"""Domino-Duell for the store: which parts a game has, what is kept in them, and how it stands.

The parts are ``setup`` (``KeptSetUp``), ``turns`` (a list of turns in notation with the id of the
player, the oldest first) and ``hand:PLAYER`` (``KeptHand``). Undo is a shorter list of turns, so
everything stays in the log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.store import GameKind, Json, Results, StoreError, players_of, ranked, register
from companion.store.model import PLAYERS
from companion.store.parts import checked_text
from scorer.domino_duell import (
    DEFAULT_SHAPE,
    HAND_SIZE,
    JOKER,
    JOKERS,
    BoardError,
    End,
    Exchange,
    Game,
    GroupKind,
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
from scorer.errors import CodedError


@dataclass(frozen=True)
class KeptSetUp:
    """How a game starts, as far as it is known yet.

    ``start`` has the stones of the middle, of which some may be missing still; ``begins`` is the
    id of a player, None for the first one. ``helper``: whether moves are offered.
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
        """Plain data for JSON."""
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
        for piece in turn.given:
            # Once each: there are several jokers.
            if piece in pieces:
                pieces.remove(piece)
        return [*pieces, *turn.drawn] if turn.given else []
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


DETAILS = ("moves", "best_move", "quadruples", "edge_moves", "jokers_used", "exchanges")
"""The figures of a player's results, in the order in which they are shown."""


_HAND = re.compile(r"hand:([0-9]{1,2})")


class DominoDuellKind(GameKind):
    """Domino-Duell for two to six."""

    key = "domino_duell"
    name = "Domino-Duell"
    players = range(2, 7)

    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        """See ``GameKind.check``; the reason of ``bad_value`` is the code of what is wrong.

        Further details are those of the error, ``stone`` and ``hollow`` for instance.
        """
        try:
            if part == "setup":
                kept = KeptSetUp.from_data(value).to_data()
                _check_turns({**game, part: kept})
                return kept
            if part == "turns":
                return _checked_turns(value, game)
            if _HAND.fullmatch(part):
                return KeptHand.from_data(value).to_data()
        except StoreError:
            raise
        except CodedError as error:
            details = {name: text for name, text in error.details.items() if name != "part"}
            raise StoreError("bad_value", part=part, reason=error.code, **details) from error
        except ValueError as error:
            raise StoreError("bad_value", part=part, reason="other_form") from error
        raise StoreError("bad_part", part=part)

    def check_players(self, players: Sequence[Json], game: Mapping[str, Json]) -> None:
        """Once a turn was taken, nobody comes, goes or changes the seat."""
        try:
            _check_turns({**game, PLAYERS: players})
        except ValueError as error:
            raise StoreError("bad_players", reason="game_has_begun") from error

    def results(self, game: Mapping[str, Json]) -> Results:
        """The points of all turns, and who has won once the game is over; alone or together."""
        players = [player["id"] for player in players_of(game)]
        try:
            record = record_of(game)
        except ValueError:
            record = None
        if record is None:
            return ranked(dict.fromkeys(players), complete=False)
        standing, wrong = played(record)
        points: dict[int, int | None] = dict(zip(players, standing.totals, strict=True))
        details = {player: _details(standing, seat) for seat, player in enumerate(players)}
        return ranked(points, complete=standing.over and wrong is None, details=details)


DOMINO_DUELL = register(DominoDuellKind())


def _checked_turns(value: Json, game: Mapping[str, Json]) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(turn, str) for turn in value):
        raise ValueError("turns: expected a list of texts")
    if PLAYERS not in game:  # A line of the log alone, as it comes in with an import.
        return [checked_text(turn, 200, "turns") for turn in value]
    record = record_of({**game, "turns": value})
    if record is None and value:
        raise StoreError("bad_value", part="turns", reason="not_ready")
    _check_turns({**game, "turns": value})
    return [] if record is None else [format_turn(turn) for turn in record.turns]


def _check_turns(game: Mapping[str, Json]) -> None:
    record = record_of(game)
    if record is None:
        if game.get("turns"):
            raise StoreError("bad_value", part="setup", reason="not_ready")
        return
    _, wrong = played(record)
    if wrong is not None:
        raise wrong


def _details(game: Game, seat: int) -> dict[str, int]:
    steps = [step for step in game.steps if step.player == seat]
    moves = [step.move for step in steps if step.move]
    return {
        "moves": len(moves),
        "best_move": max((move.points for move in moves), default=0),
        "quadruples": sum(
            group.kind is GroupKind.QUADRUPLE for move in moves for group in move.groups
        ),
        "edge_moves": sum(move.at_edge for move in moves),
        "jokers_used": sum(step.taken is not None for step in steps),
        "exchanges": sum(isinstance(step.turn, Exchange) for step in steps),
    }
