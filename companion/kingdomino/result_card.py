"""The result of a game as a picture to share: the winner, the kingdoms and the score pad."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from companion.cards.paper import INK, QUIET_INK, RULE, fitting, font_of
from companion.cards.sheet import Sheet, SheetLayout, day_of
from companion.games import Game, Player, PlayerResult
from companion.kingdomino.card_drawing import draw_kingdom
from companion.kingdomino.kept_board import KeptBoard
from companion.kingdomino.kind import board_key, game_ranking, rules_of
from companion.kingdomino.wording import terrain_name
from companion.languages import Language, say
from scorer.kingdomino import Criterion, Kingdom, Terrain

__all__ = ["CardLayout", "result_card", "winner_sentence"]

_COLOURS = {
    "pink": "#d9568c",
    "yellow": "#e0a91b",
    "green": "#4b9a4a",
    "blue": "#3a78bd",
    "brown": "#8a5a33",
}


@dataclass(frozen=True)
class CardLayout(SheetLayout):
    """Sizes of the card, in pixels."""

    kingdom_px: int = 260


def result_card(game: Game, language: Language, layout: CardLayout | None = None) -> bytes:
    """A PNG of a complete game, drawn without any photo; ValueError if the game is not complete."""
    layout = layout or CardLayout()
    if not game.results.complete:
        raise ValueError("game: expected a complete one")
    rows = _pad_rows(game, language)
    boards = _boards(game)
    sentence = winner_sentence(game, language)
    sheet = Sheet(sentence, _subtitle(game, language), layout.kingdom_px, len(rows), layout)
    left, top, inner = sheet.left, sheet.top, layout.inner_px
    _draw_boards(sheet.card, boards, (left, top), inner, layout)
    _draw_pad(sheet.draw, game, rows, (left, top + layout.kingdom_px + 60), inner, layout)
    file = BytesIO()
    sheet.card.save(file, "PNG")
    return file.getvalue()


def winner_sentence(game: Game, language: Language) -> str:
    """A sentence with winners, points and what decided a tie; ValueError without a winner."""
    winners = [name for name, result in _in_order(game) if result.won]
    if not winners:
        raise ValueError("game: expected a complete one")
    points = next(result.points for _, result in _in_order(game) if result.won)
    if len(winners) > 1:
        first_names = ", ".join(winners[:-1])
        return _say("shared", language, names=first_names, last=winners[-1], points=points)
    sentence = _say("wins", language, name=winners[0], points=points)
    ranking = game_ranking(game.values)
    first = ranking.places[0] if ranking else None
    if ranking is None or first is None or first.decided_by is Criterion.POINTS:
        return sentence
    names = {str(player.id): player.name for player in game.players}
    others = ", ".join(names[tie.behind] for tie in ranking.ties if tie.ahead == first.player)
    return f"{sentence}, {_say(first.decided_by.value, language, others=others)}"


def _in_order(game: Game) -> list[tuple[str, PlayerResult]]:
    """Names and results in the order of the ranking."""
    names = {player.id: player.name for player in game.players}
    found = [(names[each.player], each) for each in game.results.players]
    return sorted(found, key=lambda pair: pair[1].place or 99)


def _ordered_players(game: Game) -> list[Player]:
    places = {each.player: each.place or 99 for each in game.results.players}
    return sorted(game.players, key=lambda player: places[player.id])


def _pad_rows(game: Game, language: Language) -> list[tuple[str, list[str]]]:
    """The rows of the score pad: each terrain, bonuses if there are any, the sum."""
    results = {each.player: each for each in game.results.players}
    details = [results[player.id].details for player in _ordered_players(game)]
    rows = [
        (terrain_name(terrain, language), [str(each[terrain.name.lower()]) for each in details])
        for terrain in Terrain
    ]
    if rules_of(game.values).rules.goals:
        rows.append((_say("bonuses", language), [str(each["bonuses"]) for each in details]))
    points = [str(results[player.id].points) for player in _ordered_players(game)]
    return [*rows, (_say("sum", language), points)]


def _boards(game: Game) -> list[Kingdom]:
    """The kingdoms in order of the places; of a Dynasty those of the last game."""
    last = rules_of(game.values).games[-1]
    values = game.values
    keys = [board_key(player.id, last) for player in _ordered_players(game)]
    return [KeptBoard.from_data(values[key]).kingdom.trimmed() for key in keys]


def _subtitle(game: Game, language: Language) -> str:
    about = game.values.get("about") or {}
    day = day_of(game, language)
    dynasty = _say("dynasty", language) if rules_of(game.values).dynasty else ""
    words = ["Kingdomino", dynasty, about.get("title", ""), about.get("place", ""), day]
    return "  ·  ".join(word for word in words if word)


def _draw_boards(
    card: Image.Image,
    boards: list[Kingdom],
    place: tuple[int, int],
    width: int,
    layout: CardLayout,
) -> None:
    """Draw the kingdoms side by side on one scale."""
    room = (width - 24 * (len(boards) - 1)) // len(boards)
    side = max(max(kingdom.height, kingdom.width) for kingdom in boards)
    square = min(room, layout.kingdom_px) // max(side, 5)
    for number, kingdom in enumerate(boards):
        middle = place[0] + number * (room + 24) + room // 2
        left = middle - square * kingdom.width // 2
        top = place[1] + (layout.kingdom_px - square * kingdom.height) // 2
        draw_kingdom(card, kingdom, (left, top), square)


def _draw_pad(
    draw: ImageDraw.ImageDraw,
    game: Game,
    rows: list[tuple[str, list[str]]],
    place: tuple[int, int],
    width: int,
    layout: CardLayout,
) -> None:
    """Draw the pad: a column per player with name and colour, a row per terrain, and the sum."""
    players = _ordered_players(game)
    first = round(width * 0.26)
    column = (width - first) // len(players)
    left, top = place
    for number, player in enumerate(players):
        middle = left + first + number * column + column // 2
        (name,), font = fitting(player.name, column - 16, layout.text_px, lines=1)
        draw.text((middle, top + 18), name, INK, font, anchor="mm")
        if player.colour in _COLOURS:
            bar = (middle - 28, top + 40, middle + 28, top + 46)
            draw.rounded_rectangle(bar, radius=3, fill=_COLOURS[player.colour])
    for index, (label, cells) in enumerate(rows, start=1):
        is_sum = index == len(rows)
        middle_row = top + index * layout.row_px + layout.row_px // 2
        line = top + index * layout.row_px
        draw.line((left, line, left + width, line), INK if is_sum else RULE, 3 if is_sum else 1)
        size = layout.text_px + (8 if is_sum else 0)
        label_ink = INK if is_sum else QUIET_INK
        draw.text((left, middle_row), label, label_ink, font_of(size), anchor="lm")
        for number, text in enumerate(cells):
            middle = left + first + number * column + column // 2
            draw.text((middle, middle_row), text, INK, font_of(size), anchor="mm")


def _say(code: str, language: Language, **values: object) -> str:
    return say(f"card.{code}", language, **values)
