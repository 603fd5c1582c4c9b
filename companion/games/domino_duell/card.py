"""Stones drawn, and the result of a game as a picture to share: the winner, the board and the score
pad.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.games.cards import Sheet, SheetLayout, subtitle
from companion.games.domino_duell.kind import DETAILS, played, record_of
from companion.games.domino_duell.texts import winner_line
from companion.languages import Language, say
from companion.store import Game
from scorer.domino_duell import Board, Colour, Piece, Stone, Symbol, SymbolColour

_WOOD, _HOLLOW, _JOKER = "#a86f3c", "#5a3719", "#e2c69a"
DARK, _WHITE = "#16120e", "#ffffff"
FILLS = {
    Colour.YELLOW: "#f2c22e",
    Colour.RED: "#cf4034",
    Colour.BLUE: "#3f72c4",
    Colour.GREEN: "#4a9a55",
}
INKS = {
    SymbolColour.WHITE: "#ffffff",
    SymbolColour.BLACK: DARK,
    SymbolColour.GREY: "#8f8f8f",
    SymbolColour.LIGHT_BLUE: "#9fdcf5",
}
_FINER = 3
"""Drawn so many times larger and then reduced, because Pillow's edges are not smooth."""
_ROW = math.sqrt(3)
"""From one row to the next, in half steps."""

Points = list[tuple[float, float]]


def draw_board(card: Image.Image, position: Board, box: tuple[int, int, int, int]) -> None:
    """Draw the board with its stones into ``box`` (left, top, right, bottom) of the card, pixels.

    It is as large as fits, in the middle.
    """
    left, top, right, bottom = box
    places = position.shape.places
    across = [x for x, _ in places]
    rows = [row for _, row in places]
    wide, high = max(across) - min(across) + 4, (max(rows) - min(rows)) * _ROW + 4
    half = min((right - left) / wide, (bottom - top) / high)
    size = round(wide * half), round(high * half)
    half *= _FINER
    board = Image.new("RGBA", (size[0] * _FINER, size[1] * _FINER))
    draw = ImageDraw.Draw(board)
    draw.rounded_rectangle((0, 0, board.width - 1, board.height - 1), radius=2 * half, fill=_WOOD)
    for (x, row), piece in zip(places, position.cells, strict=True):
        middle = (x - min(across) + 2) * half, ((row - min(rows)) * _ROW + 2) * half
        _draw_piece(draw, piece, middle, 0.9 * half)
    board = board.resize(size, Image.Resampling.LANCZOS)
    at = (left + right - size[0]) // 2, (top + bottom - size[1]) // 2
    card.paste(board, at, board)


def _draw_piece(
    draw: ImageDraw.ImageDraw, piece: Piece | None, middle: tuple[float, float], radius: float
) -> None:
    if not isinstance(piece, Stone):
        _disc(draw, middle, radius, _HOLLOW if piece is None else _JOKER)
        return
    _disc(draw, middle, radius, FILLS[piece.colour])
    ink = piece.symbol_colour
    line = _WHITE if ink is SymbolColour.BLACK else DARK
    width = max(1, round(0.07 * radius))
    if piece.symbol is Symbol.CIRCLE:
        _disc(draw, middle, 0.5 * radius, INKS[ink], line, width)
        return
    points = [(middle[0] + x * radius, middle[1] + y * radius) for x, y in outline(piece.symbol)]
    draw.polygon(points, fill=INKS[ink])
    draw.line([*points, *points[:2]], fill=line, width=width, joint="curve")


def outline(symbol: Symbol) -> Points:
    """The outline of a symbol in a stone of radius 1."""
    if symbol is Symbol.TRIANGLE:
        return [(0, -0.58), (0.58, 0.42), (-0.58, 0.42)]
    if symbol is Symbol.STAR:
        return [
            _turned(0.26 if corner % 2 else 0.62, math.pi * corner / 5 - math.pi / 2)
            for corner in range(10)
        ]
    outer = [_turned(0.6, math.radians(angle)) for angle in range(60, 301, 10)]
    inner = [_turned(0.6, math.radians(angle)) for angle in range(240, 119, -10)]
    return [(x + 0.15, y) for x, y in outer] + [(x + 0.75, y) for x, y in inner]


def _turned(radius: float, angle: float) -> tuple[float, float]:
    return radius * math.cos(angle), radius * math.sin(angle)


def _disc(
    draw: ImageDraw.ImageDraw,
    middle: tuple[float, float],
    radius: float,
    fill: str,
    outline: str | None = None,
    width: int = 1,
) -> None:
    x, y = middle
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill, outline, width)


@dataclass(frozen=True)
class CardLayout(SheetLayout):
    """Sizes of the card, in pixels."""

    board_px: int = 640


def result_card(game: Game, language: Language, layout: CardLayout | None = None) -> bytes:
    """A PNG of a complete game, drawn without any photo; ValueError if the game is not complete."""
    layout = layout or CardLayout()
    record = record_of(game.values)
    if record is None or not game.results.complete:
        raise ValueError("game: expected a complete one")
    standing, _ = played(record)
    names = [player.name for player in game.players]
    rows = _pad_rows(game, language)
    sentence = winner_line(names, standing.totals, language)
    sheet = Sheet(sentence, subtitle(game, language), layout.board_px, len(rows), layout)
    draw_board(sheet.card, standing.position, sheet.box)
    sheet.pad(names, rows, _LABEL_SHARE)
    return sheet.png()


_LABEL_SHARE = 0.34


def _pad_rows(game: Game, language: Language) -> list[tuple[str, list[str]]]:
    """What each player did, where anybody did it, and the sum."""
    results = {each.player: each for each in game.results.players}
    mine = [results[player.id] for player in game.players]
    rows = [
        (say(f"duell_page.detail.{name}", language), [str(each.details[name]) for each in mine])
        for name in DETAILS
        if any(each.details[name] for each in mine)
    ]
    points = [str(each.points or 0) for each in mine]
    return [*rows, (say("duell_page.sum", language), points)]
