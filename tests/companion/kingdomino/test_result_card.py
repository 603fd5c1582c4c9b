"""The result as a sentence and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from companion.games.cards import fitting, font_of
from companion.games.kingdomino.card import result_card, winner_sentence
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.languages import Language
from companion.store import Game, Json, Store, open_store

FOUR, SEVEN = "w w1 ./c l1 l", "w1 w1 ./c f1 f/. . f"
FOUR_BY_LARGER = "w1 w w/c . ./. . l1"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    yield opened
    opened.close()


def played(store: Store, kingdoms: dict[str, str], **parts: Json) -> Game:
    players = [{"id": n, "name": name} for n, name in enumerate(kingdoms)]
    boards = {board_key(n): {"kingdom": text} for n, text in enumerate(kingdoms.values())}
    return store.create_game(KINGDOMINO.key, {"players": players, **boards, **parts})


@pytest.mark.parametrize(
    ("kingdoms", "english", "german"),
    [
        (
            {"Anna": FOUR, "Ben": SEVEN},
            "Ben wins with 7 points",
            "Ben gewinnt mit 7 Punkten",
        ),
        (
            {"Anna": FOUR, "Ben": FOUR_BY_LARGER},
            "Ben wins with 4 points, ahead of Anna by the largest territory",
            "Ben gewinnt mit 4 Punkten, vor Anna durch das größte Gebiet",
        ),
        (
            {"Anna": SEVEN, "Ben": SEVEN, "Cleo": SEVEN},
            "Anna, Ben and Cleo share the victory with 7 points",
            "Anna, Ben und Cleo teilen sich den Sieg mit 7 Punkten",
        ),
    ],
)
def test_the_winner_is_announced(
    store: Store, kingdoms: dict[str, str], english: str, german: str
) -> None:
    game = played(store, kingdoms)
    assert winner_sentence(game, Language.ENGLISH) == english
    assert winner_sentence(game, Language.GERMAN) == german


def written(monkeypatch: pytest.MonkeyPatch, game: Game, language: Language) -> list[str]:
    """Every text on the card."""
    texts: list[str] = []
    real = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, *arguments: object, **options: object) -> None:
        texts.append(str(arguments[1]))
        real(self, *arguments, **options)  # type: ignore[arg-type, type-var]  # passed on as they come

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    with Image.open(BytesIO(result_card(game, language))) as card:
        assert card.format == "PNG"
        assert card.width == 1080
        card.load()
    return texts


def test_the_card_holds_the_sentence_the_names_and_the_pad(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played(store, {"Änne": FOUR, "Борис": SEVEN}, about={"title": "Ostern"})
    texts = written(monkeypatch, game, Language.GERMAN)
    title, _, rest = " ".join(texts).partition("Kingdomino")
    assert title == "Борис gewinnt mit 7 Punkten "
    assert "Ostern" in rest
    table = texts[texts.index("Борис") :]
    assert table[:2] == ["Борис", "Änne"]
    assert table[2:5] == ["Getreidefeld", "4", "2"]
    assert table[-3:] == ["Summe", "7", "4"]
    assert "Boni" not in table


def test_bonuses_have_a_row_where_they_are_in_play(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played(store, {"Anna": FOUR, "Ben": SEVEN}, rules={"harmony": True})
    assert "Bonuses" in written(monkeypatch, game, Language.ENGLISH)


def test_an_incomplete_game_has_no_card(store: Store) -> None:
    game = store.create_game(KINGDOMINO.key, {"players": [{"id": 0, "name": "Anna"}]})
    for ask in (result_card, winner_sentence):
        with pytest.raises(ValueError, match="complete"):
            ask(game, Language.ENGLISH)


def test_the_same_game_gives_the_same_picture(store: Store) -> None:
    game = played(store, {"Anna": "w w1/c m3!", "Ben": SEVEN})
    assert result_card(game, Language.GERMAN) == result_card(game, Language.GERMAN)


def test_long_names_are_made_to_fit() -> None:
    lines, font = fitting("Maximilian-Alexander", 200, 30, lines=1)
    assert lines == ["Maximilian-Alexander"] or lines[0].endswith("…")
    assert font.getlength(lines[0]) <= 200
    lines, font = fitting("W" * 60, 200, 30, lines=1)
    assert lines[0].endswith("…")
    assert font.getlength(lines[0]) <= 200


def test_the_font_has_the_letters_of_names() -> None:
    missing = bytes(font_of(20).getmask("\uffff"))
    for letter in "äöüßÄÖÜéłřñçøåБжΩ…·":
        assert bytes(font_of(20).getmask(letter)) != missing
