"""How a game starts: players, board, start stones, hands and variants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scorer.domino_duell.board import Board
from scorer.domino_duell.errors import SetUpError
from scorer.domino_duell.shape import Shape
from scorer.domino_duell.stone import JOKER, JOKERS, STONES, Piece

__all__ = ["HAND_SIZE", "PLAYERS", "End", "SetUp"]

PLAYERS = range(2, 7)
HAND_SIZE = 7
NOT_IN_NAMES = frozenset(",:=#\n")


class End(StrEnum):
    """When the game is over. Source: Domino-Duell, "Ende des Spieles und Siegerermittlung"."""

    STONES = "stones"
    """All stones are used, or nobody can lay one any more."""
    EDGE = "edge"
    """The quick variant: besides, as soon as a stone lies at the edge."""


@dataclass(frozen=True)
class SetUp:
    """The start of a game, checked against the rules.

    ``start`` has a stone on every hollow of the middle and no other. ``hands`` are the pieces
    known of each player, up to seven; () where nobody wrote any down. ``begins`` is the index of
    the player with the first turn. SetUpError ``bad_players``, ``bad_name``, ``same_name``,
    ``bad_begins``, ``start_stones``, ``hand_too_large``, ``piece_twice`` or
    ``jokers_not_in_play``. Source: Domino-Duell, "Spielvorbereitung" and "Variante".
    """

    players: tuple[str, ...]
    start: Board
    hands: tuple[tuple[Piece, ...], ...] = ()
    begins: int = 0
    end: End = End.STONES
    jokers: bool = False

    def __post_init__(self) -> None:
        self._check_players()
        taken = [hollow for hollow, _ in self.start.items()]
        if taken != list(self.shape.middle) or self.start.jokers:
            raise SetUpError("start_stones", hollows=self.shape.middle)
        if not any(self.hands):
            object.__setattr__(self, "hands", ())
        if self.hands and len(self.hands) != len(self.players):
            raise SetUpError("bad_players", found=len(self.hands), expected=len(self.players))
        for name, hand in zip(self.players, self.hands, strict=False):
            if len(hand) > HAND_SIZE:
                raise SetUpError("hand_too_large", player=name, found=len(hand), allowed=HAND_SIZE)
        known = [piece for hand in self.hands for piece in hand]
        if JOKER in known and not self.jokers:
            raise SetUpError("jokers_not_in_play")
        check_once([*self.start.stones, *known])

    def _check_players(self) -> None:
        if len(self.players) not in PLAYERS:
            raise SetUpError(
                "bad_players", found=len(self.players), least=PLAYERS[0], most=PLAYERS[-1]
            )
        for name in self.players:
            if not name or name != name.strip() or NOT_IN_NAMES & set(name):
                raise SetUpError("bad_name", player=name)
            if name.split()[0] == "hand":  # In the notation a line of a hand starts so.
                raise SetUpError("bad_name", player=name)
            if self.players.count(name) > 1:
                raise SetUpError("same_name", player=name)
        if self.begins not in range(len(self.players)):
            raise SetUpError("bad_begins", found=self.begins)

    @property
    def shape(self) -> Shape:
        return self.start.shape

    @property
    def pieces(self) -> int:
        """How many pieces are in play: 64, and 4 with jokers."""
        return len(STONES) + (JOKERS if self.jokers else 0)


def check_once(pieces: Iterable[Piece]) -> None:
    """SetUpError ``piece_twice`` for a stone that is there twice, or a joker five times."""
    seen: dict[Piece, int] = {}
    for piece in pieces:
        seen[piece] = seen.get(piece, 0) + 1
        if seen[piece] > (JOKERS if piece is JOKER else 1):
            raise SetUpError("piece_twice", stone=str(piece))
