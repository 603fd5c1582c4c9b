"""The result of a game as a picture to share: the winner, the kingdoms and the score pad."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image, ImageDraw

from companion.games.cards import Sheet, SheetLayout, subtitle
from companion.games.kingdomino.kept_board import KeptBoard
from companion.games.kingdomino.kind import board_key, game_ranking, rules_of
from companion.games.kingdomino.terrain_art import tile_picture
from companion.games.kingdomino.texts import terrain_name
from companion.languages import Language, listed, say
from companion.store import Game, Player, PlayerResult
from scorer.kingdomino import Criterion, Kingdom, Terrain


def draw_kingdom(
    card: Image.Image, kingdom: Kingdom, place: tuple[int, int], square_px: int
) -> None:
    """Draw the tiles of a kingdom with its top left at ``place`` (x, y)."""
    side = square_px - 2
    rounded = Image.new("L", (side, side), 0)
    ImageDraw.Draw(rounded).rounded_rectangle((0, 0, side - 1, side - 1), square_px // 10, 255)
    for (row, column), square in kingdom.items():
        if not square.is_empty:
            corner = (place[0] + column * square_px, place[1] + row * square_px)
            card.paste(tile_picture(square, side), corner, rounded)


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
    code = "wins" if len(winners) == 1 else "shared"
    sentence = _say(code, language, names=listed(winners, language), count=points)
    ranking = game_ranking(game.values)
    if ranking is None or len(winners) > 1:
        return sentence
    first = ranking.places[0]
    if first.decided_by is Criterion.POINTS:
        return sentence
    names = {str(player.id): player.name for player in game.players}
    decided = [
        names[tie.behind]
        for tie in ranking.ties
        if tie.ahead == first.player and tie.criterion is first.decided_by
    ]
    others = listed(decided, language)
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
