"""What goes down: the dossier once, the rest small and whole."""

from __future__ import annotations

import json

import pytest

from companion.languages import Language
from companion.web.board import (
    BoardPhoto,
    BoardReading,
    BoardScore,
    BoardState,
    Frame,
    ReadSquare,
    board_words,
)
from scorer.kingdomino import Goal, Kingdom, Quest, Rules, score

KINGDOM = Kingdom.parse("w1 w/c f")
READING = BoardReading(
    ((ReadSquare("w1"), ReadSquare("w", "f", True)), (ReadSquare("c"), ReadSquare("f"))),
    (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
)
WORDS_ENGLISH = board_words(Language.ENGLISH)


def test_a_message_without_dossier_is_small() -> None:
    state = BoardState(KINGDOM, 3, BoardScore(2), settled=frozenset({(0, 1)}), frame=Frame(1, 0, 1))
    message = state.message(("client", 4), "id")
    assert message["settled"] == "0100"
    assert message["frame"] == [1, 0, 1]
    assert message["answers"] == {"client": "client", "seq": 4}
    assert "notice" not in message
    assert len(json.dumps(message)) < 300


def test_a_dossier_is_known_by_its_content() -> None:
    state = BoardState(KINGDOM, photo=BoardPhoto("/photo.jpg", 10, 20), reading=READING)
    first = state.dossier(WORDS_ENGLISH)
    assert first["id"] == state.dossier(WORDS_ENGLISH)["id"]
    assert first["id"] != BoardState(KINGDOM).dossier(WORDS_ENGLISH)["id"]
    assert first["id"] != state.dossier(board_words(Language.GERMAN))["id"]
    assert first["reading"]["rows"][0][1] == {"label": "w", "runnerUp": "f", "doubtful": True}


def test_bonuses_are_named_for_people() -> None:
    rules = Rules(quests=(Quest(Goal.LOST_CORNER),))
    result = BoardScore.of(score(KINGDOM, rules), lambda bonus: bonus.quest.goal.german)
    assert result.bonuses[0].name == "Im hintersten Winkel"
    assert result.points == score(KINGDOM, rules).points


@pytest.mark.parametrize("size", [(0, 5), (5, 0)])
def test_a_photo_has_a_size(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="photo: expected a size"):
        BoardPhoto("x", *size)


def test_a_homography_has_nine_numbers() -> None:
    with pytest.raises(ValueError, match="expected 9 numbers, got 1"):
        BoardReading((), (1.0,))


def test_a_frame_has_up_to_three_turns() -> None:
    with pytest.raises(ValueError, match="turns"):
        Frame(4)


def test_a_turned_frame_finds_the_lattice() -> None:
    height = KINGDOM.height
    frame = Frame(1, height - 1, 0)
    for (row, column), square in KINGDOM.turned().items():
        assert KINGDOM[frame.lattice_place((row, column))] == square
