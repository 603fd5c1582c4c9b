"""The lines of the score pad: points and squares of every player, by terrain and bonus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.kingdomino.wording import bonus_name, terrain_name
from companion.languages import Language
from companion.web.kingdomino.table import Seat, Table
from scorer.kingdomino import Position, Score, Terrain, score

__all__ = ["PadRow", "pad_rows", "squares_of_row"]


@dataclass(frozen=True)
class PadRow:
    """A line of the pad, by seat: points (None without a kingdom), and the squares behind them.

    The squares are those of the kingdom without its empty edges.
    """

    code: str
    name: str
    points: tuple[int | None, ...]
    squares: tuple[tuple[Position, ...], ...]


def pad_rows(table: Table, language: Language) -> list[PadRow]:
    """A row a terrain, and one for each variant or quest in play."""
    scores = [_score(table, seat) for seat in table.seats]
    rows = [_terrain_row(terrain, scores, language) for terrain in Terrain]
    for index, quest in enumerate(table.rules.rules.goals):
        rows.append(_bonus_row(index, str(quest), scores, language))
    if table.rules.dynasty:
        rows += [_game_row(table, number, language) for number in table.rules.games]
    return rows


def squares_of_row(rows: Sequence[PadRow], code: str, index: int) -> tuple[Position, ...] | None:
    """The squares behind one figure; None where there is no such row."""
    return next((row.squares[index] for row in rows if row.code == code), None)


def _score(table: Table, seat: Seat) -> Score | None:
    if seat.board is None:
        return None
    return score(seat.board.kingdom.trimmed(), table.rules.rules)


def _terrain_row(terrain: Terrain, scores: Sequence[Score | None], language: Language) -> PadRow:
    own = [
        None if each is None else [t for t in each.territories if t.terrain is terrain]
        for each in scores
    ]
    return PadRow(
        terrain.letter,
        terrain_name(terrain, language),
        tuple(None if found is None else sum(t.points for t in found) for found in own),
        tuple(
            tuple(place for t in found or () if t.points for place in t.squares) for found in own
        ),
    )


def _bonus_row(index: int, code: str, scores: Sequence[Score | None], language: Language) -> PadRow:
    bonuses = [None if each is None else each.bonuses[index] for each in scores]
    named = next((each for each in bonuses if each is not None), None)
    return PadRow(
        code,
        bonus_name(named, language) if named else code,
        tuple(None if each is None else each.points for each in bonuses),
        tuple(each.squares if each is not None else () for each in bonuses),
    )


def _game_row(table: Table, number: int, language: Language) -> PadRow:
    from companion.languages import say

    scores = table.scores.get(number, {})
    points = [scores.get(seat.player.id) for seat in table.seats]
    return PadRow(
        f"game-{number}",
        say("result.game", language, number=number),
        tuple(None if each is None else each.points for each in points),
        tuple(() for _ in points),
    )
