"""Terrains, squares and kingdoms, and their notation."""

from __future__ import annotations

import pickle
import re

import pytest

from scorer.kingdomino import CASTLE, EMPTY, Kingdom, NotationError, Square, Terrain
from scorer.kingdomino.kingdom import edge_neighbours
from tests.scorer.kingdomino.golden_tables import rows


@pytest.mark.parametrize(("text", "code", "details"), rows("notation"))
def test_texts_that_are_no_kingdom(text: str, code: str, details: str) -> None:
    with pytest.raises(NotationError) as caught:
        Kingdom.parse(text[1:-1])
    assert caught.value.code == code
    assert " ".join(f"{name}={value}" for name, value in caught.value.details.items()) == details


def test_parts_of_a_kingdom() -> None:
    kingdom = Kingdom.parse("w w1 f . c/m3!! l1 g2 s .")
    assert (kingdom.height, kingdom.width) == (2, 5)
    assert kingdom[1, 0] == Square.parse("m3!!")
    assert kingdom.rows[0][4].is_castle
    assert [position for position, square in kingdom.items() if square.is_empty] == [(0, 3), (1, 4)]
    assert str(kingdom) == kingdom.format() == "w w1 f . c/m3!! l1 g2 s ."
    assert repr(kingdom) == "Kingdom.parse('w w1 f . c/m3!! l1 g2 s .')"


def test_blanks_are_let_pass() -> None:
    assert str(Kingdom.parse("  w   w1 / c f\n")) == "w w1/c f"


@pytest.mark.parametrize("position", [(-1, 0), (0, -1), (2, 0), (0, 3)])
def test_a_place_outside(position: tuple[int, int]) -> None:
    kingdom = Kingdom.parse("w w f/c f f")
    with pytest.raises(IndexError, match="expected inside"):
        kingdom[position]
    with pytest.raises(IndexError, match="expected inside"):
        kingdom.replace({position: EMPTY})


def test_replace_leaves_the_rest_and_the_original() -> None:
    kingdom = Kingdom.parse("w w/c f")
    changed = kingdom.replace({(0, 1): Square.parse("l1"), (1, 1): EMPTY})
    assert str(changed) == "w l1/c ."
    assert str(kingdom) == "w w/c f"


def test_rows_must_be_equally_long() -> None:
    with pytest.raises(ValueError, match=r"expected equally long rows, got lengths \[1, 2\]"):
        Kingdom(((EMPTY,), (EMPTY, EMPTY)))
    with pytest.raises(ValueError, match="expected equally long rows"):
        Kingdom(())
    with pytest.raises(ValueError, match="expected equally long rows"):
        Kingdom(((),))


@pytest.mark.parametrize(
    ("text", "trimmed"),
    [
        (". . ./. w ./. . .", "w"),
        (". . . ./. w c ./. . . .", "w c"),
        ("w . ./. . ./. . c", "w . ./. . ./. . c"),
        (". ./. .", "."),
        (". ./. c", "c"),
        ("w .", "w"),
    ],
)
def test_trimmed(text: str, trimmed: str) -> None:
    assert str(Kingdom.parse(text).trimmed()) == trimmed


def test_turned_mirrored_transposed() -> None:
    kingdom = Kingdom.parse("w f l/g s m")
    assert str(kingdom.turned()) == "g w/s f/m l"
    assert str(kingdom.mirrored()) == "l f w/m s g"
    assert str(kingdom.transposed()) == "w g/f s/l m"


def test_the_neighbours_at_the_edges_of_a_square() -> None:
    assert edge_neighbours((2, 5)) == ((1, 5), (2, 4), (2, 6), (3, 5))


def test_a_position_outside_is_told_with_the_size() -> None:
    with pytest.raises(IndexError, match=r"inside \(1, 3\), got \(0, 3\)"):
        Kingdom.parse("c w w")[0, 3]


def test_parts_of_a_square() -> None:
    square = Square.parse("m3!!")
    assert (square.terrain, square.crowns, square.giants) == (Terrain.MINE, 3, 2)
    assert square.counting_crowns == 1
    assert square.printed == Square.parse("m3")
    assert not square.is_castle
    assert not square.is_empty


def test_castle_and_empty() -> None:
    assert Square.parse("c") == CASTLE
    assert CASTLE.is_castle
    assert not CASTLE.is_empty
    assert CASTLE.terrain is None
    assert CASTLE.printed == CASTLE
    assert Square.parse(".") == EMPTY == Square()
    assert EMPTY.is_empty


def test_every_notation_round_trips() -> None:
    texts = [
        f"{terrain.letter}{crowns or ''}{'!' * giants}"
        for terrain in Terrain
        for crowns in range(4)
        for giants in range(crowns + 1)
    ]
    assert len({Square.parse(text) for text in texts}) == 60
    assert [str(Square.parse(text)) for text in texts] == texts


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"terrain": Terrain.WHEAT, "crowns": 4}, r"crowns: expected 0\.\.3, got 4"),
        ({"terrain": Terrain.WHEAT, "crowns": -1}, r"crowns: expected 0\.\.3, got -1"),
        ({"terrain": Terrain.WHEAT, "giants": 1}, r"giants: expected 0\.\.0"),
        ({"terrain": Terrain.WHEAT, "crowns": 1, "giants": 2}, r"giants: expected 0\.\.1"),
        ({"crowns": 1}, "crowns: expected 0 without terrain, got 1"),
        ({"is_castle": True, "crowns": 1}, "crowns: expected 0 without terrain, got 1"),
        ({"terrain": Terrain.LAKE, "is_castle": True}, "expected none under the castle, got LAKE"),
    ],
)
def test_contradictions(parts: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Square(**parts)  # type: ignore[arg-type]  # wrong on purpose


def test_notation_error_survives_a_process_boundary() -> None:
    with pytest.raises(NotationError) as caught:
        Square.parse("x")
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # our own bytes
    assert (again.code, again.details) == ("bad_square", {"text": "x"})


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
