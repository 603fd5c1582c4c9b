"""Readings, score sheets and results of pip dominoes in words, as JSON and as a card."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from companion.games.pip_dominoes.card import CardLayout, result_card
from companion.games.pip_dominoes.kept import KeptHand
from companion.games.pip_dominoes.kind import KINDS
from companion.games.pip_dominoes.reading_text import hand_lines, hand_record
from companion.games.pip_dominoes.standing import winner_sentence
from companion.games.pip_dominoes.table import new_table
from companion.games.pip_dominoes.texts import (
    count_of_dominoes,
    count_of_pips,
    layout_lines,
    layout_record,
    muggins_lines,
    muggins_record,
    problem_line,
    result_lines,
    result_record,
    row_lines,
    row_record,
    rules_message,
)
from companion.languages import Language, listed
from companion.languages import codes as known_codes
from companion.store import Actor, Game, Store
from companion.web.games import pages_of
from scorer.pip_dominoes import (
    CastleRockResult,
    DominoSet,
    GameProblem,
    Hand,
    HandProblem,
    Layout,
    MugginsGame,
    MugginsRules,
    Row,
    RulesError,
    Tile,
    parse_muggins_rounds,
)
from tests.companion.games.pip_dominoes.hands import hand_of
from vision.pip_dominoes.result import Missed


def test_a_result() -> None:
    result = CastleRockResult(DominoSet(6), Hand.parse("0|1"))
    assert list(result_lines(result, Language.GERMAN)) == ["Übrig: 1 Dominostein mit 1 Auge"]
    assert result_record(result) == {
        "set": 6,
        "left": "0|1",
        "seconds": None,
        "tiles_left": 1,
        "score": 1,
        "won": False,
    }
    won = CastleRockResult(DominoSet(6), Hand())
    assert list(result_lines(won, Language.ENGLISH)) == ["Won: no domino is left."]


def test_a_row_that_can_be_cleared() -> None:
    row = Row.parse("3|5 3|2 3|1")
    lines = list(row_lines(row, Language.ENGLISH))
    assert len(lines) == 9
    assert lines[7:] == [
        "  3|5 3|2 3|1",
        "Removing as well as possible leaves 0 dominoes with 0 pips.",
    ]
    assert (row_record(row)["left"], row_record(row)["clearing"]) == ("", [[0, 1, 2]])


def test_the_line_of_a_photo_to_the_letter() -> None:
    reading = hand_of("5|9 0|0", {"5|9": "5|8"}, warnings=("set_inferred",))
    assert json.dumps(hand_record("hand.jpg", reading)) == (
        '{"photo": "hand.jpg", "dominoes": ['
        '{"tile": "5|9", "corners": [[10.0, 20.0], [50.0, 20.0], [50.0, 100.0], [10.0, 100.0]], '
        '"probability": 0.6123, "doubtful": true, "runner_up": "5|8"}, '
        '{"tile": "0|0", "corners": [[60.0, 20.0], [100.0, 20.0], [100.0, 100.0], [60.0, 100.0]], '
        '"probability": 0.9877, "doubtful": false, "runner_up": null}], '
        '"sum": 14, "doubtful": true, "set": 12, "warnings": ["set_inferred"], '
        '"seconds": {"decode": 0.0123, "locate": 0.5}, "sum_range": [13, 14], "missed": []}'
    )


ROOT = Path(__file__).parents[4]


def test_a_hand_with_nothing_to_check() -> None:
    assert list(hand_lines(hand_of("10|11 3|12"), Language.ENGLISH)) == [
        "2 dominoes: 10|11 3|12",
        "Sum: 36 pips (double-12 set)",
        "Nothing to check.",
        "Read in 0.51 s.",
    ]


def test_doubts_the_double_blank_and_warnings() -> None:
    reading = hand_of(
        "10|11 0|0 0|1", {"0|0": "", "0|1": "0|2"}, warnings=("unread",), reasons=("cut_off",)
    )
    assert list(hand_lines(reading, Language.ENGLISH)) == [
        "3 dominoes: 10|11 0|0? 0|1?",
        "Sum: 22 pips (double-12 set), please check first",
        "What is in doubt leaves sums from 22 to 23",
        "With 50 for the double blank: 72 points at Chickenfoot and Mexican Train",
        "Please check:",
        "  0|0 (61 %): it reaches beyond the edge of the photo",
        "  0|1 (61 %), or else 0|2: it reaches beyond the edge of the photo",
        "  something looks like a domino and was not read",
        "Read in 0.51 s.",
    ]


def test_what_was_missed_is_told_with_what_it_would_be() -> None:
    missed = (Missed(np.ones((4, 2)), "5|6"), Missed(np.ones((4, 2))))
    reading = replace(hand_of("10|11", warnings=("unread",)), missed=missed)
    assert list(hand_lines(reading, Language.ENGLISH))[1:-1] == [
        "Sum: 21 pips (double-12 set), please check first",
        "What is in doubt leaves sums from 21 to 32",
        "Please check:",
        "  something looks like a domino and was not read",
        "  not read, but perhaps there: 2 dominoes (would be 5|6)",
    ]
    record = hand_record("hand.jpg", reading)
    assert record["sum_range"] == [21, 32]
    assert [each["tile"] for each in record["missed"]] == ["5|6", None]


def test_a_set_that_was_inferred_is_told_and_is_nothing_to_check() -> None:
    reading = hand_of("10|11", warnings=("set_inferred",))
    assert list(hand_lines(reading, Language.ENGLISH))[2:4] == [
        "The set was taken to be double-12; say so with --set if it is another.",
        "Nothing to check.",
    ]


def test_a_single_domino_in_german() -> None:
    assert list(hand_lines(hand_of("0|1"), Language.GERMAN))[:2] == [
        "1 Dominostein: 0|1",
        "Summe: 1 Auge (Doppel-12-Satz)",
    ]


def test_every_warning_and_reason_of_the_reader_has_its_words() -> None:
    source = ROOT / "vision" / "pip_dominoes"
    for file, kind in (("result.py", "warning"),):
        if (source / file).is_file():
            text = (source / file).read_text(encoding="utf-8")
            codes = re.findall(r'"(\w+)"', text.partition("WARNINGS = (")[2].partition(")")[0])
            assert codes
            assert {f"count.{kind}.{code}" for code in codes} <= known_codes()
    known = {code.rpartition(".")[2] for code in known_codes() if code.startswith("count.reason.")}
    assert {"cut_off", "twice", "dissent"} <= known


def test_a_game_of_teams_in_german() -> None:
    rounds = parse_muggins_rounds("A=245 / A=-; B=6|5; C=6|6 4|4; D=5|5 2|0")
    game = MugginsGame(tuple("ABCD"), rounds)
    assert list(muggins_lines(game, Language.GERMAN)) == [
        "Runde 1",
        "  A: 245 Punkte im Spiel",
        "  A + C: 25 Punkte am Ende der Runde",
        "Gesamt",
        "  1. A + C, 270 Punkte",
        "  2. B + D, 0 Punkte",
        "A und C gewinnen: 270 Punkte.",
    ]
    record = muggins_record(game)
    assert record["round_ends"] == [{"out": "A", "side": "A + C", "points": 25}]
    assert MugginsGame.from_dict(record) == game


def test_a_round_in_play_has_no_end() -> None:
    game = MugginsGame(("A", "B"), parse_muggins_rounds("A=5"))
    assert muggins_record(game)["round_ends"] == [None]
    assert "at the end" not in " ".join(muggins_lines(game, Language.ENGLISH))


def test_an_open_layout() -> None:
    layout = Layout.parse("6|6 / 6|1")
    assert list(layout_lines(layout, MugginsRules(), Language.GERMAN)) == [
        "Offene Enden: 12 + 1 = 13",
        "Dieser Zug bringt 0 Punkte.",
        "Anlegen geht mit: 1, 6",
    ]
    never = layout_record(layout, MugginsRules(spinner_counts=False))
    assert (never["total"], never["open_ends"]) == (1, [{"tile": "1|6", "value": 1}])


ANNA = Actor("a-device-of-this-test")
FOUR = ("Anna", "Ben", "Cem", "Dora")


def train(store: Store, rounds: Sequence[Sequence[int]], names: Sequence[str] = FOUR) -> Game:
    """Mexican Train with the points of everybody in each round."""
    rules = {"set": 12, "rounds": len(rounds)}
    table = new_table(store, "mexican_train", names, rules, ANNA)
    for number, points in enumerate(rounds, start=1):
        for player, counted in enumerate(points):
            table.set_hand(number, player, KeptHand(counted=counted) if counted else KeptHand())
    return table.game


def muggins(store: Store, names: Sequence[str], points: Sequence[int]) -> Game:
    table = new_table(store, "muggins", names, {"target": 100}, ANNA)
    for number, each in enumerate(points):
        table.add_play(1, number % len(names), each, play_id=f"play{number}")
    return table.game


def castle(store: Store, hand: KeptHand, seconds: float = 0) -> Game:
    table = new_table(store, "castle_rock", ["Anna"], {"set": 9, "challenge": "pips"}, ANNA)
    if seconds:
        table.set_clock(seconds, None)
    table.set_hand(1, 0, hand)
    return table.game


def drawn(game: Game, language: Language = Language.ENGLISH) -> NDArray[np.uint8]:
    with Image.open(BytesIO(result_card(game, language))) as card:
        assert card.format == "PNG"
        return np.asarray(card.convert("RGB"))


def test_every_game_has_a_card(store: Store) -> None:
    games = [
        train(store, [(7, 0, 5, 9)]),
        muggins(store, ("Ben", "Eva"), (50, 10, 50)),
        castle(store, KeptHand.of_tiles([Tile(1, 2)])),
    ]
    for game in games:
        english, german = (drawn(game, language) for language in Language)
        assert english.shape[1] == CardLayout().width_px
        assert english.shape != german.shape or (english != german).any()
    for kind in KINDS:
        pages = pages_of(kind.key)
        assert pages is not None
        assert pages.card is result_card


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_none_before_the_end(store: Store, kind: str) -> None:
    names = FOUR[: 1 if kind == "castle_rock" else 2]
    game = new_table(store, kind, names, {}, ANNA).game
    for made in (result_card, winner_sentence):
        with pytest.raises(ValueError, match="complete"):
            made(game, Language.ENGLISH)


def test_the_sentence_says_who_won(store: Store) -> None:
    def said(game: Game, language: Language = Language.ENGLISH) -> str:
        return winner_sentence(game, language)

    assert said(train(store, [(7, 0, 5, 9), (0, 1, 9, 9)])) == "Ben wins with 1 point"
    shared = train(store, [(7, 3, 3, 9)])
    assert said(shared) == "Ben and Cem share the win with 3 points"
    assert said(shared, Language.GERMAN) == "Ben und Cem teilen sich den Sieg mit 3 Punkten"
    assert said(muggins(store, ("Ben", "Eva"), (50, 10, 50))) == "Ben wins with 100 points"
    teams = muggins(store, FOUR, (50, 10, 60))
    assert said(teams, Language.GERMAN) == "Anna und Cem gewinnen mit 110 Punkten"
    tiles = KeptHand.of_tiles([Tile(1, 2), Tile(0, 9)])
    assert said(castle(store, tiles)) == "Anna: 2 dominoes left with 12 pips"
    assert said(castle(store, KeptHand(counted=17)), Language.GERMAN) == "Anna: 17 Augen übrig"
    assert said(castle(store, KeptHand())) == "Anna wins: nothing is left!"


def test_what_is_on_it_depends_on_the_game(store: Store) -> None:
    two, other = (train(store, [(7, 0, 5, each), (0, 1, 9, 9)]) for each in (9, 8))
    assert (drawn(two) != drawn(other)).any()
    one = castle(store, KeptHand.of_tiles([Tile(1, 2)]))
    left = castle(store, KeptHand.of_tiles([Tile(0, 3)]))
    # The same figures, but another domino.
    assert (drawn(one) != drawn(left)).any(2).sum() > 500


@pytest.mark.slow
def test_many_players_rounds_and_dominoes_fit(store: Store) -> None:
    names = [f"Somebody with a long name {number}" for number in range(9)]
    card = drawn(train(store, [range(100, 109)] * 13, names))
    tiles = [Tile(low, high) for high in range(10) for low in range(high + 1)]
    for each in (card, drawn(castle(store, KeptHand.of_tiles(tiles), 4000))):
        edge = CardLayout().margin_px + CardLayout().padding_px
        paper = each[edge:-edge, edge - 12 : edge - 4]
        assert (paper == paper[0, 0]).all()
        paper = each[edge:-edge, -edge + 4 : -edge + 12]
        assert (paper == paper[0, 0]).all()


def test_it_is_the_same_every_time(store: Store) -> None:
    game = train(store, [(7, 0, 5, 9)])
    assert result_card(game, Language.GERMAN) == result_card(game, Language.GERMAN)


RULES = Path(__file__).parents[4] / "scorer" / "pip_dominoes"


def raised(pattern: str) -> set[str]:
    return {
        code
        for file in RULES.glob("*.py")
        for code in re.findall(pattern, file.read_text(encoding="utf-8"))
    }


def test_every_refusal_of_the_rules_has_its_words() -> None:
    codes = raised(r'(?:NotationError|RulesError)\(\s*"(\w+)"')
    assert {"bad_tile", "tile_twice", "not_in_table", "game_over"} <= codes
    assert {f"domino_error.{code}" for code in codes} <= known_codes()
    said = {code for code in known_codes() if code.startswith("domino_error.")}
    assert said == {f"domino_error.{code}" for code in codes}


def test_every_problem_has_its_words() -> None:
    codes = raised(r'(?:GameProblem|HandProblem)\(\s*"(\w+)"')
    assert {"not_in_table", "in_two_hands", "several_out"} <= codes
    assert {f"domino_problem.{code}" for code in codes} <= known_codes()


def test_lists_and_counts() -> None:
    assert listed(["Anna"], Language.ENGLISH) == "Anna"
    assert listed(["Anna", "Ben", 3], Language.ENGLISH) == "Anna, Ben and 3"
    assert listed(["Anna", "Ben"], Language.GERMAN) == "Anna und Ben"
    assert count_of_pips(1, Language.GERMAN) == "1 Auge"
    assert count_of_pips(2, Language.ENGLISH) == "2 pips"
    assert count_of_dominoes(1, Language.ENGLISH) == "1 domino"
    assert count_of_dominoes(5, Language.GERMAN) == "5 Dominosteine"


def test_a_refusal_with_a_list() -> None:
    error = RulesError("not_in_table", game="Chickenfoot", set=9, players=7, allowed=(2, 3, 4))
    assert rules_message(error, Language.ENGLISH) == (
        "Chickenfoot with double-9 is not for 7 players, but for 2, 3 and 4"
    )


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (GameProblem("unexpected_double", 2, (), Tile(5, 5), Tile(8, 8)), "round 2: starts with"),
        (HandProblem("in_two_hands", ("A", "B"), Tile(1, 2)), "1|2 is in the hands of A and B"),
        (GameProblem("not_in_table"), "the sheet has no draw"),
    ],
)
def test_problems(problem: GameProblem | HandProblem, line: str) -> None:
    assert problem_line(problem, Language.ENGLISH).startswith(line)
