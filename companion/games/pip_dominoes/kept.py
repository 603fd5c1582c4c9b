"""What the store keeps of a game of pip dominoes: hands, rounds and rules, players named by their
ids.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.store.merging import Json
from scorer.pip_dominoes import (
    DOUBLE_BLANK,
    Challenge,
    DominoSet,
    Game,
    Hand,
    MugginsRules,
    NotationError,
    PlayPoints,
    Remains,
    Round,
    RulesError,
    Tile,
)
from scorer.pip_dominoes.round_game import DOUBLE_BLANK_POINTS

MAX_TILES = 200
"""More than the largest set has, so that a reading gone wrong can still be kept and mended."""
MAX_COUNTED = 9999


@dataclass(frozen=True, slots=True)
class KeptTile:
    """A tile of a hand; ``place`` is its number, from 0, in the reading it comes from.

    ``doubtful`` stays until a person has confirmed or changed it.
    """

    tile: Tile
    place: int | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class KeptHand:
    """The ``tiles`` that were left, or the number that the player ``counted``, never both.

    ``double_blank`` says of a counted hand that the double blank is in it, its 50 points beside
    the number. ``reading`` is the id by which the store has the reading of the photo, and
    ``incomplete`` stays, where a domino may be missing in it, until a person has looked. No tile
    and no number is a player who is out. ValueError for figures out of range.
    """

    tiles: tuple[KeptTile, ...] = ()
    counted: int | None = None
    double_blank: bool = False
    reading: str | None = None
    incomplete: bool = False

    def __post_init__(self) -> None:
        if len(self.tiles) > MAX_TILES:
            raise ValueError(f"tiles: expected {MAX_TILES} at most, got {len(self.tiles)}")
        if self.counted is not None and (self.tiles or not 0 <= self.counted <= MAX_COUNTED):
            raise ValueError(f"counted: expected 0 to {MAX_COUNTED} without tiles")
        if self.double_blank and self.counted is None:
            raise ValueError("double_blank: expected only beside a counted number")

    @classmethod
    def of_tiles(cls, tiles: Sequence[Tile]) -> KeptHand:
        """A hand that was tapped by hand, nothing in doubt."""
        return cls(tuple(map(KeptTile, tiles)))

    @property
    def left(self) -> Hand | int:
        """The hand for the scorer; the 50 for a double blank are in a counted number.

        A tile that is there twice, which is a doubt, is in it once.
        """
        if self.counted is not None:
            return self.counted + DOUBLE_BLANK_POINTS * self.double_blank
        return Hand.of(dict.fromkeys(each.tile for each in self.tiles))

    @property
    def doubts(self) -> tuple[int, ...]:
        """Which tiles, from 0, are still to be checked: doubtful ones, and any that are twice."""
        tiles = [each.tile for each in self.tiles]
        return tuple(
            number
            for number, each in enumerate(self.tiles)
            if each.doubtful or tiles.count(each.tile) > 1
        )

    @property
    def checks(self) -> int:
        """How many things are left to check: doubts, and whether a domino is missing."""
        return len(self.doubts) + self.incomplete

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing left to check."""
        return not self.checks

    @property
    def has_double_blank(self) -> bool:
        """Whether the double blank is in it, counted or not."""
        return self.double_blank or any(each.tile == DOUBLE_BLANK for each in self.tiles)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same hand back."""
        if self.counted is not None:
            counted: dict[str, Json] = {"counted": self.counted, "double_blank": self.double_blank}
            return counted if self.reading is None else {**counted, "reading": self.reading}
        data: dict[str, Json] = {"tiles": " ".join(str(each.tile) for each in self.tiles)}
        if self.reading is not None:
            data["reading"] = self.reading
        if any(each.place is not None for each in self.tiles):
            data["places"] = [each.place for each in self.tiles]
        doubtful = [number for number, each in enumerate(self.tiles) if each.doubtful]
        if self.incomplete:
            data["incomplete"] = True
        return data | ({"doubtful": doubtful} if doubtful else {})

    @classmethod
    def from_data(cls, data: Json) -> KeptHand:
        """The hand of plain data; ValueError (NotationError for tiles) for anything else."""
        if not isinstance(data, dict):
            raise ValueError("hand: expected an object")
        reading = data.get("reading")
        if reading is not None and not (isinstance(reading, str) and 0 < len(reading) <= 64):
            raise ValueError("reading: expected an id")
        if "counted" in data:
            counted, blank = data["counted"], data.get("double_blank", False)
            known = data.keys() <= {"counted", "double_blank", "reading"}
            if type(counted) is not int or type(blank) is not bool or not known:
                raise ValueError("hand: expected a whole number and whether the double blank is in")
            return cls(counted=counted, double_blank=blank, reading=reading)
        if not data.keys() <= {"tiles", "reading", "places", "doubtful", "incomplete"}:
            raise ValueError("hand: expected no further fields")
        tiles = _tiles(data.get("tiles"))
        places = data.get("places", [None] * len(tiles))
        doubtful = data.get("doubtful", [])
        incomplete = data.get("incomplete", False)
        if type(incomplete) is not bool:
            raise ValueError("incomplete: expected a truth value")
        if not isinstance(places, list) or len(places) != len(tiles):
            raise ValueError("places: expected one a tile")
        if not all(each is None or (type(each) is int and 0 <= each < 1000) for each in places):
            raise ValueError("places: expected numbers in the reading")
        if not isinstance(doubtful, list) or not all(
            type(each) is int and 0 <= each < len(tiles) for each in doubtful
        ):
            raise ValueError("doubtful: expected numbers of tiles")
        kept = (
            KeptTile(tile, place, number in doubtful)
            for number, (tile, place) in enumerate(zip(tiles, places, strict=True))
        )
        return cls(tuple(kept), reading=reading, incomplete=incomplete)


def _tiles(text: Json) -> list[Tile]:
    if not isinstance(text, str) or len(text) > MAX_TILES * 6:
        raise NotationError("bad_record", field="tiles")
    return list(map(Tile.parse, text.split()))


MAX_PENALTIES = 20
MAX_PLAYS = 300
MAX_SECONDS = 24 * 3600.0
_ROUND = re.compile(r"round:([1-9][0-9]{0,3})")
_PLAY = re.compile(r"[A-Za-z0-9_-]{1,40}")


def round_key(number: int) -> str:
    """The part that holds round ``number``, from 1."""
    return f"round:{number}"


def round_number(part: str) -> int | None:
    """The number of the round that a part holds; None for any other part."""
    found = _ROUND.fullmatch(part)
    return int(found[1]) if found else None


class _Hands:
    """A round with the hands of players."""

    hands: Mapping[int, KeptHand]

    def is_full(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known."""
        return bool(players) and all(player in self.hands for player in players)

    def is_settled(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known and nothing in them is left to check."""
        return self.is_full(players) and all(self.hands[each].is_settled for each in players)


@dataclass(frozen=True)
class KeptRound(_Hands):
    """A round of Mexican Train or Chickenfoot, as far as the hands are known, by player."""

    double: Tile
    hands: Mapping[int, KeptHand] = field(default_factory=dict)
    penalties: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.double.is_double:
            raise RulesError("no_double", tile=str(self.double))

    def played(self, players: Sequence[int]) -> Round:
        """The round for the scorer with those of the players whose hands are known."""
        return Round(
            self.double,
            tuple(
                Remains(str(player), self.hands[player].left, self.penalties.get(player, 0))
                for player in players
                if player in self.hands
            ),
        )

    def points(self, players: Sequence[int]) -> dict[int, int]:
        """The points of everybody whose hand is known."""
        return {int(name): points for name, points in self.played(players).points.items()}

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same round back."""
        data: dict[str, Json] = {"double": str(self.double), "hands": _hands_data(self.hands)}
        penalties = {str(player): count for player, count in self.penalties.items() if count}
        return data | ({"penalties": penalties} if penalties else {})

    @classmethod
    def from_data(cls, data: Json) -> KeptRound:
        """The round of plain data; NotationError, RulesError or ValueError for anything else."""
        _expect(data, "double", "hands", "penalties")
        double = data.get("double")
        if not isinstance(double, str):
            raise NotationError("bad_record", field="double")
        penalties = _by_player(data.get("penalties", {}), "penalties")
        for count in penalties.values():
            if type(count) is not int or not 0 <= count <= MAX_PENALTIES:
                raise NotationError("bad_record", field="penalties")
        return cls(Tile.parse(double), _hands(data), penalties)


@dataclass(frozen=True, slots=True)
class KeptPlay:
    """Points of a play at Muggins; ``id`` distinguishes it from others of the same points."""

    id: str
    player: int
    points: int
    caller: int | None = None

    def play(self) -> PlayPoints:
        """The play for the scorer; RulesError ``not_in_fives``."""
        caller = None if self.caller is None else str(self.caller)
        return PlayPoints(str(self.player), self.points, caller)


@dataclass(frozen=True)
class KeptMuggins(_Hands):
    """A round of Muggins: the plays that scored, in their order, and the hands at its end."""

    plays: tuple[KeptPlay, ...] = ()
    hands: Mapping[int, KeptHand] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.plays:
            each.play()

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same round back."""
        plays = [
            {"id": each.id, "player": each.player, "points": each.points}
            | ({} if each.caller is None else {"caller": each.caller})
            for each in self.plays
        ]
        return {"plays": plays, "hands": _hands_data(self.hands)}

    @classmethod
    def from_data(cls, data: Json) -> KeptMuggins:
        """The round of plain data; NotationError, RulesError or ValueError for anything else."""
        _expect(data, "plays", "hands")
        plays = data.get("plays", [])
        if not isinstance(plays, list) or len(plays) > MAX_PLAYS:
            raise NotationError("bad_record", field="plays")
        kept = tuple(map(_play, plays))
        if len({each.id for each in kept}) < len(kept):
            raise NotationError("bad_record", field="plays")
        return cls(kept, _hands(data))


@dataclass(frozen=True, slots=True)
class KeptCastle:
    """A game of Castle Rock: what is left, and its clock.

    ``seconds`` is the time so far; ``running_since`` is when the clock was started last, in
    seconds since 1970, None while it stands.
    """

    hand: KeptHand | None = None
    seconds: float = 0.0
    running_since: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.seconds <= MAX_SECONDS:
            raise ValueError(f"seconds: expected 0 to {MAX_SECONDS}, got {self.seconds}")
        if self.running_since is not None and not 0 <= self.running_since < 1e11:
            raise ValueError("running_since: expected seconds since 1970")

    @property
    def is_settled(self) -> bool:
        """Whether what is left is known and nothing is left to check."""
        return self.hand is not None and self.hand.is_settled

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same game back."""
        return {
            "hand": None if self.hand is None else self.hand.to_data(),
            "seconds": self.seconds,
            "running_since": self.running_since,
        }

    @classmethod
    def from_data(cls, data: Json) -> KeptCastle:
        """The game of plain data; NotationError or ValueError for anything else."""
        _expect(data, "hand", "seconds", "running_since")
        hand, seconds, since = data.get("hand"), data.get("seconds", 0.0), data.get("running_since")
        for value in (seconds, 0.0 if since is None else since):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise NotationError("bad_record", field="seconds")
        kept = None if hand is None else KeptHand.from_data(hand)
        if kept is not None and kept.double_blank:
            # It counts nothing here.
            raise NotationError("bad_record", field="hand")
        return cls(kept, float(seconds), None if since is None else float(since))


def _expect(data: Json, *names: str) -> None:
    if not isinstance(data, dict) or not data.keys() <= set(names):
        raise NotationError("bad_record", field="round")


def _play(data: Json) -> KeptPlay:
    _expect(data, "id", "player", "points", "caller")
    play, points = data.get("id"), data.get("points")
    if not isinstance(play, str) or not _PLAY.fullmatch(play):
        raise NotationError("bad_record", field="id")
    if type(points) is not int or points > 500:
        raise NotationError("bad_record", field="points")
    caller = data.get("caller")
    return KeptPlay(
        play, _player(data.get("player")), points, None if caller is None else _player(caller)
    )


def _player(value: Json) -> int:
    if type(value) is not int or not 0 <= value <= 15:
        raise NotationError("bad_record", field="player")
    return value


def _by_player(data: Json, name: str) -> dict[int, Json]:
    if not isinstance(data, dict):
        raise NotationError("bad_record", field=name)
    if not all(re.fullmatch(r"[0-9]|1[0-5]", key) for key in data):
        raise NotationError("bad_record", field=name)
    return {int(key): value for key, value in data.items()}


def _hands(data: Json) -> dict[int, KeptHand]:
    hands = _by_player(data.get("hands", {}), "hands")
    return {player: KeptHand.from_data(value) for player, value in hands.items()}


def _hands_data(hands: Mapping[int, KeptHand]) -> Json:
    return {str(player): hand.to_data() for player, hand in sorted(hands.items())}


_USUAL_SET = 12
_CASTLE_SET = 6


@dataclass(frozen=True, slots=True)
class RoundRules:
    """Mexican Train and Chickenfoot: the set, and how many rounds are played.

    ``rounds`` is None for all that the set has doubles for. ``first`` is the id of the player who
    starts the first round. RulesError ``set_not_played``, ``no_such_round``.
    """

    highest: int = _USUAL_SET
    rounds: int | None = None
    first: int | None = None

    def __post_init__(self) -> None:
        if self.highest not in Game.MEXICAN_TRAIN.sets:
            raise RulesError("set_not_played", set=self.highest, sets=Game.MEXICAN_TRAIN.sets)
        if self.rounds is not None and not 1 <= self.rounds <= self.highest + 1:
            raise RulesError("no_such_round", round=self.rounds, rounds=self.highest + 1)

    @property
    def domino_set(self) -> DominoSet:
        """The set in play."""
        return DominoSet(self.highest)

    @property
    def rounds_due(self) -> int:
        """How many rounds the game has."""
        return self.rounds or self.highest + 1

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {"set": self.highest, "rounds": self.rounds, "first": self.first}

    @classmethod
    def from_data(cls, data: Json) -> RoundRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "set", "rounds", "first")
        highest = _number(fields, "set", _USUAL_SET)
        return cls(
            _USUAL_SET if highest is None else highest,
            _number(fields, "rounds"),
            _first_player(fields),
        )


@dataclass(frozen=True, slots=True)
class MugginsTableRules:
    """Muggins: the rules in play, and the id of the player who starts the first round."""

    rules: MugginsRules = field(default_factory=MugginsRules)
    first: int | None = None

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {**self.rules.to_dict(), "first": self.first}

    @classmethod
    def from_data(cls, data: Json) -> MugginsTableRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "first", *MugginsRules().to_dict())
        rules = MugginsRules.from_dict({key: fields[key] for key in fields if key != "first"})
        return cls(rules, _first_player(fields))


@dataclass(frozen=True, slots=True)
class CastleRules:
    """Castle Rock: the set, and what the best list goes by."""

    highest: int = _CASTLE_SET
    challenge: Challenge = Challenge.PIPS

    def __post_init__(self) -> None:
        DominoSet(self.highest)

    @property
    def domino_set(self) -> DominoSet:
        """The set in play."""
        return DominoSet(self.highest)

    def to_data(self) -> Json:
        """Plain data; ``from_data`` gives the same rules back."""
        return {"set": self.highest, "challenge": self.challenge.value}

    @classmethod
    def from_data(cls, data: Json) -> CastleRules:
        """The rules of plain data; NotationError ``bad_record`` or RulesError for any other."""
        fields = _fields(data, "set", "challenge")
        highest = _number(fields, "set", _CASTLE_SET)
        challenge = fields.get("challenge", Challenge.PIPS.value)
        if challenge not in [each.value for each in Challenge]:
            raise NotationError("bad_record", field="challenge")
        return cls(_CASTLE_SET if highest is None else highest, Challenge(challenge))


def _fields(data: Json, *names: str) -> Mapping[str, Json]:
    """The fields of an object; none of a game whose rules were never set."""
    if data is None:
        return {}
    if not isinstance(data, dict) or not data.keys() <= set(names):
        raise NotationError("bad_record", field="rules")
    return data


def _number(fields: Mapping[str, Json], name: str, default: int | None = None) -> int | None:
    value = fields.get(name, default)
    if value is not None and type(value) is not int:
        raise NotationError("bad_record", field=name)
    return value


def _first_player(fields: Mapping[str, Json]) -> int | None:
    first = _number(fields, "first")
    if first is not None and not 0 <= first <= 15:
        raise NotationError("bad_record", field="first")
    return first
