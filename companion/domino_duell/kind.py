"""Domino-Duell for the store: which parts a game has, and how it stands.

The parts are ``setup`` (``KeptSetUp``), ``turns`` (a list of turns in notation with the id of the
player, the oldest first) and ``hand:PLAYER`` (``KeptHand``). Undo is a shorter list of turns, so
everything stays in the log.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.domino_duell.kept_game import KeptHand, KeptSetUp, played, record_of
from companion.games import GameKind, Json, Results, StoreError, players_of, ranked, register
from companion.games.model import PLAYERS
from scorer.domino_duell import Exchange, Game, GroupKind, format_turn
from scorer.errors import CodedError

__all__ = ["DETAILS", "DOMINO_DUELL", "DominoDuellKind"]

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
            raise StoreError(
                "bad_value", **(details | {"part": part, "reason": error.code})
            ) from error
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
        return value
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
