import re

import pytest

from scorer.kingdomino import Terrain


def test_letters_and_names_are_distinct() -> None:
    for column in ("letter", "english", "german", "colour"):
        assert len({getattr(terrain, column) for terrain in Terrain}) == len(Terrain) == 6


@pytest.mark.parametrize("terrain", Terrain)
def test_every_row_of_the_table(terrain: Terrain) -> None:
    assert Terrain.of(terrain.letter) is terrain
    assert terrain.letter in terrain.english
    assert re.fullmatch("#[0-9a-f]{6}", terrain.colour)
    assert terrain.german[0].isupper()


@pytest.mark.parametrize(
    ("letter", "english", "german"),
    [
        ("w", "wheat field", "Getreidefeld"),
        ("f", "forest", "Wald"),
        ("l", "lake", "See"),
        ("g", "grassland", "Wiese"),
        ("s", "swamp", "Sumpf"),
        ("m", "mine", "Mine"),
    ],
)
def test_names_of_the_sheet(letter: str, english: str, german: str) -> None:
    assert (Terrain.of(letter).english, Terrain.of(letter).german) == (english, german)


@pytest.mark.parametrize("text", ["", "c", "W", "ww", "."])
def test_no_terrain(text: str) -> None:
    with pytest.raises(ValueError, match="expected one of w f l g s m"):
        Terrain.of(text)
