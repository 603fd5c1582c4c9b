"""A game of Kingdomino that people sit around: its seats, and what can be done to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kept_reading import (
    KeptReading,
    kept_readings,
)
from companion.games.kingdomino.kind import (
    KINGDOMINO,
    KeptRules,
    board_key,
    game_ranking,
    game_scores,
    rules_of,
    rules_of_kingdoms,
)
from companion.games.kingdomino.shown import ShownBoard, shown_boards
from companion.games.table import GameTable
from companion.store import Actor, Collision, Game, Json, Player, Store
from companion.store.model import ABOUT, PLAYERS
from scorer.computed import computed_once
from scorer.kingdomino import (
    Kingdom,
    OpenKingdom,
    Outcome,
    Position,
    Ranking,
    Rules,
    Score,
    Square,
    game_problems,
    outcome,
    outcome_of_dynasty,
    score,
)
from scorer.kingdomino import Player as PlayedBy
from scorer.kingdomino.problems import Colour, GameProblem

COLOURS = tuple(colour.value for colour in Colour)
MAX_PLAYERS = 5
EMPTY_SIDE, EMPTY_SIDE_OF_DUEL = 5, 7
# Stands for a player who is not at the table yet.
NOBODY = -1


@dataclass(frozen=True)
class Seat:
    """A player's place: the board in the game of this number, and how often it was changed.

    ``offers`` and ``asked`` are those of ``ShownBoard``.
    """

    player: Player
    number: int
    board: KeptBoard | None
    revision: int
    score: Score | None
    total: int | None
    offers: Mapping[Position, tuple[Square, ...]] = field(default_factory=dict)
    asked: Mapping[Position, Square] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The part of the store that holds the board."""
        return board_key(self.player.id, self.number)

    @property
    def doubts(self) -> int:
        """How many squares a person should still look at."""
        return len(self.offers)


@dataclass(frozen=True)
class Table(GameTable):
    """A game with its seats; ``number`` is the game of a Dynasty that is looked at, from 1.

    ``made`` are the numbers of the changes by which this table was made of the one before them.
    """

    store: Store
    actor: Actor
    game: Game
    number: int = 1
    made: tuple[int, ...] = ()

    @property
    def rules(self) -> KeptRules:
        """The rules as they are kept."""
        return rules_of(self.game.values)

    @computed_once
    def rules_in_play(self) -> Rules:
        """The rules with what the kingdoms put in play: Age of Giants, The Court, the grid."""
        return rules_of_kingdoms(self.game.values, self.number)

    def score_of(self, kingdom: Kingdom, player: int = NOBODY) -> Score:
        """What a kingdom would count here, as that of a player or as one more."""
        return score(kingdom, rules_of_kingdoms(self.game.values, self.number, {player: kingdom}))

    @computed_once
    def seats(self) -> tuple[Seat, ...]:
        """The seats in order."""
        scores = game_scores(self.game.values)
        here = scores.get(self.number, {})
        totals = {each.player: each.points for each in self.game.results.players}
        shown = self.shown(self.number)
        found = []
        for player in self.game.players:
            key = board_key(player.id, self.number)
            one = shown.get(key)
            found.append(
                Seat(
                    player,
                    self.number,
                    one.board if one else None,
                    self.game.part(key).sequence,
                    here.get(player.id),
                    totals.get(player.id),
                    one.offers if one else {},
                    one.asked if one else {},
                )
            )
        return tuple(found)

    @computed_once
    def readings(self) -> Mapping[str, KeptReading]:
        """The readings kept with the game, by id."""
        return kept_readings(self.store, self.game.id)

    def boards(self, number: int) -> dict[str, KeptBoard]:
        """The boards of the game of that number, by their parts."""
        keys = [board_key(player.id, number) for player in self.game.players]
        values = {key: self.game.part(key).value for key in keys}
        return {key: KeptBoard.from_data(value) for key, value in values.items() if value}

    def shown(self, number: int) -> dict[str, ShownBoard]:
        """What the boards of the game of that number show, by their parts."""
        boards = self.boards(number)
        giants = self.rules.rules.age_of_giants
        return shown_boards(boards, self.readings if boards else {}, giants=giants)

    @computed_once
    def outcome(self) -> Outcome | None:
        """Who wins and who can win, players by id; None before every kingdom is there."""
        if self.ranking is None:
            return None
        games = []
        for number in self.rules.games:
            shown = self.shown(number)
            boards = {each.id: shown[board_key(each.id, number)] for each in self.game.players}
            games.append(
                [
                    OpenKingdom(str(player), one.board.kingdom, one.offers)
                    for player, one in boards.items()
                ]
            )
        rules = [rules_of_kingdoms(self.game.values, number) for number in self.rules.games]
        if self.rules.dynasty:
            return outcome_of_dynasty(games, rules)
        return outcome(games[0], rules[0])

    @property
    def scores(self) -> Mapping[int, Mapping[int, Score]]:
        """Scores by number of the game and id of the player."""
        return game_scores(self.game.values)

    @property
    def ranking(self) -> Ranking | None:
        """The places, once every kingdom is there."""
        return game_ranking(self.game.values) if len(self.seats) > 1 else None

    @property
    def collisions(self) -> tuple[Collision, ...]:
        """What two devices changed at once."""
        return self.game.collisions

    @computed_once
    def conflicts(self) -> tuple[GameProblem, ...]:
        """What can't be true of these kingdoms together; players are named by their ids."""
        played = [
            PlayedBy(
                str(seat.player.id),
                seat.board.kingdom,
                Colour(seat.player.colour) if seat.player.colour else None,
            )
            for seat in self.seats
            if seat.board is not None
        ]
        return tuple(game_problems(played, self.rules_in_play)) if len(played) > 1 else ()

    def seat(self, player: int) -> Seat | None:
        """The seat of a player by id."""
        return next((seat for seat in self.seats if seat.player.id == player), None)

    def next_empty(self) -> Seat | None:
        """The first seat without a kingdom."""
        return next((seat for seat in self.seats if seat.board is None), None)

    def with_players(self, players: list[Player], action: str = "players") -> Table:
        """Other players, or in another order. StoreError ``bad_players``."""
        data = [{"id": each.id, "name": each.name, "colour": each.colour} for each in players]
        return self._changed(PLAYERS, data, self.game.part(PLAYERS).sequence, action)

    def with_player(self, name: str, colour: str | None = None) -> Table:
        """One more player at the end of the row."""
        return self.with_players([*self.game.players, Player(self.free_id, name, colour)], "join")

    @property
    def free_id(self) -> int:
        """An id that no player has or had: a board of someone who left is not taken over."""
        used = {player.id for player in self.game.players}
        used |= {int(key.rpartition(":")[2]) for key in self.game.parts if key.startswith("board:")}
        return min(set(range(16)) - used, default=15)

    def with_rules(self, rules: KeptRules) -> Table:
        """Other rules. StoreError ``bad_value`` whose reason is a code of ``RulesError``."""
        return self._changed("rules", rules.to_data(), self.game.part("rules").sequence, "rules")

    def with_board(self, seat: Seat, board: KeptBoard | None, action: str) -> Table:
        """Another kingdom at a seat."""
        return self._changed(seat.key, board and board.to_data(), seat.revision, action)

    def with_square(
        self, seat: Seat, place: Position, square: Square, *, insists: bool = False
    ) -> Table:
        """A square that a person set or confirmed, or insists on although the box says otherwise.

        IndexError outside of the kingdom.
        """
        assert seat.board is not None
        board = replace(
            seat.board,
            kingdom=seat.board.kingdom.replace({place: square}),
            corrected=seat.board.corrected | {place},
            insisted=seat.board.insisted - {place} | ({place} if insists else set()),
        )
        action = "confirm" if board.kingdom == seat.board.kingdom else "set"
        return self.with_board(seat, board, action)

    def begun_by_hand(self, seat: Seat) -> Table:
        """An empty grid at a seat, as large as the rules want it, for painting."""
        return self.with_board(seat, KeptBoard.by_hand(empty_side(self)), "by_hand")

    def with_reading(self, seat: Seat, reading_id: str, kept: KeptReading) -> Table:
        """The kingdom of a photo at a seat; the player takes the castle's colour if sure."""
        board = KeptBoard.of_reading(kept.reading, reading_id)
        table = self.with_board(seat, board, "photo")
        colour = kept.reading.castle_colour
        taken = {player.colour for player in self.game.players}
        if seat.player.colour is None and colour is not None and colour not in taken:
            players = [
                replace(each, colour=colour) if each.id == seat.player.id else each
                for each in table.game.players
            ]
            table = table.with_players(players, "colour")
        return table

    def with_about(self, field: str, text: str) -> Table:
        """Another ``title``, ``place`` or ``note`` of the game. StoreError ``bad_value``."""
        about = {**(self.game.values.get(ABOUT) or {}), field: text}
        return self._changed(ABOUT, about, self.game.part(ABOUT).sequence, "about")

    def undone(self, *sequences: int) -> Table:
        """These changes taken back, by their numbers. StoreError ``nothing_to_undo``."""
        self.take_back(*sequences)
        return self.again()

    def again(self) -> Table:
        """The game as it stands now, with nothing made of it yet."""
        return replace(self, game=self.store.game(self.game.id), made=())

    def _changed(self, part: str, value: Json, based_on: int, action: str) -> Table:
        confirmed = self.confirm(part, value, action, based_on=based_on)
        return replace(self.again(), made=(*self.made, confirmed.sequence))


def is_winner_open(store: Store, game_id: str) -> bool:
    """Whether squares in doubt can still change who wins a game of which every kingdom is there."""
    table = Table(store, Actor(), store.game(game_id))
    if not any(
        board.reading and (board.doubtful or board.corrected)
        for number in table.rules.games
        for board in table.boards(number).values()
    ):
        return False
    return table.outcome is not None and not table.outcome.certain


def empty_side(table: Table | None) -> int:
    """Squares on a side of a kingdom that nobody has entered yet."""
    duel = table is not None and table.rules.rules.mighty_duel
    return EMPTY_SIDE_OF_DUEL if duel else EMPTY_SIDE


def new_table(store: Store, actor: Actor, rules: KeptRules | None = None) -> Table:
    """A new game without players."""
    parts: dict[str, Json] = {PLAYERS: []}
    if rules is not None:
        parts["rules"] = rules.to_data()
    return Table(store, actor, store.create_game(KINGDOMINO.key, parts, actor))


@dataclass(frozen=True)
class Placement:
    """Where a reading goes: to the player with the id ``player``, or to a new one.

    ``ask`` where only the people know.
    """

    reading: str
    player: int | None = None
    ask: bool = False


def placements(
    seats: Sequence[Seat], colours: Sequence[tuple[str, str | None]], target: int | None
) -> list[Placement]:
    """Where the readings of one photo go; ``colours`` are their ids and castles' colours.

    One kingdom fills the seat that its photo was taken for. Of several each goes to the player
    of its colour; no kingdom that is there is ever replaced by them. At a table where nobody sits
    yet, each makes a player. Everything else is asked.
    """
    if target is not None and len(colours) == 1:
        return [Placement(colours[0][0], target)]
    if not seats:
        return [Placement(reading) for reading, _ in colours[:MAX_PLAYERS]]
    by_colour = {seat.player.colour: seat for seat in seats if seat.player.colour}
    taken: set[int] = set()
    found = []
    for reading, colour in colours:
        seat = by_colour.get(colour or "")
        if seat is not None and seat.board is None and seat.player.id not in taken:
            taken.add(seat.player.id)
            found.append(Placement(reading, seat.player.id))
        else:
            found.append(Placement(reading, ask=True))
    if len(found) == 1 and found[0].ask:
        return [_alone(seats, colours[0])]
    left = [seat for seat in seats if seat.board is None and seat.player.id not in taken]
    asked = [each for each in found if each.ask]
    if len(asked) == len(left) == 1 and left[0].player.colour is None:
        found[found.index(asked[0])] = Placement(asked[0].reading, left[0].player.id)
    return found


def _alone(seats: Sequence[Seat], kingdom: tuple[str, str | None]) -> Placement:
    """One kingdom that was photographed for no seat: it makes a player where that is plain."""
    reading, colour = kingdom
    coloured = {seat.player.colour for seat in seats}
    everybody_has_one = all(seat.board is not None for seat in seats)
    if everybody_has_one and colour not in coloured - {None} and len(seats) < MAX_PLAYERS:
        return Placement(reading)
    return Placement(reading, ask=True)


def place_readings(
    table: Table,
    found: Sequence[Placement],
    readings: dict[str, KeptReading],
    name_of: dict[str | None, str],
) -> tuple[Table, list[Seat]]:
    """Fill the seats that are plain; the table after it and the seats that were filled.

    ``name_of`` has the names of new players by colour, and under None the pattern of a number.
    """
    filled = []
    for each in found:
        if each.ask:
            continue
        kept = readings[each.reading]
        if each.player is None:
            if len(table.seats) >= MAX_PLAYERS:
                continue
            table = table.with_player(*_newcomer(table, kept, name_of))
            seat = table.seats[-1]
        else:
            there = table.seat(each.player)
            if there is None:
                continue
            seat = there
        table = table.with_reading(seat, each.reading, kept)
        now = table.seat(seat.player.id)
        if now is not None:
            filled.append(now)
    return table, filled


def _newcomer(
    table: Table, kept: KeptReading, name_of: dict[str | None, str]
) -> tuple[str, str | None]:
    """Name and colour of a player who was not there before."""
    colour = kept.reading.castle_colour
    if colour not in COLOURS or colour in {seat.player.colour for seat in table.seats}:
        colour = None
    names = {seat.player.name.casefold() for seat in table.seats}
    wanted = name_of.get(colour, "") if colour else ""
    number = len(table.seats) + 1
    while not wanted or wanted.casefold() in names:
        wanted = (name_of[None]).format(number=number)
        number += 1
    return wanted, colour
