from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.kingdomino.reading_text import grid_lines, photo_lines
from companion.languages import Language, say
from scorer.kingdomino import Kingdom
from tests.companion.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import REASONS, KingdomReading


def text(*kingdoms: KingdomReading, language: Language = Language.ENGLISH) -> str:
    return "\n".join(photo_lines(photo_reading(*kingdoms), language))


def test_the_grid_is_aligned_and_numbered_from_one() -> None:
    assert list(grid_lines(Kingdom.parse("w w1 f/. c m3!!"), marked=[(1, 1)])) == [
        "    | 1     2     3",
        "  1 | w     w1    f",
        "  2 | .     c?    m3!!",
    ]


def test_a_clean_reading_is_told_whole() -> None:
    assert text(kingdom_reading("w1 w/c w")) == (
        "    | 1   2\n"
        "  1 | w1  w\n"
        "  2 | c   w\n"
        "Notation: w1 w/c w\n"
        "Kingdom: 3 points\n"
        "  Wheat field: 3 squares × 1 crown = 3\n"
        "  largest territory: 3 squares; 1 crown\n"
        "Please check:\n"
        "  terrain squares: 3, but dominoes always make an even number\n"
        "Read in 0.51 s."
    )


def test_nothing_to_check_is_said() -> None:
    assert "Nothing to check." in text(kingdom_reading("w1 w c"))


def test_a_doubt_names_the_runner_up_and_what_was_seen() -> None:
    reading = kingdom_reading("w1 w c", {(0, 1): "f1"})
    seen = replace(reading.squares[0][1], settled_from="l")
    squares = ((reading.squares[0][0], seen, reading.squares[0][2]),)
    assert (
        "row 1, column 2: w (Wheat field without crown) (61 %), "
        "or else f1 (Forest with 1 crown), "
        "seen as l (Lake without crown) and changed to what the box holds"
    ) in text(replace(reading, squares=squares))


def test_a_runner_up_that_is_no_square_of_the_game_is_no_trouble() -> None:
    reading = kingdom_reading("w1 w c", {(0, 1): "x"})
    assert "or else x (something else)" in text(reading)


def test_an_uncertain_grid_and_odd_things_are_never_silent() -> None:
    told = text(kingdom_reading("w1 w c . f", lattice_certain=False))
    assert "the grid itself is not certain" in told
    assert "a part is not connected to the rest (row 1, column 5)" in told


def test_the_next_best_reading_is_offered_where_the_grid_is_not_certain() -> None:
    uncertain = kingdom_reading("w1 w/c f", lattice_certain=False)
    assert "next best" not in text(uncertain)
    told = text(replace(uncertain, next_best=kingdom_reading("w1 w w/c f f")))
    assert "the next best reading of this photo: w1 w w/c f f (3 points)" in told


def test_a_kingdom_without_points_says_so() -> None:
    assert "Kingdom: 0 points\n" in text(kingdom_reading("c w w"))


def test_several_kingdoms_are_counted_and_castles_named() -> None:
    first = replace(kingdom_reading("w1 w c"), castle_colour="pink")
    told = text(first, kingdom_reading("c f f"), language=Language.GERMAN)
    assert "Königreich 1 von 2" in told
    assert "Königreich 2 von 2" in told
    assert "Schloss: rosa" in told
    assert "Getreidefeld: 2 Felder × 1 Krone = 2" in told


@pytest.mark.parametrize("reason", REASONS)
def test_warnings_and_reasons_are_said_in_words(reason: str) -> None:
    kingdom = kingdom_reading("w1 w/c f", {(1, 1): "w"})
    hidden = replace(kingdom.squares[1][1], reason=reason)
    rows = (kingdom.squares[0], (kingdom.squares[1][0], hidden))
    kingdom = replace(kingdom, squares=rows, warnings=("cut_off",))
    reading = replace(photo_reading(kingdom), warnings=("other_squares",))
    for language in Language:
        text = "\n".join(photo_lines(reading, language))
        for code in ("warning.cut_off", "warning.other_squares", f"reason.{reason}"):
            assert say(code, language) in text
