"""What has been chosen for a new game, and where the choice comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games import Json, StoreError
from companion.pip_dominoes.kept_rules import CastleRules, MugginsTableRules, RoundRules
from companion.pip_dominoes.kinds import CASTLE_ROCK, MUGGINS
from companion.web.visit import Visit
from scorer.pip_dominoes import Challenge, MugginsRules

__all__ = ["ROUND_SETS", "SETS", "SHORT_GAMES", "TARGETS", "NewGame", "choice_of"]

SETS = {"muggins": (), "castle_rock": (6, 9, 12)}
ROUND_SETS = (9, 12, 15, 18)
SHORT_GAMES = (3, 5)
TARGETS = (100, 150, 250)


@dataclass
class NewGame:
    """What has been chosen so far for a game of ``kind``."""

    kind: str
    names: list[str] = field(default_factory=list)
    highest: int = 12
    rounds: int | None = None
    first: int = 0
    target: int = 250
    singles: bool = False
    challenge: Challenge = Challenge.PIPS

    @property
    def most_players(self) -> int:
        return {MUGGINS.key: 4, CASTLE_ROCK.key: 1}.get(self.kind, 16)

    @property
    def is_ready(self) -> bool:
        """Whether there are as many players as the game takes."""
        least = 1 if self.kind == CASTLE_ROCK.key else 2
        return least <= len(self.names) <= self.most_players

    def add(self, name: str) -> None:
        """Seat somebody; the only player of a patience takes the other's place."""
        name = " ".join(name.split())[:40]
        if not name or name.casefold() in map(str.casefold, self.names):
            return
        if self.most_players == 1:
            self.names = [name]
        elif len(self.names) < self.most_players:
            self.names.append(name)

    def remove(self, name: str) -> None:
        """Take somebody from the table; the first player starts where the starter has left."""
        self.names = [each for each in self.names if each != name]
        self.first = min(self.first, max(0, len(self.names) - 1))

    def move_up(self, name: str) -> None:
        """Seat somebody one place further to the front."""
        place = self.names.index(name) if name in self.names else 0
        if place:
            self.names[place - 1 : place + 1] = [name, self.names[place - 1]]

    def rules(self) -> Json:
        """The rules for the store."""
        if self.kind == MUGGINS.key:
            rules = MugginsRules(self.target, singles=self.singles)
            return MugginsTableRules(rules, self.first).to_data()
        if self.kind == CASTLE_ROCK.key:
            return CastleRules(self.highest, self.challenge).to_data()
        return RoundRules(self.highest, self.rounds, self.first).to_data()


def choice_of(visit: Visit, kind: str) -> NewGame:
    """What this visitor has chosen; a game to be played again lends its people and rules."""
    like = visit.parameters.get("like", "")
    known = visit.room.get(f"new {kind}")
    if isinstance(known, tuple) and known[0] == like:
        kept = known[1]
        assert isinstance(kept, NewGame)
        return kept
    fresh = NewGame(kind, highest=6 if kind == CASTLE_ROCK.key else 12)
    if like:
        _take_over(visit, fresh, like)
    visit.room[f"new {kind}"] = (like, fresh)
    return fresh


def _take_over(visit: Visit, fresh: NewGame, like: str) -> None:
    try:
        if not visit.house.may_see(like, visit.device):
            return
        game = visit.store.game(like)
    except StoreError:
        return
    if game.kind != fresh.kind:
        return
    fresh.names = [player.name for player in game.players]
    rules = game.values.get("rules")
    if game.kind == MUGGINS.key:
        kept = MugginsTableRules.from_data(rules)
        fresh.target, fresh.singles = kept.rules.target, kept.rules.singles
    elif game.kind == CASTLE_ROCK.key:
        castle = CastleRules.from_data(rules)
        fresh.highest, fresh.challenge = castle.highest, castle.challenge
    else:
        fresh.highest = RoundRules.from_data(rules).highest
