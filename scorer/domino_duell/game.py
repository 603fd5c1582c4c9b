"""A game from its set-up on, turn by turn: board, hands, bag, jokers, points, who is next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scorer.domino_duell.board import NOTHING, Board, Shape
from scorer.domino_duell.errors import IllegalTurn, Reason, SetUpError
from scorer.domino_duell.scoring import Move, legal_moves, score_move
from scorer.domino_duell.stone import JOKER, JOKERS, STONES, Piece, Stone

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
        """The board's."""
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


@dataclass(frozen=True, slots=True)
class Hand:
    """``size`` pieces, of which ``known`` are written down; ValueError for more known than that."""

    size: int
    known: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        if len(self.known) > self.size:
            raise ValueError(f"known: expected at most {self.size} pieces, got {len(self.known)}")

    @property
    def unknown(self) -> int:
        """How many of the pieces nobody wrote down."""
        return self.size - len(self.known)

    def without(self, piece: Piece) -> Hand:
        """The hand after giving a piece, one of the unknown where it is not among the known."""
        known = list(self.known)
        if piece in known:
            known.remove(piece)
        return Hand(self.size - 1, tuple(known))

    def without_any(self, count: int) -> Hand:
        """The hand after giving ``count`` pieces nobody named: then none of the rest is known."""
        return Hand(self.size - count)

    def drawing(self, count: int, pieces: Sequence[Piece] = ()) -> Hand:
        """The hand after drawing ``count`` pieces, of which ``pieces`` were named."""
        return Hand(self.size + count, (*self.known, *pieces))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """``player`` is the name of who has the turn, where it was written down."""

    player: str | None = None


@dataclass(frozen=True, slots=True)
class Lay(_Turn):
    """Lay a stone on a hollow, where ``joker`` names one after taking that stone for a joker.

    ``at_edge`` overrules whether the hollow is at the edge; ``drawn`` is the piece drawn
    afterwards, where somebody wrote it down.
    """

    stone: Stone
    hollow: str
    at_edge: bool | None = None
    joker: str | None = None
    drawn: Piece | None = None


@dataclass(frozen=True, slots=True)
class UseJoker(_Turn):
    """Put a joker in place of the stone on a hollow, take the stone, and lay nothing."""

    hollow: str


@dataclass(frozen=True, slots=True)
class Exchange(_Turn):
    """Exchange ``count`` pieces against as many drawn blindly from the bag.

    ``given`` and ``drawn`` name them where somebody wrote them down; each is empty or has
    ``count`` pieces, else ValueError.
    """

    count: int
    given: tuple[Piece, ...] = ()
    drawn: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"count: expected 1 or more, got {self.count}")
        for name, pieces in (("given", self.given), ("drawn", self.drawn)):
            if len(pieces) not in (0, self.count):
                raise ValueError(f"{name}: expected 0 or {self.count} pieces, got {len(pieces)}")


@dataclass(frozen=True, slots=True)
class Pass(_Turn):
    """Sit out, because no stone of the hand can be laid; exchanging instead is free to anyone."""


Turn = Lay | UseJoker | Exchange | Pass


SURROUNDED = 18
"""Hollows within two steps of a hollow in the open board."""


def why_joker_illegal(position: Board, hollow: str) -> Reason | None:
    """Why a joker must not take the place of what lies on a hollow, None where it may.

    ``off_board``, ``no_stone_to_take`` (nothing lies there, or a joker) or ``too_near_border``:
    every hollow within two steps must exist and be occupied. Source: Domino-Duell, "Variante",
    "mindestens zwei Reihen".
    """
    index = position.shape.index.get(hollow)
    if index is None:
        return Reason.OFF_BOARD
    numbers = position.numbers
    if numbers[index] < 0:
        return Reason.NO_STONE_TO_TAKE
    near = position.shape.surroundings[index]
    if len(near) < SURROUNDED or any(numbers[each] == NOTHING for each in near):
        return Reason.TOO_NEAR_BORDER
    return None


def joker_hollows(position: Board) -> tuple[str, ...]:
    """The hollows whose stone may be taken for a joker."""
    return tuple(
        hollow for hollow in position.shape.hollows if why_joker_illegal(position, hollow) is None
    )


@dataclass(frozen=True, slots=True)
class Step:
    """A turn that was taken: who took it, the scored move, the stone taken for a joker.

    ``totals`` are the points of all players after it.
    """

    turn: Turn
    player: int
    move: Move | None
    taken: Stone | None
    totals: tuple[int, ...]

    @property
    def points(self) -> int:
        """The points of the turn; 0 where nothing was laid."""
        return self.move.points if self.move else 0


@dataclass(frozen=True)
class Game:
    """A game after some turns.

    ``to_move`` is the index of the player whose turn it is, None when the game is over.
    ``steps`` are the turns so far; undo is a ``replay`` of fewer of them.
    """

    set_up: SetUp
    position: Board
    hands: tuple[Hand, ...]
    to_move: int | None
    steps: tuple[Step, ...] = ()
    passes: int = 0

    @classmethod
    def start(cls, set_up: SetUp) -> Game:
        """The game before the first turn."""
        known = set_up.hands or ((),) * len(set_up.players)
        hands = tuple(Hand(HAND_SIZE, pieces) for pieces in known)
        return cls(set_up, set_up.start, hands, set_up.begins)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each player so far."""
        return self.steps[-1].totals if self.steps else (0,) * len(self.hands)

    @property
    def over(self) -> bool:
        """Whether nobody has a turn any more."""
        return self.to_move is None

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who has most points; more than one share the victory once the game is over."""
        best = max(self.totals)
        pairs = zip(self.set_up.players, self.totals, strict=True)
        return tuple(name for name, points in pairs if points == best)

    @property
    def bag(self) -> int:
        """How many pieces are in the bag."""
        lying = len(self.position.stones) + self.position.jokers
        return self.set_up.pieces - lying - sum(hand.size for hand in self.hands)

    @property
    def unseen(self) -> tuple[Piece, ...]:
        """The pieces that lie nowhere in sight: in the bag, or in a hand nobody wrote down."""
        known = [piece for hand in self.hands for piece in hand.known]
        seen = {*self.position.stones, *known}
        jokers = JOKERS - self.position.jokers - known.count(JOKER) if self.set_up.jokers else 0
        return (*(stone for stone in STONES if stone not in seen), *(JOKER,) * jokers)

    def legal_moves(self, player: int | None = None) -> tuple[Move, ...]:
        """All moves of the known stones of a player, by default the one to move, best first."""
        player = self.to_move if player is None else player
        return () if player is None else legal_moves(self.position, self.hands[player].known)

    def able_to_begin(self) -> tuple[str, ...]:
        """The players who can lay a stone, of whom the quickest begins.

        Source: Domino-Duell, "Spielvorbereitung".
        """
        return tuple(
            name for player, name in enumerate(self.set_up.players) if self.legal_moves(player)
        )

    def why_illegal(self, turn: Turn) -> Reason | None:
        """Why the turn is not allowed now, None where it is."""
        try:
            self.after(turn)
        except IllegalTurn as error:
            return error.reason
        return None

    def after(self, turn: Turn) -> Game:
        """The game after a turn; IllegalTurn, with the reason as its code, where not allowed."""
        if self.to_move is None:
            raise IllegalTurn(Reason.GAME_OVER)
        name = self.set_up.players[self.to_move]
        if turn.player not in (None, name):
            raise IllegalTurn(Reason.NOT_THEIR_TURN, player=turn.player, expected=name)
        match turn:
            case Lay():
                return self._after_lay(turn)
            case UseJoker():
                later, taken = self._after_joker(turn.hollow)
                return later._next(turn, taken=taken)
            case Exchange():
                return self._with_hand(self._exchanged(turn))._next(turn)
            case Pass():
                self._check_pass()
                return self._next(turn)

    @property
    def _hand(self) -> Hand:
        assert self.to_move is not None
        return self.hands[self.to_move]

    def _with_hand(self, hand: Hand) -> Game:
        """The game with another hand of the player to move."""
        hands = list(self.hands)
        assert self.to_move is not None
        hands[self.to_move] = hand
        return replace(self, hands=tuple(hands))

    def _after_lay(self, turn: Lay) -> Game:
        game, taken = (self, None) if turn.joker is None else self._after_joker(turn.joker)
        game._check_held(turn.stone)
        move = score_move(game.position, turn.stone, turn.hollow, turn.at_edge)
        hand = game._hand.without(turn.stone)
        drawn = () if turn.drawn is None else (turn.drawn,)
        if game.bag:
            game._check_drawn(drawn)
            hand = hand.drawing(1, drawn)
        elif drawn:
            raise IllegalTurn(Reason.BAG_TOO_SMALL, found=1, allowed=0)
        position = game.position.with_piece(turn.hollow, turn.stone)
        later = replace(game._with_hand(hand), position=position)
        return later._next(turn, move=move, taken=taken)

    def _after_joker(self, hollow: str) -> tuple[Game, Stone]:
        """The game after a joker was put down, and the stone that came for it."""
        if not self.set_up.jokers or not self._may_hold(JOKER, self._hand):
            raise IllegalTurn(Reason.NO_JOKERS, hollow=hollow)
        reason = why_joker_illegal(self.position, hollow)
        if reason is not None:
            raise IllegalTurn(reason, hollow=hollow)
        taken = self.position[hollow]
        assert isinstance(taken, Stone)
        hand = self._hand.without(JOKER).drawing(1, [taken])
        position = self.position.with_piece(hollow, JOKER)
        return replace(self._with_hand(hand), position=position), taken

    def _exchanged(self, turn: Exchange) -> Hand:
        hand = self._hand
        if turn.count > hand.size:
            raise IllegalTurn(Reason.HAND_TOO_SMALL, found=turn.count, allowed=hand.size)
        if turn.count > self.bag:
            raise IllegalTurn(Reason.BAG_TOO_SMALL, found=turn.count, allowed=self.bag)
        if not turn.given:
            self._check_drawn(turn.drawn)
            return hand.without_any(turn.count).drawing(turn.count, turn.drawn)
        shown: list[Piece] = []
        for piece in turn.given:
            self._with_hand(hand)._check_held(piece)
            if piece not in hand.known:
                if shown.count(piece) == self.unseen.count(piece):
                    raise IllegalTurn(Reason.NOT_IN_HAND, stone=str(piece))
                shown.append(piece)
            hand = hand.without(piece)
        self._check_drawn(turn.drawn, shown)
        return hand.drawing(turn.count, turn.drawn)

    def _check_pass(self) -> None:
        moves = self.legal_moves()
        if moves:
            stone, hollow = str(moves[0].stone), moves[0].hollow
            raise IllegalTurn(Reason.NEED_NOT_PASS, stone=stone, hollow=hollow)

    def _may_hold(self, piece: Piece, hand: Hand) -> bool:
        return piece in hand.known or (hand.unknown > 0 and piece in self.unseen)

    def _check_held(self, piece: Piece) -> None:
        """A piece of the player to move; what lies on the board, laying refuses as such."""
        if self._may_hold(piece, self._hand) or piece in self.position.stones:
            return
        elsewhere = piece is not JOKER and any(piece in hand.known for hand in self.hands)
        reason = Reason.IN_OTHER_HAND if elsewhere else Reason.NOT_IN_HAND
        raise IllegalTurn(reason, stone=str(piece))

    def _check_drawn(self, drawn: Iterable[Piece], shown: Iterable[Piece] = ()) -> None:
        """What is drawn was unseen and in the bag; ``shown`` is what a hand has given of that."""
        unseen = list(self.unseen)
        for piece in shown:
            unseen.remove(piece)
        for piece in drawn:
            if piece not in unseen:
                raise IllegalTurn(Reason.NOT_IN_BAG, stone=str(piece))
            unseen.remove(piece)

    def _next(self, turn: Turn, *, move: Move | None = None, taken: Stone | None = None) -> Game:
        """This game, changed by the turn, with the turn written down and the next one to move."""
        player = self.to_move
        assert player is not None
        totals = list(self.totals)
        totals[player] += move.points if move else 0
        step = Step(turn, player, move, taken, tuple(totals))
        passes = self.passes + 1 if isinstance(turn, Pass) else 0
        later = replace(self, steps=(*self.steps, step), passes=passes)
        return replace(later, to_move=later._who_is_next(player, move))

    def _who_is_next(self, player: int, move: Move | None) -> int | None:
        count = len(self.hands)
        order = [(player + step) % count for step in range(1, count + 1)]
        holding = [each for each in order if self.hands[each].size]
        at_edge = self.set_up.end is End.EDGE and move is not None and move.at_edge
        if at_edge or self.passes >= len(holding):
            return None
        return holding[0]


def replay(set_up: SetUp, turns: Iterable[Turn]) -> Game:
    """The game after all turns; IllegalTurn, with its ``number`` from 1, for one not allowed."""
    game = Game.start(set_up)
    for number, turn in enumerate(turns, start=1):
        try:
            game = game.after(turn)
        except IllegalTurn as error:
            raise IllegalTurn(error.code, **error.details, number=number) from None
    return game
