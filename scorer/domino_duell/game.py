"""The state of a game, turn by turn: board, hands, bag, points, and who is next."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scorer.domino_duell.board import Board
from scorer.domino_duell.errors import IllegalTurn, Reason
from scorer.domino_duell.hand import Hand
from scorer.domino_duell.jokers import why_joker_illegal
from scorer.domino_duell.scoring import Move, legal_moves, score_move
from scorer.domino_duell.setting_up import HAND_SIZE, End, SetUp
from scorer.domino_duell.stone import JOKER, JOKERS, STONES, Piece, Stone
from scorer.domino_duell.turns import Exchange, Lay, Pass, Turn, UseJoker

__all__ = ["Game", "Step", "replay"]


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
