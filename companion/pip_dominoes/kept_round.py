"""The rounds of the games of pip dominoes as the store keeps them, players named by their ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.merging import Json
from companion.pip_dominoes.kept_hand import KeptHand
from scorer.pip_dominoes import NotationError, PlayPoints, Remains, Round, RulesError, Tile

__all__ = ["KeptCastle", "KeptMuggins", "KeptPlay", "KeptRound", "round_key", "round_number"]

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


@dataclass(frozen=True)
class KeptRound:
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

    def is_full(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known."""
        return bool(players) and all(player in self.hands for player in players)

    def is_settled(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known and nothing in them is left to check."""
        return self.is_full(players) and all(self.hands[each].is_settled for each in players)

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
    """Points of a play at Muggins; ``id`` tells it from others of the same points."""

    id: str
    player: int
    points: int
    caller: int | None = None

    def play(self) -> PlayPoints:
        """The play for the scorer; RulesError ``not_in_fives``."""
        caller = None if self.caller is None else str(self.caller)
        return PlayPoints(str(self.player), self.points, caller)


@dataclass(frozen=True)
class KeptMuggins:
    """A round of Muggins: the plays that scored, in their order, and the hands at its end."""

    plays: tuple[KeptPlay, ...] = ()
    hands: Mapping[int, KeptHand] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.plays:
            each.play()

    def is_full(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known."""
        return bool(players) and all(player in self.hands for player in players)

    def is_settled(self, players: Sequence[int]) -> bool:
        """Whether everybody's hand is known and nothing in them is left to check."""
        return self.is_full(players) and all(self.hands[each].is_settled for each in players)

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
