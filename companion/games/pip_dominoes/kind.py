"""The four games of pip dominoes for the store: which parts a game has, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from companion.games.pip_dominoes.kept import (
    CastleRules,
    KeptCastle,
    KeptHand,
    KeptMuggins,
    KeptRound,
    MugginsTableRules,
    RoundRules,
    round_key,
    round_number,
)
from companion.store import (
    GameKind,
    PlayerResult,
    Results,
    StoreError,
    players_of,
    ranked,
    register,
)
from companion.store.merging import Json, LeafCollision, Merged, merge_objects
from scorer.pip_dominoes import CastleRockResult, Hand, MugginsGame, MugginsRules, RulesError


@dataclass(frozen=True)
class CountedCastle(CastleRockResult):
    """The pips ``counted``; none of them is a game that was won.

    How many tiles it was is not known, so in a best list it comes after results of as many pips
    whose tiles are.
    """

    counted: int = 0

    @property
    def score(self) -> int:
        """The pips left."""
        return self.counted

    @property
    def is_won(self) -> bool:
        """Whether nothing is left."""
        return not self.counted

    @property
    def tiles_left(self) -> int:
        """The most there can be; nothing to show."""
        return self.domino_set.size if self.counted else 0

    @property
    def tiles_out(self) -> int:
        """How many tiles of the set have gone at least."""
        return self.domino_set.size - self.tiles_left


def knows_tiles(result: CastleRockResult) -> bool:
    """Whether it is known how many tiles were left, not only how many pips."""
    return not isinstance(result, CountedCastle) or result.is_won


@dataclass(frozen=True)
class MugginsStanding:
    """The ``game``, its players named by their ids as text, and the ``hands`` counted in it.

    ``scored`` has the points of each play that counts, with the id of the player who took them.
    """

    game: MugginsGame
    hands: tuple[KeptHand, ...] = ()
    scored: tuple[tuple[int, int], ...] = ()

    @property
    def number(self) -> int:
        """The round that is being played, from 1; the last one when the game is over."""
        rounds = self.game.rounds
        if not rounds or self.game.is_over:
            return max(1, len(rounds))
        return len(rounds) + rounds[-1].is_finished

    def plays_of(self, player: int) -> list[int]:
        """The points of the plays that a player took, called ones included."""
        return [points for scorer, points in self.scored if scorer == player]


def muggins_standing(
    players: Sequence[int], rounds: Mapping[int, KeptMuggins], rules: MugginsRules
) -> MugginsStanding | None:
    """The standing; None for a number of players that Muggins is not for.

    What comes after the target was reached, or after a round whose hands are missing, does not
    count: it can only come from two phones that did not know of each other.
    """
    try:
        game = MugginsGame(tuple(map(str, players)), rules=rules)
    except RulesError:
        return None
    hands: list[KeptHand] = []
    scored: list[tuple[int, int]] = []
    for number in range(1, max(rounds, default=0) + 1):
        kept = rounds.get(number)
        if kept is None:
            break
        for each in kept.plays:
            play = each.play()
            if {play.player, play.scorer} <= set(game.players) and not game.is_over:
                game = game.with_play(play)
                scored.append((int(play.scorer), play.points))
        if game.is_over or not kept.is_full(players):
            break
        left = tuple((str(player), kept.hands[player].left) for player in players)
        game = game.with_hands(left)
        hands += [kept.hands[player] for player in players]
    return MugginsStanding(game, tuple(hands), tuple(scored))


Kept = TypeVar("Kept", KeptRound, KeptMuggins)


class _DominoKind(GameKind):
    """What the four have in common: hands are merged whole, the rest key by key."""

    most_rounds = 1
    containers: tuple[str, ...] = ()

    def check_reading(self, reading: Json) -> None:
        """See ``GameKind.check_reading``."""
        # Inside: a store without photos need not wait for the reader.
        from companion.games.pip_dominoes.kept_reading import KeptHandReading

        try:
            KeptHandReading.from_data(reading)
        except ValueError as error:
            raise StoreError("bad_value", part="reading", reason="bad_reading") from error

    def merge(self, part: str, base: Json, current: Json, sent: Json) -> Merged:
        """Hand by hand and play by play: two phones may fill one round."""
        if round_number(part) is None or current in (base, sent) or sent == base:
            return super().merge(part, base, current, sent)
        sides = (self._closed(each, current, sent) for each in (base, current, sent))
        merged = merge_objects(*sides)
        collisions = (
            LeafCollision(each.leaf, _opened_leaf(each.kept), _opened_leaf(each.other))
            for each in merged.collisions
        )
        return Merged(_opened(merged.value), tuple(collisions))

    def leaf(self, part: str, value: Json, leaf: str) -> Json:
        """A hand, a play by its id, or a field, as ``merge`` names them."""
        if round_number(part) is None or value is None:
            return super().leaf(part, value, leaf)
        return _opened_leaf(super().leaf(part, self._closed(value), leaf))

    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        """See ``GameKind.check``; the reason of ``bad_value`` is the code of what is wrong."""
        number = round_number(part)
        if part != "rules" and (number is None or number > self.most_rounds):
            raise StoreError("bad_part", part=part)
        try:
            return self._rules(value) if part == "rules" else self._round(value)
        except ValueError as error:
            reason = getattr(error, "code", "bad_round")
            raise StoreError("bad_value", part=part, reason=reason) from error

    def _closed(self, value: Json, *others: Json) -> Json:
        """A round in which each hand is one leaf and each play has a key of its own.

        A round that is not there yet, or no more, is one without anything in it.
        """
        closed = _double_of(*others) if value is None else dict(value)
        for name in self.containers:
            inside = closed.get(name) or {}
            if isinstance(inside, list):
                inside = {each["id"]: each for each in inside}
            closed[name] = {key: [each] for key, each in inside.items()}
        if closed.get("hand") is not None:
            closed["hand"] = [closed["hand"]]
        return closed

    def _rules(self, value: Json) -> Json:
        raise NotImplementedError

    def _round(self, value: Json) -> Json:
        raise NotImplementedError


class _RoundKind(_DominoKind):
    """Mexican Train and Chickenfoot: the lowest total wins."""

    players = range(2, 17)
    highest_wins = False
    most_rounds = 19
    containers = ("hands", "penalties")

    def _rules(self, value: Json) -> Json:
        return RoundRules.from_data(value).to_data()

    def _round(self, value: Json) -> Json:
        return KeptRound.from_data(value).to_data()

    def results(self, game: Mapping[str, Json]) -> Results:
        """The sum of the hands that are known, and who won once every round is settled."""
        players = _ids(game)
        rounds = rounds_of(game)
        due = RoundRules.from_data(game.get("rules")).rounds_due
        counted = {number: rounds[number] for number in rounds if number <= due}
        points: dict[int, int | None] = dict.fromkeys(players)
        details: dict[int, dict[str, int]] = {each: {} for each in players}
        for played in counted.values():
            for player, value in played.points(players).items():
                points[player] = (points[player] or 0) + value
                _add_details(details[player], played, player, value)
        complete = len(players) > 1 and all(
            number in counted and counted[number].is_settled(players)
            for number in range(1, due + 1)
        )
        return ranked(points, complete=complete, highest_wins=False, details=details)


class MexicanTrainKind(_RoundKind):
    """Mexican Train."""

    key = "mexican_train"
    name = "Mexican Train"


class ChickenfootKind(_RoundKind):
    """Chickenfoot."""

    key = "chickenfoot"
    name = "Chickenfoot"


class MugginsKind(_DominoKind):
    """Muggins for two, three, or four, who play in two teams or each alone."""

    key = "muggins"
    name = "Muggins"
    players = range(2, 5)
    most_rounds = 99
    containers = ("hands", "plays")

    def _rules(self, value: Json) -> Json:
        return MugginsTableRules.from_data(value).to_data()

    def _round(self, value: Json) -> Json:
        return KeptMuggins.from_data(value).to_data()

    def results(self, game: Mapping[str, Json]) -> Results:
        """The points of each player's side, and who won once a side has reached the target."""
        players = _ids(game)
        rules = MugginsTableRules.from_data(game.get("rules"))
        standing = muggins_standing(players, muggins_rounds_of(game), rules.rules)
        if standing is None:
            return ranked(dict.fromkeys(players), complete=False)
        settled = all(each.is_settled for each in standing.hands)
        over = standing.game.is_over and settled
        places = {place.player: place.place for place in standing.game.places}
        found = []
        for player in players:
            side = standing.game.side_of(str(player))
            points = standing.game.totals[side.name] if standing.game.rounds else None
            place = None if points is None else places[side.name]
            own = standing.plays_of(player)
            details = {"points_by_play": sum(own), "plays_that_scored": len(own)}
            won = over and side == standing.game.winner
            found.append(PlayerResult(player, points, place, won, details))
        return Results(tuple(found), over)


class CastleRockKind(_DominoKind):
    """Castle Rock, a patience: the fewer pips left the better."""

    key = "castle_rock"
    name = "Castle Rock"
    players = range(1, 2)
    highest_wins = False

    def _rules(self, value: Json) -> Json:
        return CastleRules.from_data(value).to_data()

    def _round(self, value: Json) -> Json:
        return KeptCastle.from_data(value).to_data()

    def results(self, game: Mapping[str, Json]) -> Results:
        """The pips left; won if none are, whoever else plays."""
        players = _ids(game)
        result = castle_result(game)
        if result is None or len(players) != 1:
            return ranked(dict.fromkeys(players), complete=False, highest_wins=False)
        details = {}
        if knows_tiles(result):
            details = {"tiles_left": result.tiles_left, "tiles_out": result.tiles_out}
        if result.seconds is not None:
            details["seconds"] = round(result.seconds)
        settled = (castle := castle_of(game)) is not None and castle.is_settled
        won = settled and result.is_won
        found = PlayerResult(players[0], result.score, 1, won, details)
        return Results((found,), settled)


MEXICAN_TRAIN = register(MexicanTrainKind())
CHICKENFOOT = register(ChickenfootKind())
MUGGINS = register(MugginsKind())
CASTLE_ROCK = register(CastleRockKind())
KINDS = (MEXICAN_TRAIN, CHICKENFOOT, MUGGINS, CASTLE_ROCK)
"""In the order in which they are offered."""


def rounds_of(game: Mapping[str, Json]) -> dict[int, KeptRound]:
    """The rounds of Mexican Train or Chickenfoot among the parts of a game, by number."""
    return _rounds(game, KeptRound)


def muggins_rounds_of(game: Mapping[str, Json]) -> dict[int, KeptMuggins]:
    """The rounds of Muggins among the parts of a game, by number."""
    return _rounds(game, KeptMuggins)


def castle_of(game: Mapping[str, Json]) -> KeptCastle | None:
    """The game of Castle Rock among the parts; None before anything was kept."""
    value = game.get(round_key(1))
    return None if value is None else KeptCastle.from_data(value)


def castle_result(game: Mapping[str, Json]) -> CastleRockResult | None:
    """What a game of Castle Rock came to; None before that is known, or with tiles of no set."""
    castle = castle_of(game)
    if castle is None or castle.hand is None:
        return None
    left = castle.hand.left
    domino_set = CastleRules.from_data(game.get("rules")).domino_set
    if not isinstance(left, Hand):
        return CountedCastle(domino_set, Hand(), castle.seconds or None, left)
    inside = Hand.of(tile for tile in left if tile in domino_set)
    return CastleRockResult(domino_set, inside, castle.seconds or None)


def _rounds(game: Mapping[str, Json], kept: type[Kept]) -> dict[int, Kept]:
    found = {}
    for part in game:
        number = round_number(part)
        if number is not None:
            found[number] = kept.from_data(game[part])
    return dict(sorted(found.items()))


def _ids(game: Mapping[str, Json]) -> list[int]:
    return [player["id"] for player in players_of(game)]


def _add_details(details: dict[str, int], played: KeptRound, player: int, points: int) -> None:
    hand = played.hands[player]
    for name, value in (
        ("rounds_out", played.played([player]).remains[0].is_out),
        ("double_blanks", hand.has_double_blank),
        ("penalties", played.penalties.get(player, 0)),
    ):
        details[name] = details.get(name, 0) + int(value)
    details["worst_round"] = max(details.get("worst_round", 0), points)


def _double_of(*rounds: Json) -> dict[str, Json]:
    doubles = [each["double"] for each in rounds if isinstance(each, dict) and "double" in each]
    return {"double": doubles[0]} if doubles else {}


def _opened(value: Json) -> Json:
    if not isinstance(value, dict):
        return value
    opened = dict(value)
    for name in ("hands", "penalties", "plays"):
        if name in opened:
            opened[name] = {key: each for key, (each,) in opened[name].items()}
    if "plays" in opened:
        opened["plays"] = list(opened["plays"].values())
    if opened.get("hand") is not None:
        (opened["hand"],) = opened["hand"]
    return opened


def _opened_leaf(value: Json) -> Json:
    return value[0] if isinstance(value, list) and len(value) == 1 else value
