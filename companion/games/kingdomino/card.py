"""The result of a game as a picture to share: the winner, the kingdoms and the score pad."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.games.cards import PAPER, Sheet, SheetLayout, subtitle
from companion.games.kingdomino.kind import KeptBoard, board_key, game_ranking, rules_of
from companion.games.kingdomino.texts import terrain_name
from companion.languages import Language, say
from companion.store import Game, Player, PlayerResult
from scorer.kingdomino import Criterion, Kingdom, Square, Terrain

__all__ = ["CardLayout", "draw_kingdom", "result_card", "winner_sentence"]

_CASTLE = "#8d857b"
_CROWN = "#ffd23f"
_CROWN_EDGE = "#3a2a05"
_GIANT = "#7a1f2b"


def draw_kingdom(
    card: Image.Image, kingdom: Kingdom, place: tuple[int, int], square_px: int
) -> None:
    """Draw the tiles of a kingdom with its top left at ``place`` (x, y)."""
    draw = ImageDraw.Draw(card)
    for (row, column), square in kingdom.items():
        if square.is_empty:
            continue
        left, top = place[0] + column * square_px, place[1] + row * square_px
        box = (left, top, left + square_px - 2, top + square_px - 2)
        fill = square.terrain.colour if square.terrain else _CASTLE
        draw.rounded_rectangle(box, radius=square_px // 10, fill=fill)
        if square.is_castle:
            _draw_castle(draw, left, top, square_px)
        elif square.terrain:
            _draw_sign(draw, square.terrain, left, top, square_px)
            _draw_crowns(draw, square, left, top, square_px)
            _draw_piece(draw, square, left, top, square_px)


def _draw_castle(draw: ImageDraw.ImageDraw, left: int, top: int, side: int) -> None:
    u = side / 10
    outline = [(2, 8), (2, 3), (3.4, 3), (3.4, 4.2), (4.3, 4.2), (4.3, 3), (5.5, 3), (5.5, 4.2)]
    outline += [(6.4, 4.2), (6.4, 3), (7.8, 3), (7.8, 8)]
    draw.polygon([(left + x * u, top + y * u) for x, y in outline], fill=PAPER)


def _draw_sign(draw: ImageDraw.ImageDraw, terrain: Terrain, left: int, top: int, side: int) -> None:
    """Draw a symbol of the terrain, so that it doesn't depend on colour alone."""
    u, shade = side / 20, _darker(terrain.colour)
    stroke = max(1, round(u))

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(left + x * u, top + y * u) for x, y in points]

    if terrain is Terrain.WHEAT:
        for x in (6, 9.5, 13):
            draw.line(at((x, 12), (x, 4)), shade, stroke)
            draw.line(at((x - 1.5, 6), (x, 8), (x + 1.5, 6)), shade, stroke)
    elif terrain is Terrain.FOREST:
        for x in (7, 13):
            draw.polygon(at((x, 3.5), (x + 3, 12), (x - 3, 12)), fill=shade)
    elif terrain is Terrain.LAKE:
        for y in (6, 10):
            draw.line(at((4, y), (7, y - 1.5), (10, y), (13, y - 1.5), (16, y)), PAPER, stroke)
    elif terrain is Terrain.GRASSLAND:
        for x, y in ((5, 7), (11, 6), (8, 11), (14, 11)):
            draw.line(at((x - 1, y - 2), (x, y), (x + 1, y - 2)), shade, stroke)
    elif terrain is Terrain.SWAMP:
        for x, y in ((7, 4), (10, 6), (13, 5)):
            draw.line(at((x, 12), (x, y)), shade, stroke)
            draw.ellipse(at((x - 1, y - 1), (x + 1, y + 3)), fill=shade)
    else:
        draw.polygon(at((4, 12), (8, 4), (11, 9), (13, 6), (16, 12)), fill=shade)


def _draw_crowns(draw: ImageDraw.ImageDraw, square: Square, left: int, top: int, side: int) -> None:
    """Draw the crowns along the lower edge, a red disc over each one under a giant."""
    u = side / 20
    for number in range(square.crowns):
        x = left + (10 + 5.6 * (number - (square.crowns - 1) / 2)) * u
        y = top + 13.2 * u
        points = [(-2.4, 4.4), (-2.4, 0), (-1, 1.8), (0, -0.6), (1, 1.8), (2.4, 0), (2.4, 4.4)]
        crown = [(x + dx * u, y + dy * u) for dx, dy in points]
        draw.polygon(crown, fill=_CROWN, outline=_CROWN_EDGE)
        if number < square.giants:
            draw.ellipse((x - 2.4 * u, y - 0.6 * u, x + 2.4 * u, y + 4.4 * u), fill=_GIANT)


def _draw_piece(draw: ImageDraw.ImageDraw, square: Square, left: int, top: int, side: int) -> None:
    """Draw what lies on it of The Court: a token, a house with its crowns, or a figure."""
    u = side / 20
    x, y = left + 10 * u, top + 15 * u
    if square.token and square.terrain:
        disc = (x - 3.2 * u, y - 3.2 * u, x + 3.2 * u, y + 3.2 * u)
        fill = _darker(square.terrain.colour)
        draw.ellipse(disc, fill=fill, outline=PAPER, width=max(1, round(u / 2)))
    elif square.building:
        house = [(-6, 4), (-6, -1.5), (0, -6), (6, -1.5), (6, 4)]
        draw.polygon([(x + dx * u, y + dy * u) for dx, dy in house], fill=PAPER)
        crowns = Square(square.terrain, square.building)
        _draw_crowns(draw, crowns, left, round(top - u), side)
    elif square.character:
        robe = [(-3.5, 4.5), (-1.5, -1), (1.5, -1), (3.5, 4.5)]
        draw.polygon([(x + dx * u, y + dy * u) for dx, dy in robe], fill=PAPER, outline=_CROWN_EDGE)
        head = (x - 2.2 * u, y - 4.6 * u, x + 2.2 * u, y - 0.2 * u)
        draw.ellipse(head, fill=PAPER, outline=_CROWN_EDGE)


def _darker(colour: str) -> str:
    parts = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(0.62 * part):02x}" for part in parts)


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
    dynasty = _say("dynasty", language) if rules_of(game.values).dynasty else ""
    shown = subtitle(game, language, dynasty)
    sheet = Sheet(sentence, shown, layout.kingdom_px, len(rows), layout)
    _draw_boards(sheet, boards)
    players = _ordered_players(game)
    names = [player.name for player in players]
    colours = [_COLOURS.get(player.colour or "") for player in players]
    sheet.pad(names, rows, _LABEL_SHARE, colours)
    return sheet.png()


_LABEL_SHARE = 0.26


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
    """The rows of the score pad: each terrain, bonuses and characters if any, the sum."""
    results = {each.player: each for each in game.results.players}
    details = [results[player.id].details for player in _ordered_players(game)]
    rows = [
        (terrain_name(terrain, language), [str(each[terrain.name.lower()]) for each in details])
        for terrain in Terrain
    ]
    if rules_of(game.values).rules.goals:
        rows.append((_say("bonuses", language), [str(each["bonuses"]) for each in details]))
    if any("characters" in each for each in details):
        characters = [str(each.get("characters", 0)) for each in details]
        rows.append((say("score.characters", language), characters))
    points = [str(results[player.id].points) for player in _ordered_players(game)]
    return [*rows, (_say("sum", language), points)]


def _boards(game: Game) -> list[Kingdom]:
    """The kingdoms in order of the places; of a Dynasty those of the last game."""
    last = rules_of(game.values).games[-1]
    values = game.values
    keys = [board_key(player.id, last) for player in _ordered_players(game)]
    return [KeptBoard.from_data(values[key]).kingdom.trimmed() for key in keys]


def _draw_boards(sheet: Sheet, boards: list[Kingdom]) -> None:
    """Draw the kingdoms side by side on one scale."""
    left, top, right, bottom = sheet.box
    width = (right - left - 24 * (len(boards) - 1)) // len(boards)
    side = max(max(kingdom.height, kingdom.width) for kingdom in boards)
    square = min(width, bottom - top) // max(side, 5)
    for number, kingdom in enumerate(boards):
        middle = left + number * (width + 24) + width // 2
        place = (
            middle - square * kingdom.width // 2,
            top + (bottom - top - square * kingdom.height) // 2,
        )
        draw_kingdom(sheet.card, kingdom, place, square)


def _say(code: str, language: Language, **values: object) -> str:
    return say(f"card.{code}", language, **values)
