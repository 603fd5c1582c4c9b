"""The score of a kingdom by territories and bonuses.

The bonuses of variants and quests are given with the squares that earned them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorer.kingdomino.court import CharacterScore, characters_of
from scorer.kingdomino.kingdom import Board, Kingdom, Position, Terrain, Territory, territories_of
from scorer.kingdomino.rules import BleakKing, Goal, Quest, Rules

BLEAK_TERRAINS = (Terrain.WHEAT, Terrain.FOREST, Terrain.GRASSLAND, Terrain.LAKE)
BLEAK_SQUARES = 5

Group = tuple[Position, ...]


class Bonus(NamedTuple):
    """The bonus for a variant or quest in a kingdom.

    ``groups`` has one group of squares (row, column) for each time that the goal is fulfilled: a
    corner, a line, a territory. ``reading`` is the reading of the rule in use, if it has two.
    """

    quest: Quest
    groups: tuple[Group, ...]
    reading: BleakKing | None = None

    @property
    def name(self) -> str:
        """The notation of the quest, such as ``harmony`` or ``local-business:w``."""
        return str(self.quest)

    @property
    def points(self) -> int:
        """What it is worth."""
        return self.quest.goal.points * len(self.groups)

    @property
    def squares(self) -> tuple[Position, ...]:
        """All squares of the groups, each once, row by row."""
        return tuple(sorted({square for group in self.groups for square in group}))


@dataclass(frozen=True, slots=True)
class _Case:
    """Everything that a bonus depends on."""

    board: Board
    territories: Sequence[Territory]
    rules: Rules


def bonuses_of(board: Board, territories: Sequence[Territory], rules: Rules) -> tuple[Bonus, ...]:
    """The bonus of every variant and quest in play, in the order of the rules, with 0 points too.

    Without exactly one castle there is no bonus for the place of the castle.
    """
    if not rules.goals:
        return ()
    case = _Case(board, territories, rules)
    return tuple(
        [
            Bonus(
                quest,
                _EARNED[quest.goal.key](case, quest.terrain),
                rules.bleak_king if quest.goal is _BLEAK_KING else None,
            )
            for quest in rules.goals
        ]
    )


def _local_business(case: _Case, terrain: Terrain | None) -> tuple[Group, ...]:
    """The squares of the terrain among the 8 around the castle.

    Source: Age of Giants, "Umland".
    """
    board = case.board
    if board.castle is None:
        return ()
    terrains, positions = board.terrains, board.layout.positions
    ring = board.layout.rings[board.castle]
    return tuple([(positions[index],) for index in ring if terrains[index] is terrain])


def _four_corners(case: _Case, terrain: Terrain | None) -> tuple[Group, ...]:
    """The squares of the terrain in the corners of the kingdom.

    Source: Age of Giants, "Die 4 Ecken des Königreichs".
    """
    board = case.board
    terrains, positions = board.terrains, board.layout.positions
    return tuple([(positions[index],) for index in board.corners if terrains[index] is terrain])


def _harmony(case: _Case, _terrain: Terrain | None) -> tuple[Group, ...]:
    """The whole kingdom if it fills the grid and has exactly one castle.

    Source: Kingdomino, variant "Harmonie"; Age of Giants, "Harmonie".
    """
    board = case.board
    side = case.rules.grid(board.taken)
    height, width = board.bottom - board.top + 1, board.right - board.left + 1
    if board.castle is None or board.taken != side * side or (height, width) != (side, side):
        return ()
    rows = range(board.top, board.bottom + 1)
    columns = range(board.left, board.right + 1)
    return (tuple((row, column) for row in rows for column in columns),)


def _middle_kingdom(case: _Case, _terrain: Terrain | None) -> tuple[Group, ...]:
    """The castle if it lies in the centre of the kingdom.

    Source: Kingdomino, variant "Reich der Mitte"; Age of Giants, "Reich der Mitte".
    """
    return _castle_group(case.board) if case.board.castle_centred else ()


def _lost_corner(case: _Case, _terrain: Terrain | None) -> tuple[Group, ...]:
    """The castle if it lies in a corner of the kingdom.

    Source: Age of Giants, "Im hintersten Winkel".
    """
    return _castle_group(case.board) if case.board.castle in case.board.corners else ()


def _castle_group(board: Board) -> tuple[Group, ...]:
    return () if board.castle is None else ((board.layout.positions[board.castle],),)


def _folie_des_grandeurs(case: _Case, _terrain: Terrain | None) -> tuple[Group, ...]:
    """The lines of three adjacent squares with crowns, of which two share one square at most.

    Lines in different directions never share more than one square, so each straight run of n
    crowned squares is independent and has (n - 1) // 2 lines, each starting at the last square of
    the one before.

    Source: Age of Giants, "Genial oder irre".
    """
    crowns, positions = case.board.crowns, case.board.layout.positions
    groups = []
    for line in case.board.layout.lines:
        run = 0
        for place, index in enumerate(line):
            if not crowns[index]:
                run = 0
                continue
            run += 1
            if run >= 3 and run % 2:
                groups.append(tuple([positions[square] for square in line[place - 2 : place + 1]]))
    return tuple(groups)


def _bleak_king(case: _Case, _terrain: Terrain | None) -> tuple[Group, ...]:
    """Groups of five or more squares of wheat, forest, grassland or lake without visible crowns.

    Source: Age of Giants, "Bauernschlau"; the reading by territory is the publisher's English
    wording.
    """
    if case.rules.bleak_king is BleakKing.TERRITORY:
        return tuple(
            territory.squares
            for territory in case.territories
            if not territory.crowns
            and len(territory.squares) >= BLEAK_SQUARES
            and territory.terrain in BLEAK_TERRAINS
        )
    board = case.board
    groups = []
    for terrain in BLEAK_TERRAINS:
        bare = [
            board.layout.positions[index]
            for index, (here, crowns) in enumerate(zip(board.terrains, board.crowns, strict=True))
            if here is terrain and not crowns
        ]
        for start in range(0, len(bare) - BLEAK_SQUARES + 1, BLEAK_SQUARES):
            groups.append(tuple(bare[start : start + BLEAK_SQUARES]))
    return tuple(groups)


# By key: enumerations look themselves up slowly, and there are 17 quests.
_BLEAK_KING = Goal.BLEAK_KING
_EARNED: dict[str, Callable[[_Case, Terrain | None], tuple[Group, ...]]] = {
    Goal.LOCAL_BUSINESS.key: _local_business,
    Goal.FOUR_CORNERS.key: _four_corners,
    Goal.HARMONY.key: _harmony,
    Goal.MIDDLE_KINGDOM.key: _middle_kingdom,
    Goal.LOST_CORNER.key: _lost_corner,
    Goal.FOLIE_DES_GRANDEURS.key: _folie_des_grandeurs,
    Goal.BLEAK_KING.key: _bleak_king,
}


_PLAIN_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Score:
    """The prestige points of a kingdom with all their parts.

    ``territories`` is sorted by points, most first; ``bonuses`` has every variant and quest in
    play, also those worth nothing; ``characters`` are those of The Court, row by row.
    """

    territories: tuple[Territory, ...]
    bonuses: tuple[Bonus, ...] = ()
    castle_centred: bool = False
    characters: tuple[CharacterScore, ...] = ()

    @property
    def points(self) -> int:
        """The total: territories, bonuses and characters."""
        return self.territory_points + self.bonus_points + self.character_points

    @property
    def territory_points(self) -> int:
        """The points of all territories."""
        return sum([len(each.squares) * each.crowns for each in self.territories])

    @property
    def bonus_points(self) -> int:
        """The points of all variants or quests."""
        return sum([bonus.points for bonus in self.bonuses])

    @property
    def character_points(self) -> int:
        """The points of the characters of The Court."""
        return sum([each.points for each in self.characters])

    @property
    def largest_territory(self) -> int:
        """The size of the largest territory, with or without crowns, for ties; 0 if there is none.

        Source: Kingdomino, "Spielende", last paragraph.
        """
        return max([territory.size for territory in self.territories], default=0)

    @property
    def largest_terrains(self) -> tuple[Terrain, ...]:
        """The terrains of the territories with that many squares."""
        largest = self.largest_territory
        found = [each.terrain for each in self.territories if each.size == largest]
        return tuple(dict.fromkeys(found))

    @property
    def crowns(self) -> int:
        """The crowns of the whole kingdom that count."""
        return sum([territory.crowns for territory in self.territories])

    @property
    def covered_crowns(self) -> int:
        """The crowns of the whole kingdom under giants."""
        return sum([territory.covered_crowns for territory in self.territories])


def score(kingdom: Kingdom, rules: Rules = _PLAIN_RULES) -> Score:
    """The score of any kingdom, however odd, under the rules.

    Source: Kingdomino, "Spielende" and "Varianten"; Age of Giants; The Court.
    """
    board = Board(kingdom)
    territories = territories_of(board)
    bonuses = bonuses_of(board, territories, rules)
    characters = () if board.is_printed else characters_of(kingdom)
    return Score(territories, bonuses, board.castle_centred, characters)
