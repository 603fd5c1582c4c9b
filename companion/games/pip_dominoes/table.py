"""A game of pip dominoes in work: everything that people can do to it, kept as it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from companion.games.pip_dominoes.kept import (
    MAX_SECONDS,
    CastleRules,
    KeptCastle,
    KeptHand,
    KeptMuggins,
    KeptRound,
    RoundRules,
    round_key,
)
from companion.games.pip_dominoes.kept_reading import KeptHandReading, settle_beside
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    MUGGINS,
    castle_of,
    muggins_rounds_of,
    rounds_of,
)
from companion.games.pip_dominoes.standing import Bounds, RoundStanding, round_standing
from companion.games.table import GameTable, new_game
from companion.reading.pip_dominoes import read_hand
from companion.store import Actor, Confirmed, Game, Json, Store, new_id
from scorer.pip_dominoes import DominoSet, Hand, RulesError, Tile, starting_double
from scorer.pip_dominoes.games import MUGGINS_SET
from scorer.pip_dominoes.round_game import PENALTY_POINTS
from vision.pip_dominoes.result import HandReading

ReadHand = Callable[["TablePhoto", int], HandReading]
"""Reads a photo of a hand of a set with that highest half."""


@dataclass(frozen=True)
class TablePhoto:
    """A photo that was taken at the table; ``width`` and ``height`` are its upright pixels.

    ``load`` gives its bytes, and is called when they are read: many photos may wait for that.
    """

    id: str
    load: Callable[[], bytes] = field(repr=False)
    width: int
    height: int


def _read_here(photo: TablePhoto, highest: int) -> HandReading:
    return read_hand(photo.load(), highest)


@dataclass(frozen=True)
class DominoTable(GameTable):
    """One game of any of the four kinds, and the visitor who works on it.

    Every method keeps what it does before it returns, as one step that ``undo`` takes back.
    """

    store: Store
    game_id: str
    actor: Actor
    read: ReadHand = _read_here

    @property
    def game(self) -> Game:
        """The game as it is kept now."""
        return self.store.game(self.game_id)

    @property
    def highest(self) -> int:
        """The highest half of the tiles that are played with."""
        game = self.game
        rules = game.values.get("rules")
        if game.kind == MUGGINS.key:
            return MUGGINS_SET
        if game.kind == CASTLE_ROCK.key:
            return CastleRules.from_data(rules).highest
        return RoundRules.from_data(rules).highest

    def hand(self, number: int, player: int) -> KeptHand | None:
        """What a player had left in a round; None while it is not known."""
        game = self.game
        if game.kind == CASTLE_ROCK.key:
            castle = castle_of(game.values)
            return castle.hand if castle else None
        if game.kind == MUGGINS.key:
            kept = muggins_rounds_of(game.values).get(number)
            return kept.hands.get(player) if kept else None
        played = rounds_of(game.values).get(number)
        return played.hands.get(player) if played else None

    def set_hand(
        self, number: int, player: int, hand: KeptHand | None, action: str = "hand"
    ) -> Confirmed:
        """Set what a player had left, or take it away."""
        return self._set_hands(number, {player: hand}, action)

    def _set_hands(
        self, number: int, hands: Mapping[int, KeptHand | None], action: str
    ) -> Confirmed:
        """Set several hands of a round in one step; there is one at Castle Rock."""
        game = self.game
        if game.kind == CASTLE_ROCK.key:
            castle = castle_of(game.values) or KeptCastle()
            (hand,) = hands.values()
            return self._set(game, round_key(1), replace(castle, hand=hand).to_data(), action)
        if game.kind == MUGGINS.key:
            kept = muggins_rounds_of(game.values).get(number, KeptMuggins())
            changed = replace(kept, hands=_with(kept.hands, hands))
            return self._set(game, round_key(number), changed.to_data(), action)
        played = self._round(game, number)
        part = replace(played, hands=_with(played.hands, hands))
        return self._set(game, round_key(number), part.to_data(), action)

    def read_hand(self, number: int, player: int, photo: TablePhoto) -> KeptHandReading:
        """Read the photo of a hand and set it; PhotoError where it can't be read.

        Each domino is there once: one that lies in the middle or in another hand of the round is
        in doubt. The hands of a round are settled together, which may change what is in doubt in
        the others.
        """
        reading = self.read(photo, self.highest)
        others = self._hands_beside(number, player)
        readings = {each: found for each, hand in others.items() if (found := self.reading(hand))}
        known = [tile for tile, owner in self.taken(number, player).items() if owner is None]
        read = KeptHandReading.of(reading, photo.id, photo.width, photo.height)
        kept, changed = settle_beside(read, others, readings, known, self.highest)
        reading_id = self.store.keep_reading(self.game_id, kept.to_data())
        hand = kept.hand(reading_id)
        hands = {**others, **changed}.values()
        left = [each.left for each in hands if isinstance(each.left, Hand)]
        taken = {*known, *(tile for each in left for tile in each)}
        tiles = (replace(each, doubtful=each.doubtful or each.tile in taken) for each in hand.tiles)
        self._set_hands(number, {**changed, player: replace(hand, tiles=tuple(tiles))}, "photo")
        return kept

    def _hands_beside(self, number: int, player: int) -> dict[int, KeptHand]:
        """The other hands of a round, of those who are at the table, by player."""
        game = self.game
        hands: Mapping[int, KeptHand] = {}
        if game.kind == MUGGINS.key:
            hands = muggins_rounds_of(game.values).get(number, KeptMuggins()).hands
        elif game.kind != CASTLE_ROCK.key:
            hands = self._round(game, number).hands
        here = {each.id for each in game.players} - {player}
        return {other: hand for other, hand in hands.items() if other in here}

    def taken(self, number: int, player: int) -> dict[Tile, int | None]:
        """Who has a tile of the round already, by id; None for the double in the middle."""
        game = self.game
        if game.kind == CASTLE_ROCK.key:
            return {}
        found: dict[Tile, int | None] = {}
        if game.kind != MUGGINS.key:
            found = {self._round(game, number).double: None}
        for other, hand in self._hands_beside(number, player).items():
            if isinstance(hand.left, Hand):
                found |= dict.fromkeys(hand.left, other)
        return found

    def reading(self, hand: KeptHand | None) -> KeptHandReading | None:
        """The reading that a hand comes from; None for one that was entered by hand."""
        if hand is None or hand.reading is None:
            return None
        data = self.store.readings(self.game_id).get(hand.reading)
        if data is None:
            return None
        try:
            return KeptHandReading.from_data(data)
        except ValueError:  # It came in with a game from a file.
            return None

    def ranges(self, standing: RoundStanding) -> dict[int, dict[int, Bounds]]:
        """What the doubts of each hand that is to check leave of its points, by round and player.

        Penalties are in them. Of a hand without its reading nothing is known.
        """
        found: dict[int, dict[int, Bounds]] = {}
        for number, player in standing.to_check:
            kept = standing.rounds[number]
            reading = self.reading(kept.hands[player])
            low, high = (0, inf)
            if reading is not None:
                low, high = reading.points_range(kept.hands[player], kept.double)
            penalties = PENALTY_POINTS * kept.penalties.get(player, 0)
            found.setdefault(number, {})[player] = (low + penalties, high + penalties)
        return found

    def start_from(self, number: int, double: Tile) -> Confirmed:
        """Start a round from another double than its own.

        RulesError ``outside_set`` or ``no_double`` for a domino that starts none.
        """
        if double not in DominoSet(self.highest):
            raise RulesError("outside_set", tile=str(double), set=self.highest)
        game = self.game
        played = self._round(game, number)
        changed = replace(played, double=double)
        return self._set(game, round_key(number), changed.to_data(), "double")

    def add_penalty(self, number: int, player: int, count: int = 1) -> Confirmed:
        """Give a player penalties of 50 points each, or take them away (below zero)."""
        game = self.game
        played = self._round(game, number)
        now = max(0, played.penalties.get(player, 0) + count)
        changed = replace(played, penalties={**played.penalties, player: now})
        return self._set(game, round_key(number), changed.to_data(), "penalty")

    def finish_after(self, rounds: int | None) -> Confirmed:
        """Play no more rounds than these; None for all that the set has."""
        game = self.game
        rules = RoundRules.from_data(game.values.get("rules"))
        return self._set(game, "rules", replace(rules, rounds=rounds).to_data(), "rounds")

    def add_play(
        self, number: int, player: int, points: int, caller: int | None = None, play_id: str = ""
    ) -> Confirmed:
        """Points by a play at Muggins; the same ``play_id`` twice is one play.

        StoreError ``bad_value`` with the reason ``not_in_fives`` for other points.
        """
        game = self.game
        kept = muggins_rounds_of(game.values).get(number, KeptMuggins())
        play_id = play_id or new_id()
        if any(each.id == play_id for each in kept.plays):
            return self._set(game, round_key(number), kept.to_data(), "play")
        data = kept.to_data()
        play: Json = {"id": play_id, "player": player, "points": points}
        data["plays"].append(play if caller is None else {**play, "caller": caller})
        return self._set(game, round_key(number), data, "play")

    def set_clock(self, seconds: float, running_since: float | None) -> Confirmed:
        """Castle Rock's clock: the seconds so far, and since when it has been running."""
        game = self.game
        castle = castle_of(game.values) or KeptCastle()
        changed = replace(castle, seconds=seconds, running_since=running_since)
        return self._set(game, round_key(1), changed.to_data(), "clock")

    def stop_clock(self, now: float) -> None:
        """Stop Castle Rock's clock, if it runs, at ``now`` in seconds since 1970."""
        game = self.game
        castle = castle_of(game.values) if game.kind == CASTLE_ROCK.key else None
        if castle is not None and castle.running_since is not None:
            passed = max(0.0, now - castle.running_since)
            self.set_clock(min(MAX_SECONDS, round(castle.seconds + passed, 1)), None)

    def _round(self, game: Game, number: int) -> KeptRound:
        kept = rounds_of(game.values).get(number)
        if kept is not None:
            return kept
        return KeptRound(starting_double(round_standing(game).rules.domino_set, number))

    def _set(self, game: Game, part: str, value: Json, action: str) -> Confirmed:
        """Set a part by what ``game`` showed; meanwhile others may have been faster."""
        return self.confirm(part, value, action, based_on=game.part(part).sequence)


def new_table(
    store: Store,
    kind: str,
    names: Sequence[str],
    rules: Json,
    actor: Actor,
    read: ReadHand = _read_here,
) -> DominoTable:
    """A new game of players with these names in seat order."""
    game = new_game(store, kind, names, actor, rules=rules)
    return DominoTable(store, game.id, actor, read)


def _with(
    hands: Mapping[int, KeptHand], changes: Mapping[int, KeptHand | None]
) -> dict[int, KeptHand]:
    after = {**hands, **changes}
    return {player: hand for player, hand in after.items() if hand is not None}
