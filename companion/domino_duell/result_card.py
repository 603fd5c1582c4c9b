"""The result of a game as a picture to share: the winner, the board and the score pad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import ImageDraw

from companion.cards.paper import INK, QUIET_INK, RULE, fitting, font_of
from companion.cards.sheet import Sheet, SheetLayout, day_of
from companion.domino_duell.kept_game import played, record_of
from companion.domino_duell.kind import DETAILS, DOMINO_DUELL
from companion.domino_duell.stone_drawing import draw_board
from companion.domino_duell.wording import winner_line
from companion.games import Game
from companion.languages import Language, say

__all__ = ["CardLayout", "result_card"]


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
    sheet = Sheet(sentence, _subtitle(game, language), layout.board_px, len(rows), layout)
    left, top, inner = sheet.left, sheet.top, layout.inner_px
    draw_board(sheet.card, standing.position, (left, top, left + inner, top + layout.board_px))
    _draw_pad(sheet.draw, names, rows, (left, top + layout.board_px + 60), inner, layout)
    file = BytesIO()
    sheet.card.save(file, "PNG")
    return file.getvalue()


def _subtitle(game: Game, language: Language) -> str:
    about = game.values.get("about") or {}
    day = day_of(game, language)
    words = [DOMINO_DUELL.name, about.get("title", ""), about.get("place", ""), day]
    return "  ·  ".join(word for word in words if word)


def _pad_rows(game: Game, language: Language) -> list[tuple[str, list[int]]]:
    """What each player did, where anybody did it, and the sum."""
    results = {each.player: each for each in game.results.players}
    mine = [results[player.id] for player in game.players]
    rows = [
        (say(f"duell_page.detail.{name}", language), [each.details[name] for each in mine])
        for name in DETAILS
    ]
    points = [each.points or 0 for each in mine]
    return [*(row for row in rows if any(row[1])), (say("duell_page.sum", language), points)]


def _draw_pad(
    draw: ImageDraw.ImageDraw,
    names: Sequence[str],
    rows: Sequence[tuple[str, list[int]]],
    place: tuple[int, int],
    width: int,
    layout: CardLayout,
) -> None:
    """A column a player in seat order, a row a figure, and the sum."""
    first = round(width * 0.34)
    column = (width - first) // len(names)
    left, top = place
    middles = [left + first + number * column + column // 2 for number in range(len(names))]
    for name, middle in zip(names, middles, strict=True):
        (shown,), font = fitting(name, column - 16, layout.text_px, lines=1)
        draw.text((middle, top + 18), shown, INK, font, anchor="mm")
    for index, (label, figures) in enumerate(rows, start=1):
        is_sum = index == len(rows)
        line = top + index * layout.row_px
        draw.line((left, line, left + width, line), INK if is_sum else RULE, 3 if is_sum else 1)
        size = layout.text_px + (8 if is_sum else 0)
        row_middle = line + layout.row_px // 2
        (shown,), font = fitting(label, first - 12, size, lines=1)
        draw.text((left, row_middle), shown, INK if is_sum else QUIET_INK, font, anchor="lm")
        for figure, middle in zip(figures, middles, strict=True):
            draw.text((middle, row_middle), str(figure), INK, font_of(size), anchor="mm")
