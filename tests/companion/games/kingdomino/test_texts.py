"""A reading and a result of Kingdomino in words, as JSON and as a card."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageDraw

from companion.games.cards import fitting, font_of
from companion.games.kingdomino.card import result_card, winner_sentence
from companion.games.kingdomino.kind import KINGDOMINO, board_key
from companion.games.kingdomino.reading_text import grid_lines, photo_lines, photo_record
from companion.games.kingdomino.texts import (
    label_name,
    problem_line,
    quest_name,
    square_name,
    terrain_name,
)
from companion.languages import Language, say
from companion.store import Game, Json, Store
from scorer.kingdomino import QUESTS, GameProblem, Kingdom, Problem, Square, Terrain
from tests.companion.games.kingdomino.readings import kingdom_reading, photo_reading
from vision.kingdomino.result import REASONS, KingdomReading


def test_the_line_of_a_photo_to_the_letter() -> None:
    reading = photo_reading(kingdom_reading("w1 w/c f", {(1, 1): "f1"}), kingdom_reading("c m2"))
    assert json.dumps(photo_record("table.jpg", reading)) == (
        '{"photo": "table.jpg", "kingdoms": ['
        '{"kingdom": "w1 w/c f", "score": 2, "doubtful": [[1, 1]], "squares": '
        '[[{"label": "w1", "probability": 0.9877}, {"label": "w", "probability": 0.9877}], '
        '[{"label": "c", "probability": 0.9877}, {"label": "f", "probability": 0.6123}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 100.0], [10.0, 100.0]], "warnings": []}, '
        '{"kingdom": "c m2", "score": 2, "doubtful": [], "squares": '
        '[[{"label": "c", "probability": 0.9877}, {"label": "m2", "probability": 0.9877}]], '
        '"corners": [[10.0, 20.0], [90.0, 20.0], [90.0, 60.0], [10.0, 60.0]], "warnings": []}], '
        '"outcome": {"certain": true, "winners": [0], "possible": [[0]], '
        '"deciding": [], "exact": true}, '
        '"warnings": [], '
        '"seconds": {"decode": 0.0123, "locate": 0.5}}'
    )


def test_one_kingdom_has_no_outcome() -> None:
    assert photo_record("table.jpg", photo_reading(kingdom_reading("w1 w/c f")))["outcome"] is None


def test_another_grid_that_wins_leaves_the_outcome_open() -> None:
    uncertain = kingdom_reading("w1 w/c f", lattice_certain=False)
    other = kingdom_reading("m1 m m/c . .")
    plain = photo_record("table.jpg", photo_reading(uncertain, other))["outcome"]
    assert (plain["certain"], plain["winners"]) == (True, [1])
    both = replace(uncertain, next_best=kingdom_reading("w1 w w w/c f . ."))
    told = photo_record("table.jpg", photo_reading(both, other))["outcome"]
    assert (told["winners"], told["possible"], told["deciding"]) == ([1], [[1], [0]], [])
    assert "Still open: Kingdom 2 of 2 wins; Kingdom 1 of 2 wins." in text(both, other)


def test_an_uncertain_grid_comes_with_the_next_best_reading() -> None:
    uncertain = kingdom_reading("w1 w/c f", lattice_certain=False)
    (plain,) = photo_record("table.jpg", photo_reading(uncertain))["kingdoms"]
    assert (plain["lattice_certain"], plain["next_best"]) == (False, None)
    both = replace(uncertain, next_best=kingdom_reading("w1 w w/c f f"))
    (told,) = photo_record("table.jpg", photo_reading(both))["kingdoms"]
    assert told["next_best"] == "w1 w w/c f f"


def test_warnings_and_reasons_stand_where_they_belong() -> None:
    kingdom = kingdom_reading("w1 w/c f", {(1, 1): "w"})
    hidden = dataclasses.replace(kingdom.squares[1][1], reason="hidden")
    rows = (kingdom.squares[0], (kingdom.squares[1][0], hidden))
    kingdom = dataclasses.replace(kingdom, squares=rows, warnings=("hidden",))
    reading = dataclasses.replace(photo_reading(kingdom), warnings=("other_squares",))
    record = photo_record("table.jpg", reading)
    assert record["warnings"] == ["other_squares"]
    assert record["kingdoms"][0]["warnings"] == ["hidden"]
    squares = record["kingdoms"][0]["squares"]
    assert [[square.get("reason") for square in row] for row in squares] == [
        [None, None],
        [None, "hidden"],
    ]


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


def test_who_can_win_and_what_decides_it() -> None:
    pink = kingdom_reading("w1 w c", {(0, 1): "f"})
    yellow = kingdom_reading("c l1", {(0, 1): "l2"})
    told = text(pink, yellow)
    assert "Still open: Kingdom 1 of 2 wins; " in told
    assert (
        "Check first: Kingdom 1 of 2, row 1, column 2: Wheat field without crown or Forest" in told
    )
    assert "1 more square can decide." in told
    sure = text(kingdom_reading("w1 w/c w", {(1, 1): "f"}), kingdom_reading("c l"))
    assert "Kingdom 1 of 2 wins, whatever the 1 open square is." in sure
    assert "Kingdom 1 of 2 wins." in text(kingdom_reading("w1 w/c w"), kingdom_reading("c l"))
    shared = text(kingdom_reading("w c"), kingdom_reading("c l"), language=Language.GERMAN)
    assert "Königreich 1 von 2 und Königreich 2 von 2 teilen sich den Sieg." in shared


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


FOUR, SEVEN = "w w1 ./c l1 l", "w1 w1 ./c f1 f/. . f"
FOUR_BY_LARGER = "w1 w w/c . ./. . l1"


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
        (
            {"Anna": FOUR, "Ben": FOUR_BY_LARGER, "Cleo": FOUR},
            "Ben wins with 4 points, ahead of Anna and Cleo by the largest territory",
            "Ben gewinnt mit 4 Punkten, vor Anna und Cleo durch das größte Gebiet",
        ),
        (
            {"Anna": "c w1", "Ben": "c w"},
            "Anna wins with 1 point",
            "Anna gewinnt mit 1 Punkt",
        ),
    ],
)
def test_the_winner_is_announced(
    store: Store, kingdoms: dict[str, str], english: str, german: str
) -> None:
    game = played(store, kingdoms)
    assert winner_sentence(game, Language.ENGLISH) == english
    assert winner_sentence(game, Language.GERMAN) == german


def test_only_those_behind_by_crowns_are_said_to_be_so(store: Store) -> None:
    kingdoms = {"Anna": "c l1 l", "Ben": "w1 c l1 f f", "Cleo": "w1 c l1"}
    game = played(store, kingdoms, rules={"tie_break": "crowns"})
    sentence = winner_sentence(game, Language.ENGLISH)
    assert sentence == "Ben wins with 2 points, ahead of Anna by crowns"


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


@pytest.mark.parametrize(
    ("notation", "english", "german"),
    [
        (".", "no square", "kein Feld"),
        ("c", "castle", "Schloss"),
        ("w", "Wheat field without crown", "Getreidefeld ohne Krone"),
        ("l1", "Lake with 1 crown", "See mit 1 Krone"),
        (
            "m3!!",
            "Mine with 3 crowns, 2 covered by giants",
            "Mine mit 3 Kronen, 2 von Giganten verdeckt",
        ),
    ],
)
def test_squares_in_words(notation: str, english: str, german: str) -> None:
    square = Square.parse(notation)
    assert square_name(square, Language.ENGLISH) == english
    assert square_name(square, Language.GERMAN) == german


def test_terrains_and_quests_have_a_name_in_each_language() -> None:
    for language in Language:
        assert len({terrain_name(terrain, language) for terrain in Terrain}) == len(Terrain)
        assert len({quest_name(quest, language) for quest in QUESTS}) == len(QUESTS)


def test_a_problem_says_where_counted_from_one() -> None:
    problem = Problem("too_many_crowns", ((0, 1), (2, 0)), 3, 1, "w")
    assert problem_line(problem, Language.ENGLISH) == (
        "3 crowns: Wheat field never has more than 1 (row 1, column 2; row 3, column 1)"
    )
    assert problem_line(Problem("no_castle"), Language.GERMAN) == "das Schloss fehlt"


def test_a_problem_of_a_game_names_the_players() -> None:
    colour = GameProblem("same_colour", (), ("Anna", "Ben"), 2, 1, "pink")
    assert problem_line(colour, Language.GERMAN) == "Anna, Ben haben dieselbe Farbe, rosa"
    mines = GameProblem("more_than_box", (("Anna", (0, 1)), ("Ben", (2, 0))), (), 2, 1, "m3")
    assert problem_line(mines, Language.ENGLISH) == (
        "2 times Mine with 3 crowns: the box holds only 1 "
        "(Anna: row 1, column 2; Ben: row 3, column 1)"
    )


def test_a_label_outside_the_notation_is_something_else() -> None:
    assert label_name("w1", Language.ENGLISH) == "Wheat field with 1 crown"
    assert label_name("x", Language.ENGLISH) == "something else"
