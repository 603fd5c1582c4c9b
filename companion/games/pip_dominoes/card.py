"""The result of a game of pip dominoes as a picture to share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.games.cards import (
    INK,
    QUIET_INK,
    Sheet,
    SheetLayout,
    fitting,
    font_of,
    subtitle,
)
from companion.games.pip_dominoes.kind import (
    CASTLE_ROCK,
    MUGGINS,
    castle_of,
    castle_result,
    knows_tiles,
)
from companion.games.pip_dominoes.standing import (
    muggins_of,
    round_standing,
    side_names,
    winner_sentence,
)
from companion.languages import Language, listed, say
from companion.store import Game
from scorer.pip_dominoes import Tile

_L, _C, _R = 1, 2, 4
_SIDES, _ALL = _L | _R, _L | _C | _R
PIPS: tuple[tuple[int, ...], ...] = (
    (),
    (0, _C, 0),
    (_R, 0, _L),
    (_R, _C, _L),
    (_SIDES, 0, _SIDES),
    (_SIDES, _C, _SIDES),
    (_SIDES, _SIDES, _SIDES),
    (_SIDES, _ALL, _SIDES),
    (_ALL, _SIDES, _ALL),
    (_ALL, _ALL, _ALL),
    (_ALL, _SIDES, _SIDES, _ALL),
    (_ALL, _SIDES, _C, _SIDES, _ALL),
    (_ALL, _ALL, _ALL, _ALL),
    (_ALL, _SIDES, _ALL, _SIDES, _ALL),
    (_ALL, _ALL, _SIDES, _ALL, _ALL),
    (_ALL, _ALL, _ALL, _ALL, _ALL),
    (_ALL, _SIDES, _ALL, _ALL, _SIDES, _ALL),
    (_ALL, _ALL, _SIDES, _C, _SIDES, _ALL, _ALL),
    (_ALL, _ALL, _ALL, _ALL, _ALL, _ALL),
)
"""Rows of pips of each number from the top, each a sum of left (1), centre (2) and right (4)."""

_FACE, _EDGE, _PIP = "#fdf8ea", "#4f3d28", "#23190f"
_WIDE, _HIGH = 74, 38
"""A domino that lies down, in units of its own."""
_GAP = 8
_LARGEST = 2.6
_FINER = 3
"""Drawn so many times larger and then reduced, because Pillow's edges are not smooth."""


def draw_tiles(card: Image.Image, tiles: Sequence[Tile], box: tuple[int, int, int, int]) -> None:
    """Draw dominoes in rows into ``box`` (left, top, right, bottom) of the card, pixels.

    They are as large as fits, up to about 190 pixels wide, and in the middle of the box.
    """
    if not tiles:
        return
    left, top, right, bottom = box
    columns, scale = _arranged(len(tiles), right - left, bottom - top)
    rows = -(-len(tiles) // columns)
    size = columns * (_WIDE + _GAP) - _GAP, rows * (_HIGH + _GAP) - _GAP
    unit = scale * _FINER
    drawn = Image.new("RGBA", (round(size[0] * unit), round(size[1] * unit)))
    draw = ImageDraw.Draw(drawn)
    for number, tile in enumerate(tiles):
        row, column = divmod(number, columns)
        in_row = min(columns, len(tiles) - row * columns)
        indent = (columns - in_row) * (_WIDE + _GAP) / 2
        x, y = indent + column * (_WIDE + _GAP), row * (_HIGH + _GAP)
        _draw_tile(draw, tile, (x, y), unit)
    shown = drawn.resize((round(size[0] * scale), round(size[1] * scale)), Image.Resampling.LANCZOS)
    at = (left + right - shown.width) // 2, (top + bottom - shown.height) // 2
    card.paste(shown, at, shown)


def _arranged(count: int, width: int, height: int) -> tuple[int, float]:
    """How many dominoes in a row, and pixels a unit, so that they come out largest."""

    def scale(columns: int) -> float:
        rows = -(-count // columns)
        across = width / (columns * (_WIDE + _GAP) - _GAP)
        return min(_LARGEST, across, height / (rows * (_HIGH + _GAP) - _GAP))

    columns = max(range(1, count + 1), key=lambda each: (scale(each), each))
    return columns, scale(columns)


def _draw_tile(
    draw: ImageDraw.ImageDraw, tile: Tile, place: tuple[float, float], unit: float
) -> None:
    x, y = place
    face = tuple(round(unit * each) for each in (x + 0.5, y + 0.5, x + 73.5, y + 37.5))
    line = max(1, round(1.5 * unit))
    draw.rounded_rectangle(face, radius=5 * unit, fill=_FACE, outline=_EDGE, width=line)
    bar = [(unit * (x + 37), unit * (y + 6)), (unit * (x + 37), unit * (y + 32))]
    draw.line(bar, fill=_EDGE, width=line)
    for number, start in ((tile.low, 1), (tile.high, 37)):
        rows = PIPS[number]
        radius = 2.2 if len(rows) > 5 else 2.7 if len(rows) > 3 else 3.5
        for index, bits in enumerate(rows):
            for column in range(3):
                if bits >> column & 1:
                    cx = x + start + 8 + 10 * column
                    cy = y + 6.5 + 23 * index / (len(rows) - 1)
                    corners = (cx - radius, cy - radius, cx + radius, cy + radius)
                    draw.ellipse([unit * each for each in corners], fill=_PIP)


_MOST_ROUNDS = 19
_IN_A_ROW = 8


@dataclass(frozen=True)
class CardLayout(SheetLayout):
    """Sizes of the card, in pixels; ``many_px`` is for dominoes that need more than one row."""

    tiles_px: int = 120
    many_px: int = 300


@dataclass(frozen=True)
class _Pad:
    """What is drawn: dominoes, and rows of figures under heads, the last column the largest."""

    tiles: tuple[Tile, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def result_card(game: Game, language: Language, layout: CardLayout | None = None) -> bytes:
    """A PNG of a complete game, drawn without any photo; ValueError if the game is not complete.

    Mexican Train and Chickenfoot show the doubles of their rounds and the points of each, Muggins
    the points of each round, Castle Rock the dominoes that were left.
    """
    layout = layout or CardLayout()
    if not game.results.complete:
        raise ValueError("game: expected a complete one")
    pad = _pad(game, language)
    picture = 0
    if pad.tiles:
        many = game.kind == CASTLE_ROCK.key and len(pad.tiles) > _IN_A_ROW
        picture = layout.many_px if many else layout.tiles_px
    sentence = winner_sentence(game, language)
    sheet = Sheet(sentence, subtitle(game, language), picture, len(pad.rows), layout)
    draw_tiles(sheet.card, pad.tiles, sheet.box)
    _draw_pad(sheet, pad)
    return sheet.png()


def _pad(game: Game, language: Language) -> _Pad:
    if game.kind == CASTLE_ROCK.key:
        return _castle_pad(game, language)
    total = say("domino_page.total", language)
    if game.kind == MUGGINS.key:
        return _muggins_pad(game, language, total)
    standing = round_standing(game)
    points = {number: each.points(standing.ids) for number, each in standing.rounds.items()}
    ordered = sorted(standing.players, key=lambda player: standing.totals[player.id])
    return _Pad(
        tuple(standing.double(number) for number in points),
        (*(str(standing.double(number).low) for number in points), total),
        tuple(
            (
                player.name,
                (
                    *(str(row.get(player.id, "–")) for row in points.values()),
                    str(standing.totals[player.id]),
                ),
            )
            for player in ordered
        ),
    )


def _muggins_pad(game: Game, language: Language, total: str) -> _Pad:
    """A row a side; the rounds are left out where there are too many for the card."""
    standing = muggins_of(game)
    assert standing is not None
    running = standing.game.running_totals
    sides = standing.game.sides
    gained = [
        {side.name: after[side.name] - (before[side.name] if before else 0) for side in sides}
        for before, after in zip((None, *running), running, strict=False)
    ]
    shown = gained if len(gained) <= _MOST_ROUNDS else []
    totals = standing.game.totals
    ordered = sorted(sides, key=lambda side: -totals[side.name])
    return _Pad(
        (),
        (*(str(number) for number in range(1, len(shown) + 1)), total),
        tuple(
            (
                listed(side_names(game, side), language),
                (*(str(row[side.name]) for row in shown), str(totals[side.name])),
            )
            for side in ordered
        ),
    )


def _castle_pad(game: Game, language: Language) -> _Pad:
    castle, result = castle_of(game.values), castle_result(game.values)
    assert castle is not None
    assert result is not None
    seconds = result.seconds
    figures = (
        "–" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d}",
        str(result.tiles_left) if knows_tiles(result) else "–",
        str(result.score),
    )
    heads = tuple(say(f"domino_page.{each}", language) for each in ("time", "tiles", "pips"))
    return _Pad(tuple(result.left), heads, ((game.players[0].name, figures),))


def _draw_pad(sheet: Sheet, pad: _Pad) -> None:
    """A row a player, a column a round; figures get smaller where there are many rounds."""
    layout = sheet.layout
    left, picture_top, right, picture_bottom = sheet.box
    top = picture_bottom + (60 if picture_bottom > picture_top else 30)
    last = 120
    few = len(pad.heads) <= 4
    first = round(layout.inner_px * (0.34 if few else 0.24))
    column = (layout.inner_px - first - last) / max(1, len(pad.heads) - 1)
    size = min(layout.text_px, round(column * 0.44))
    middles = [left + first + (number + 0.5) * column for number in range(len(pad.heads) - 1)]
    middles.append(right - last / 2)
    for head, middle in zip(pad.heads, middles, strict=True):
        width = last if middle == middles[-1] else round(column)
        (shown,), font = fitting(head, width - 4, min(24, max(size, 16)), lines=1)
        sheet.draw.text((middle, top + layout.row_px / 2), shown, QUIET_INK, font, anchor="mm")
    inks = [*((font_of(size), QUIET_INK) for _ in middles[1:]), (font_of(layout.text_px + 8), INK)]
    for index, (name, texts) in enumerate(pad.rows, start=1):
        label = (name, first, font_of(layout.text_px), INK)
        figures = [
            (text, middle, *ink) for text, middle, ink in zip(texts, middles, inks, strict=True)
        ]
        sheet.row(top + index * layout.row_px, index == 1, label, figures)
