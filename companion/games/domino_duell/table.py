"""A game of Domino-Duell in work: everything that people can do to it, kept as it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.domino_duell.kind import (
    DOMINO_DUELL,
    KeptHand,
    KeptSetUp,
    hand_key,
    hand_now,
    played,
    record_of,
    set_up_of,
)
from companion.games.table import GameTable, new_game
from companion.store import Actor, Game, Player, Store, StoreError
from scorer.computed import computed_once
from scorer.domino_duell import Exchange, Lay, Pass, Piece, Stone, Turn, UseJoker, format_turn
from scorer.domino_duell import Game as Duel


@dataclass(frozen=True)
class DuelTable(GameTable):
    """A game as it stands, and the visitor who works on it.

    Every method keeps what it does before it returns the table as it stands then. StoreError
    ``bad_value`` with the ``reason`` of the rules core where it is not allowed, or with the reason
    ``somebody_was_faster`` where another phone has taken a turn meanwhile.
    """

    store: Store
    actor: Actor
    game: Game
    made: tuple[int, ...] = ()
    """The numbers of the changes by which this table came from the first one."""

    @property
    def players(self) -> tuple[Player, ...]:
        """In seat order."""
        return tuple(self.game.players)

    @computed_once
    def set_up(self) -> KeptSetUp:
        """How the game starts, as far as it is known yet."""
        return set_up_of(self.game.values)

    @computed_once
    def duel(self) -> Duel | None:
        """The game of the rules core; None before it can begin. Seats are its players."""
        record = record_of(self.game.values)
        return None if record is None else played(record)[0]

    @property
    def turns(self) -> tuple[str, ...]:
        """The turns in notation, the oldest first."""
        return tuple(self.game.values.get("turns") or ())

    @property
    def to_move(self) -> Player | None:
        """Who is next; None before the game can begin and when it is over."""
        if self.duel is None or self.duel.to_move is None:
            return None
        return self.players[self.duel.to_move]

    def hand(self, player: int) -> tuple[Piece, ...]:
        """What is known of the hand of a player now."""
        value = self.game.values.get(hand_key(player))
        if value is None:
            return ()
        kept = KeptHand.from_data(value)
        if self.duel is None:
            return tuple(each for each in kept.pieces if each not in self.set_up.start.values())
        seat = [each.id for each in self.players].index(player)
        return hand_now(kept, seat, self.duel)

    def set_start(self, hollow: str, stone: Stone | None, change_id: str = "") -> DuelTable:
        """Say which stone lies in a hollow of the middle; None takes it away."""
        start = {each: kept for each, kept in self.set_up.start.items() if each != hollow}
        if stone is not None:
            start[hollow] = stone
        return self._set_up(replace(self.set_up, start=start), "start", change_id)

    def set_rules(self, set_up: KeptSetUp) -> DuelTable:
        """Set who begins, the end, jokers, or whether moves are offered."""
        return self._set_up(set_up, "rules")

    def set_hand(self, player: int, pieces: Sequence[Piece], change_id: str = "") -> DuelTable:
        """Say what a player holds now."""
        kept = KeptHand(tuple(pieces), len(self.turns))
        return self._change(hand_key(player), kept.to_data(), "hand", change_id)

    def lay(
        self,
        stone: Stone,
        hollow: str,
        *,
        at_edge: bool | None = None,
        joker: str | None = None,
        seen: int | None = None,
        change_id: str = "",
    ) -> DuelTable:
        """Lay a stone, where ``joker`` names a hollow after taking the stone there for a joker.

        ``seen`` is the number of turns that the person saw when doing it; the same
        ``change_id`` twice is one turn.
        """
        turn = Lay(stone, hollow, at_edge, joker)
        return self.take(turn, seen=seen, change_id=change_id)

    def use_joker(self, hollow: str, *, seen: int | None = None, change_id: str = "") -> DuelTable:
        """Take a stone for a joker and lay nothing."""
        return self.take(UseJoker(hollow), seen=seen, change_id=change_id)

    def exchange(self, count: int, given: Sequence[Piece] = ()) -> DuelTable:
        """Exchange pieces, named or only counted."""
        return self.take(Exchange(count, tuple(given)))

    def sit_out(self) -> DuelTable:
        """Pass the turn on, because no stone can be laid."""
        return self.take(Pass())

    def take(self, turn: Turn, *, seen: int | None = None, change_id: str = "") -> DuelTable:
        """Any turn of the player to move."""
        seen = len(self.turns) if seen is None else seen
        if turn.player is None and (player := self._player_after(seen)) is not None:
            turn = replace(turn, player=player)
        turns = [*self.turns[:seen], format_turn(turn)]
        if seen != len(self.turns):
            return self._late(turns, change_id)
        return self._change("turns", turns, "turn", change_id)

    def _player_after(self, count: int) -> str | None:
        """The id of who had the turn after so many; None where nobody had."""
        if self.duel is None:
            return None
        names = self.duel.set_up.players
        seat = self.duel.to_move
        if count < len(self.duel.steps):
            seat = self.duel.steps[count].player
        return None if seat is None else names[seat]

    def back_to(self, count: int) -> DuelTable:
        """Undo: only the first ``count`` turns stay; the log keeps all."""
        return self._change("turns", list(self.turns[:count]), "undo")

    def undone(self, *sequences: int) -> DuelTable:
        """These changes taken back, by their numbers. StoreError ``nothing_to_undo``."""
        self.take_back(*sequences)
        return replace(self, game=self.store.game(self.game.id))

    def _late(self, turns: list[str], change_id: str) -> DuelTable:
        """A turn from a state that is past: fine where it is there already, else refused."""
        if self.is_confirmed(change_id) or list(self.turns) == turns:
            return self
        raise StoreError("bad_value", part="turns", reason="somebody_was_faster")

    def _set_up(self, set_up: KeptSetUp, action: str, change_id: str = "") -> DuelTable:
        return self._change("setup", set_up.to_data(), action, change_id)

    def _change(self, part: str, value: object, action: str, change_id: str = "") -> DuelTable:
        done = self.confirm(part, value, action, change_id=change_id, may_collide=False)
        made = (*self.made, done.sequence)
        return replace(self, game=self.store.game(self.game.id), made=made)


def new_duel(store: Store, names: Sequence[str], actor: Actor) -> DuelTable:
    """A new game of players with these names in seat order."""
    return DuelTable(store, actor, new_game(store, DOMINO_DUELL.key, names, actor))
