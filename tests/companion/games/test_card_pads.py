"""What stands on the result cards of all games, and where: pictures by their colours, the pads by
their texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw

import companion.games.domino_duell.card as duel_card
import companion.games.kingdomino.card as kingdomino_card
import companion.games.pip_dominoes.card as dominoes_card
from companion.games import register_kinds
from companion.games.cards import wood
from companion.games.domino_duell.kind import DETAILS, KeptSetUp, played, record_of
from companion.games.kingdomino.card import draw_kingdom
from companion.games.kingdomino.kind import board_key
from companion.games.kingdomino.terrain_art import ART, CASTLE
from companion.games.pip_dominoes.kept import KeptHand, KeptRound, round_key
from companion.languages import Language, say
from companion.store import Game, Json, Part, kind_of
from scorer.domino_duell import STONES, Lay, format_turn, legal_moves
from scorer.kingdomino import Kingdom, Terrain
from scorer.pip_dominoes import Tile
from tests.companion.games.domino_duell.duels import START

PICTURE_TOP = 2 * 30 + 30 + round(1.25 * 52) + 44 + 56
"""Below a title of one line."""
CROWN, GIANT = "#ffd64f", "#8c1f2f"
NOW = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)


def game_of(kind: str, names: list[str], **parts: Json) -> Game:
    register_kinds()
    players = [{"id": number, "name": name} for number, name in enumerate(names)]
    values = {"players": players, **parts}
    results = kind_of(kind).results(values)
    kept = {key: Part(value, 1) for key, value in values.items()}
    return Game("g" * 20, kind, False, NOW, NOW, NOW, None, 9, kept, results)


def shows(pixels: NDArray[np.uint8], colour: str) -> bool:
    return bool((pixels == ImageColor.getrgb(colour)).all(axis=2).any())


def drawn(card: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(BytesIO(card)).convert("RGB"))


@pytest.mark.parametrize(
    ("text", "terrain", "crowned", "giant", "castle"),
    [
        ("w .", Terrain.WHEAT, False, False, False),
        ("l2 .", Terrain.LAKE, True, False, False),
        ("m3! .", Terrain.MINE, True, True, False),
        ("c .", None, False, False, True),
        (". .", None, False, False, False),
    ],
)
def test_a_square_shows_its_terrain_crowns_giants_or_the_castle(
    text: str, terrain: Terrain | None, crowned: bool, giant: bool, castle: bool
) -> None:
    card = Image.new("RGB", (300, 140), "#123456")
    draw_kingdom(card, Kingdom.parse(text), (20, 10), 120)
    pixels = np.asarray(card)
    square, beside = pixels[10:130, 20:140], pixels[:, 140:]
    assert [each for each in Terrain if shows(square, ART[each].ground)] == (
        [terrain] if terrain else []
    )
    assert shows(square, CROWN) == crowned
    assert shows(square, GIANT) == giant
    assert shows(square, CASTLE.ground) == castle
    assert (beside == ImageColor.getrgb("#123456")).all()
    assert (pixels[:10] == ImageColor.getrgb("#123456")).all()


Texts = Callable[[Game], list[tuple[str, float, float]]]


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> Texts:
    """Every text of a card with the place where it is drawn."""
    found: list[tuple[str, float, float]] = []
    real = ImageDraw.ImageDraw.text

    def text(
        self: ImageDraw.ImageDraw, xy: tuple[float, float], text: str, *more: object, **options: str
    ) -> None:
        found.append((text, *xy))
        real(self, xy, text, *more, **options)  # type: ignore[arg-type]  # passed on as they come

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    cards = {"kingdomino": kingdomino_card, "domino_duell": duel_card}

    def of(game: Game) -> list[tuple[str, float, float]]:
        found.clear()
        cards.get(game.kind, dominoes_card).result_card(game, Language.ENGLISH)
        return list(found)

    return of


def halves(card: bytes) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The left and the right half of the picture of a card of two kingdoms."""
    pixels = drawn(card)[PICTURE_TOP : PICTURE_TOP + 260, 100:980]
    return pixels[:, :440], pixels[:, 440:]


def terrains(pixels: NDArray[np.uint8]) -> set[Terrain]:
    return {each for each in Terrain if shows(pixels, ART[each].ground)}


def board(text: str) -> Json:
    return {"kingdom": text}


def test_the_kingdoms_stand_in_the_order_of_their_places() -> None:
    kingdoms = {board_key(0): board("w w1/c w"), board_key(1): board("l2 l/c l")}
    game = game_of("kingdomino", ["Anna", "Ben"], **kingdoms)
    left, right = halves(kingdomino_card.result_card(game, Language.ENGLISH))
    assert (terrains(left), terrains(right)) == ({Terrain.LAKE}, {Terrain.WHEAT})


def test_the_card_of_a_dynasty_shows_its_last_kingdoms_in_the_order_of_all_points(
    texts: Texts,
) -> None:
    """Anna has more in all, Ben in the last game."""
    kingdoms = {
        board_key(0, 1): board("w w/c w"),
        board_key(1, 1): board("w2 w/c w"),
        board_key(0, 2): board("w w/c w"),
        board_key(1, 2): board("w2 w/c w"),
        board_key(0, 3): board("l2 l/c l"),
        board_key(1, 3): board("f1 f/c f"),
    }
    game = game_of("kingdomino", ["Ben", "Anna"], rules={"dynasty": True}, **kingdoms)
    left, right = halves(kingdomino_card.result_card(game, Language.ENGLISH))
    assert (terrains(left), terrains(right)) == ({Terrain.FOREST}, {Terrain.LAKE})
    found = [text for text, _, _ in texts(game)]
    assert "Kingdomino · Dynasty, three games · 2026-03-01" in found
    assert found[-2:] == ["15", "6"]


def pad_of(found: list[tuple[str, float, float]], first: str) -> list[list[str]]:
    """The rows of the pad from the head named ``first`` on; each row is what has one height."""
    start = next(number for number, each in enumerate(found) if each[0] == first)
    rows: dict[float, list[tuple[float, str]]] = {}
    for text, x, y in found[start:]:
        rows.setdefault(y, []).append((x, text))
    return [[text for _, text in sorted(row)] for _, row in sorted(rows.items())]


def columns_of(found: list[tuple[str, float, float]], first: str) -> set[float]:
    start = next(number for number, each in enumerate(found) if each[0] == first)
    return {x for _, x, _ in found[start:]}


def test_the_pad_of_kingdomino(texts: Texts) -> None:
    kingdoms = {board_key(0): board("w w1/c f"), board_key(1): board("l2 l/c l")}
    found = texts(game_of("kingdomino", ["Anna", "Ben"], about={"title": "Sunday"}, **kingdoms))
    assert found[1][0] == "Kingdomino · Sunday · 2026-03-01"
    rows = pad_of(found, "Ben")
    assert rows[0] == ["Ben", "Anna"]
    assert ["Lake", "6", "0"] in rows
    assert rows[-1] == ["Sum", "6", "2"]
    assert len(columns_of(found, "Ben")) == 3


def test_the_pad_of_a_duel(texts: Texts) -> None:
    register_kinds()
    names = ["Anna", "Ben", "Cleo"]
    parts: dict[str, Json] = {"setup": KeptSetUp(START).to_data(), "turns": []}
    players = [{"id": number, "name": name} for number, name in enumerate(names)]
    record = record_of({"players": players, **parts})
    assert record is not None
    duel, _ = played(record)
    for _ in range(8):
        assert duel.to_move is not None
        move = legal_moves(duel.position, STONES)[0]
        turn = Lay(move.stone, move.hollow, player=str(duel.to_move))
        parts["turns"].append(format_turn(turn))
        duel = duel.after(turn)
    game = game_of("domino_duell", names, **parts)
    found = texts(replace(game, results=replace(game.results, complete=True)))
    details = {
        say(f"duell_page.detail.{name}", Language.ENGLISH): [
            str(each.details[name]) for each in game.results.players
        ]
        for name in DETAILS
    }
    rows = pad_of(found, "Anna")
    assert rows[0] == names
    assert rows[1:-1] == [[k, *row] for k, row in details.items() if {*row} != {"0"}]
    assert len(rows) > 3
    assert rows[-1][1:] == [str(each.points) for each in game.results.players]
    assert len(columns_of(found, "Anna")) == 4


def test_the_pad_of_rounds(texts: Texts) -> None:
    rounds = {
        round_key(number): KeptRound(
            Tile(10 - number, 10 - number),
            {player: KeptHand.of_tiles([Tile(player, number)] * player) for player in range(2)},
        ).to_data()
        for number in (1, 2)
    }
    rules = {"set": 9, "rounds": 2}
    game = game_of("mexican_train", ["Ben", "Anna"], rules=rules, **rounds)
    found = texts(game)
    rows = pad_of(found, "9")
    assert rows == [["9", "8", "Total"], ["Ben", "0", "0", "0"], ["Anna", "2", "3", "5"]]
    assert len(columns_of(found, "9")) == 4


def test_lines_and_colours_of_a_pad() -> None:
    """A bar below each player of a known colour, a heavy line above the sum."""
    register_kinds()
    kingdoms = {board_key(0): board("w w1/c f"), board_key(1): board("l2 l/c l")}
    players = [{"id": 0, "name": "A", "colour": "blue"}, {"id": 1, "name": "B", "colour": None}]
    game = game_of("kingdomino", ["A", "B"], **kingdoms)
    game = replace(game, parts={**game.parts, "players": Part(players, 1)})
    pixels = drawn(kingdomino_card.result_card(game, Language.ENGLISH))
    pad = pixels[PICTURE_TOP + 260 + 60 :]
    below_names = pad[40:47, 100:980]
    assert not shows(below_names[:, :550], "#3a78bd")
    assert shows(below_names[:, 550:], "#3a78bd")
    ink = (pad[:, 400] == ImageColor.getrgb("#33281d")).all(axis=1)
    rule = (pad[:, 400] == ImageColor.getrgb("#d9cdb6")).all(axis=1)
    sum_line = 58 * (len(Terrain) + 1)
    assert [*np.flatnonzero(rule)] == [58 * number for number in range(1, len(Terrain) + 1)]
    assert ink[sum_line - 1 : sum_line + 2].all()


def test_characters_have_a_line_of_their_own_where_there_are_any(texts: Texts) -> None:
    plain, laid = board("w w1/c w"), board("w w1/c f:queen")
    without = game_of("kingdomino", ["Anna", "Ben"], **{board_key(0): plain, board_key(1): plain})
    assert "Characters" not in [text for text, *_ in texts(without)]
    game = game_of("kingdomino", ["Anna", "Ben"], **{board_key(0): plain, board_key(1): laid})
    places = {text: place for text, *place in texts(game)}
    height = places["Characters"][1]
    shown = {text for text, _, y in texts(game) if abs(y - height) < 5}
    assert shown == {"Characters", "0", "2"}


@pytest.mark.parametrize("text", ["w*", "w+1", "w+2", "w:king"])
def test_a_piece_of_the_court_is_drawn(text: str) -> None:
    pictures = []
    for square in ("w", text):
        card = Image.new("RGB", (140, 140), "#123456")
        draw_kingdom(card, Kingdom.parse(square), (10, 10), 120)
        pictures.append(np.asarray(card))
    assert (pictures[0] != pictures[1]).any()
    assert shows(pictures[1], CROWN) == text.startswith("w+")


def test_the_table_is_of_brown_wood_whose_grain_is_weaker_in_green_and_blue() -> None:
    pixels = np.asarray(wood(90, 60), np.float64)
    np.testing.assert_allclose(pixels.mean((0, 1)), (146, 104, 66), atol=3)
    strength = pixels.std((0, 1))
    np.testing.assert_allclose(strength / strength[0], (1, 0.9, 0.7), atol=0.05)
    np.testing.assert_array_equal(pixels, np.asarray(wood(90, 60)))
