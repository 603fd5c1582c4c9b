"""Kingdomino for the store: boards and rules as they are kept and merged, the parts of a game, and
its results.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from companion.games.kingdomino.texts import is_name_of_newcomer
from companion.store import GameKind, PlayerResult, Results, StoreError, players_of, register
from companion.store.merging import WHOLE, Json, LeafCollision, Merged, merge_whole, three_way
from scorer.kingdomino import (
    EMPTY,
    BleakKing,
    Colour,
    Kingdom,
    NotationError,
    Position,
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

__all__ = [
    "GAMES_OF_A_DYNASTY",
    "KINGDOMINO",
    "MAX_SIDE",
    "KeptBoard",
    "KeptRules",
    "KingdominoKind",
    "board_key",
    "board_leaf",
    "game_ranking",
    "game_scores",
    "merge_boards",
    "rules_of",
    "rules_of_kingdoms",
]

MAX_SIDE = 20
"""The most rows or columns: more than any kingdom or reading has."""

SquareState = tuple[str, bool, bool]
"""The notation of a square, whether it is doubtful, whether a person set or confirmed it."""

_BARE: SquareState = (str(EMPTY), False, False)


@dataclass(frozen=True)
class KeptBoard:
    """A kingdom with the state of its squares and its reading.

    ``doubtful`` and ``corrected`` are (row, column), and so is ``origin``: the position of the
    square that was (0, 0) when the board was new, which moves as rows and columns are added or
    trimmed. ``frame`` is a text that changes whenever the whole kingdom is turned, mirrored, moved
    or read again; squares are merged only within one frame. ``reading`` is the id of the reading
    kept with the game.
    """

    kingdom: Kingdom
    origin: Position = (0, 0)
    doubtful: frozenset[Position] = frozenset()
    corrected: frozenset[Position] = frozenset()
    frame: str = ""
    reading: str | None = None

    @classmethod
    def from_data(cls, data: Json) -> Self:
        """The board from plain data; ValueError or NotationError if they are invalid."""
        known = {"kingdom", "origin", "doubtful", "corrected", "frame", "reading"}
        if not isinstance(data, dict) or not data.keys() <= known:
            raise ValueError("board: expected its fields and no others")
        if not isinstance(data.get("kingdom"), str):
            raise NotationError("empty_text")
        kingdom = Kingdom.parse(data["kingdom"])
        if max(kingdom.height, kingdom.width) > MAX_SIDE:
            raise ValueError(f"board: expected at most {MAX_SIDE} rows and columns")
        frame, reading = data.get("frame", ""), data.get("reading")
        if not isinstance(frame, str) or len(frame) > 200:
            raise ValueError("frame: expected a short text")
        if reading is not None and not isinstance(reading, str):
            raise ValueError("reading: expected an id")
        return cls(
            kingdom,
            _position(data.get("origin", [0, 0])),
            _places(data.get("doubtful", []), kingdom),
            _places(data.get("corrected", []), kingdom),
            frame,
            reading,
        )

    def to_data(self) -> Json:
        """Plain data in canonical form: equal boards have equal data."""
        return {
            "kingdom": self.kingdom.format(),
            "origin": list(self.origin),
            "doubtful": [list(place) for place in sorted(self.doubtful)],
            "corrected": [list(place) for place in sorted(self.corrected)],
            "frame": self.frame,
            "reading": self.reading,
        }

    @property
    def cells(self) -> dict[Position, SquareState]:
        """Every square by its position from the origin, which trimming doesn't change."""
        return {
            (place[0] - self.origin[0], place[1] - self.origin[1]): (
                str(square),
                place in self.doubtful,
                place in self.corrected,
            )
            for place, square in self.kingdom.items()
        }

    @property
    def edges(self) -> dict[str, int]:
        """The first and last row and column, counted from the origin."""
        top, left = -self.origin[0], -self.origin[1]
        return {
            "top": top,
            "left": left,
            "bottom": top + self.kingdom.height - 1,
            "right": left + self.kingdom.width - 1,
        }


def merge_boards(base: Json, current: Json, sent: Json) -> Merged:
    """Merge two changes of a kingdom square by square.

    A square that a person set has precedence over one that only settling changed. Two different
    squares set by people collide, as do two frames; a leaf is ``row,column`` from the origin. A
    square set in a row that has been trimmed meanwhile restores the row.
    """
    if base is None or current is None or sent is None or current in (base, sent) or base == sent:
        return merge_whole(base, current, sent)
    boards = [KeptBoard.from_data(each) for each in (base, current, sent)]
    if len({(board.frame, board.reading) for board in boards}) > 1:
        return merge_whole(base, current, sent)
    cells = [board.cells for board in boards]
    places = sorted(set().union(*cells))
    filled = [{place: side.get(place, _BARE) for place in places} for side in cells]
    merged, unsettled = three_way(filled[0], filled[1], filled[2], _settled)
    edges, _ = three_way(boards[0].edges, boards[1].edges, boards[2].edges, _outer)
    board = _built(merged, edges, boards[1])
    collisions = tuple(
        LeafCollision(f"{place[0]},{place[1]}", _shown(filled[1][place]), _shown(filled[2][place]))
        for place in unsettled
    )
    return Merged(board.to_data(), collisions)


def board_leaf(value: Json, leaf: str) -> Json:
    """The value of a board at a leaf of ``merge_boards``."""
    if value is None or leaf == WHOLE:
        return value
    row, column = map(int, leaf.split(","))
    cell = KeptBoard.from_data(value).cells.get((row, column))
    return None if cell is None else _shown(cell)


def _settled(_place: Position, current: SquareState, sent: SquareState) -> SquareState | None:
    if current[0] == sent[0]:
        return current[0], current[1] and sent[1], current[2] or sent[2]
    if current[2] != sent[2]:
        return current if current[2] else sent
    return None if current[2] else current


def _outer(edge: str, current: int, sent: int) -> int:
    return min(current, sent) if edge in ("top", "left") else max(current, sent)


def _built(cells: dict[Position, SquareState], edges: dict[str, int], like: KeptBoard) -> KeptBoard:
    taken = [place for place, cell in cells.items() if cell[0] != str(EMPTY) or cell[2]]
    rows, columns = [place[0] for place in taken], [place[1] for place in taken]
    top, bottom = min([edges["top"], *rows]), max([edges["bottom"], *rows])
    left, right = min([edges["left"], *columns]), max([edges["right"], *columns])
    inside = {
        (row - top, column - left): cells.get((row, column), _BARE)
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    }
    lines = [
        " ".join(inside[row, column][0] for column in range(right - left + 1))
        for row in range(bottom - top + 1)
    ]
    return KeptBoard(
        Kingdom.parse("/".join(lines)),
        (-top, -left),
        frozenset(place for place, cell in inside.items() if cell[1]),
        frozenset(place for place, cell in inside.items() if cell[2]),
        like.frame,
        like.reading,
    )


def _shown(cell: SquareState) -> Json:
    return cell[0]


def _position(value: Json) -> Position:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or any(type(each) is not int or abs(each) > 1000 for each in value)
    ):
        raise ValueError("position: expected [row, column]")
    return value[0], value[1]


def _places(values: Json, kingdom: Kingdom) -> frozenset[Position]:
    if not isinstance(values, list):
        raise ValueError("places: expected a list of [row, column]")
    places = frozenset(map(_position, values))
    _check_inside(places, kingdom)
    return places


def _check_inside(places: Iterable[Position], kingdom: Kingdom) -> None:
    for row, column in places:
        if row not in range(kingdom.height) or column not in range(kingdom.width):
            raise ValueError(f"places: expected inside the kingdom, got {(row, column)}")


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


def rules_of_kingdoms(game: Mapping[str, Json], number: int = 1) -> Rules:
    """The rules with what the kingdoms of the game of that number put in play, such as its grid."""
    rules = rules_of(game).rules
    try:
        rules = _for_players(rules, len(players_of(game)))
    except RulesError:
        return rules
    return rules_in_play(_kingdoms(game, number).values(), rules)


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
