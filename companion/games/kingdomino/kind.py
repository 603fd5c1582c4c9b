"""Kingdomino for the store: rules as they are kept, the parts of a game, and its results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from companion.games.kingdomino.kept_board import KeptBoard, board_leaf, merge_boards
from companion.games.kingdomino.texts import is_name_of_newcomer
from companion.store import GameKind, PlayerResult, Results, StoreError, players_of, register
from companion.store.merging import Json, Merged
from scorer.kingdomino import (
    BleakKing,
    Colour,
    Kingdom,
    NotationError,
    Quest,
    Ranking,
    Rules,
    RulesError,
    Score,
    Terrain,
    TieBreak,
    dynasty,
    rank,
    rules_in_play,
    score,
)
from scorer.kingdomino.ranking import GAMES_OF_A_DYNASTY

_SWITCHES = ("harmony", "middle_kingdom", "mighty_duel", "age_of_giants", "court")
# Newer than the first stores: written only where it is on, so that what they wrote stays as it is.
_NEWER_SWITCHES = ("court",)


@dataclass(frozen=True)
class KeptRules:
    """The rules of one game, or of the three games of a Dynasty, whose points are added."""

    rules: Rules = field(default_factory=Rules)
    dynasty: bool = False

    @property
    def games(self) -> range:
        """The numbers of the games that are played: 1, or 1 to 3."""
        return range(1, 1 + (GAMES_OF_A_DYNASTY if self.dynasty else 1))

    @classmethod
    def from_data(cls, data: Json) -> Self:
        """The rules from plain data; missing fields have their defaults.

        RulesError with the codes of ``Rules``, or ``unknown_rule`` for an unknown field or value.
        """
        if data is None:
            return cls()
        fields = {*_SWITCHES, "size", "quests", "tie_break", "bleak_king", "dynasty"}
        if not isinstance(data, dict) or not data.keys() <= fields:
            raise RulesError("unknown_rule")
        switches = {name: data.get(name, False) for name in (*_SWITCHES, "dynasty")}
        if any(type(value) is not bool for value in switches.values()):
            raise RulesError("unknown_rule")
        dynasty = switches.pop("dynasty")
        quests = data.get("quests", [])
        if not isinstance(quests, list) or not all(isinstance(each, str) for each in quests):
            raise RulesError("unknown_rule")
        size = data.get("size")
        if size is not None and type(size) is not int:
            raise RulesError("unknown_rule")
        try:
            tie_break = TieBreak(data.get("tie_break", TieBreak.SHARED.value))
            bleak_king = BleakKing(data.get("bleak_king", BleakKing.TERRITORY.value))
        except ValueError:
            raise RulesError("unknown_rule") from None
        rules = Rules(
            size=size,
            quests=tuple(Quest.parse(each) for each in quests),
            tie_break=tie_break,
            bleak_king=bleak_king,
            **switches,
        )
        return cls(rules, dynasty)

    def to_data(self) -> Json:
        """Plain data of all fields, which ``from_data`` turns back into the same rules.

        The number of players is left out: the game knows its players.
        """
        rules = self.rules
        return {
            "size": rules.size,
            **{
                name: getattr(rules, name)
                for name in _SWITCHES
                if name not in _NEWER_SWITCHES or getattr(rules, name)
            },
            "quests": [str(quest) for quest in rules.quests],
            "tie_break": rules.tie_break.value,
            "bleak_king": rules.bleak_king.value,
            "dynasty": self.dynasty,
        }


_BOARD = re.compile(r"board:([123]):([0-9]{1,2})")


class KingdominoKind(GameKind):
    """Kingdomino with all its variants, Age of Giants and The Court included."""

    key = "kingdomino"
    name = "Kingdomino"
    players = range(2, 6)
    bgg_id = 204583

    def is_given_name(self, name: str) -> bool:
        """See ``GameKind.is_given_name``."""
        return is_name_of_newcomer(name)

    def check_reading(self, reading: Json) -> None:
        """See ``GameKind.check_reading``."""
        # Inside: a store without photos need not wait for the reader.
        from companion.games.kingdomino.kept_reading import KeptReading

        try:
            KeptReading.from_data(reading)
        except ValueError as error:
            raise StoreError("bad_value", part="reading", reason="bad_reading") from error

    def check(self, part: str, value: Json, game: Mapping[str, Json]) -> Json:
        """See ``GameKind.check``; the reason of ``bad_value`` is the code of the error."""
        if part == "rules":
            try:
                rules = KeptRules.from_data(value)
                _for_players(rules.rules, len(players_of(game)))
            except RulesError as error:
                raise StoreError("bad_value", part=part, reason=error.code) from error
            return rules.to_data()
        if not _BOARD.fullmatch(part):
            raise StoreError("bad_part", part=part)
        try:
            return KeptBoard.from_data(value).to_data()
        except NotationError as error:
            raise StoreError("bad_value", part=part, reason=error.code) from error
        except ValueError as error:
            raise StoreError("bad_value", part=part, reason="bad_board") from error

    def check_players(self, players: Sequence[Json], game: Mapping[str, Json]) -> None:
        """StoreError if the rules don't allow this many players, or for an unknown colour."""
        if any(p["colour"] not in (None, *(each.value for each in Colour)) for p in players):
            raise StoreError("bad_players", reason="bad_colour")
        try:
            _for_players(rules_of(game).rules, len(players))
        except RulesError as error:
            raise StoreError("bad_players", reason=error.code) from error

    def merge(self, part: str, base: Json, current: Json, sent: Json) -> Merged:
        """Merge boards square by square and rules field by field."""
        if _BOARD.fullmatch(part):
            return merge_boards(base, current, sent)
        return super().merge(part, base, current, sent)

    def leaf(self, part: str, value: Json, leaf: str) -> Json:
        """See ``GameKind.leaf``."""
        if _BOARD.fullmatch(part):
            return board_leaf(value, leaf)
        return super().leaf(part, value, leaf)

    def results(self, game: Mapping[str, Json]) -> Results:
        """Points over all games played, and places once every kingdom is known."""
        scores = game_scores(game)
        ranking = _ranking(game, scores)
        places = {int(each.player): each.place for each in ranking.places} if ranking else {}
        found = []
        for player in players_of(game):
            number = player["id"]
            own = [by_player[number] for by_player in scores.values() if number in by_player]
            points = sum(each.points for each in own) if own else None
            place = places.get(number)
            found.append(PlayerResult(number, points, place, place == 1, _details(own)))
        return Results(tuple(found), ranking is not None)


KINGDOMINO = register(KingdominoKind())


def board_key(player: int, game: int = 1) -> str:
    """The part with the kingdom of a player, by id, in the game of that number."""
    return f"board:{game}:{player}"


def rules_of(game: Mapping[str, Json]) -> KeptRules:
    """The rules among the parts of a game, or the default rules."""
    return KeptRules.from_data(game.get("rules"))


def game_scores(game: Mapping[str, Json]) -> dict[int, dict[int, Score]]:
    """The score of every known kingdom, by number of the game and id of the player."""
    found = {}
    for number in rules_of(game).games:
        rules = rules_of_kingdoms(game, number)
        kingdoms = _kingdoms(game, number)
        found[number] = {player: score(kingdom, rules) for player, kingdom in kingdoms.items()}
    return found


def rules_of_kingdoms(
    game: Mapping[str, Json], number: int = 1, changed: Mapping[int, Kingdom] | None = None
) -> Rules:
    """The rules with what the kingdoms of the game of that number put in play, such as its grid.

    ``changed`` are kingdoms, by player, that stand for those on the table or come to them.
    """
    rules = rules_of(game).rules
    try:
        rules = _for_players(rules, len(players_of(game)))
    except RulesError:
        return rules
    return rules_in_play((_kingdoms(game, number) | dict(changed or {})).values(), rules)


def _kingdoms(game: Mapping[str, Json], number: int) -> dict[int, Kingdom]:
    """The known kingdoms of the game of that number by the id of the player."""
    return {
        player["id"]: KeptBoard.from_data(board).kingdom
        for player in players_of(game)
        if (board := game.get(board_key(player["id"], number))) is not None
    }


def game_ranking(game: Mapping[str, Json]) -> Ranking | None:
    """The ranking, with ids of players as names; None while a kingdom is missing.

    In a Dynasty it is by the sum of the three games.
    """
    return _ranking(game, game_scores(game))


def _ranking(game: Mapping[str, Json], scores: Mapping[int, Mapping[int, Score]]) -> Ranking | None:
    rules, players = rules_of(game), players_of(game)
    if any(len(by_player) < len(players) for by_player in scores.values()):
        return None
    try:
        of_players = _for_players(rules.rules, len(players))
        games = [
            {str(player): each for player, each in by_player.items()}
            for by_player in scores.values()
        ]
        return dynasty(games, of_players) if rules.dynasty else rank(games[0], of_players)
    except RulesError:
        return None


def _for_players(rules: Rules, players: int) -> Rules:
    """The rules for a number of players; with fewer than two they are unchanged."""
    return replace(rules, players=players) if players >= 2 else rules


def _details(scores: Sequence[Score]) -> dict[str, int]:
    """Points by terrain, of bonuses and, where there are any, of characters, the largest territory
    and crowns; empty without scores.
    """
    if not scores:
        return {}
    details = {terrain.name.lower(): 0 for terrain in Terrain}
    for each in scores:
        for territory in each.territories:
            details[territory.terrain.name.lower()] += territory.points
    details["bonuses"] = sum(each.bonus_points for each in scores)
    if any(each.characters for each in scores):
        details["characters"] = sum(each.character_points for each in scores)
    details["largest_territory"] = max(each.largest_territory for each in scores)
    details["crowns"] = sum(each.crowns for each in scores)
    return details
