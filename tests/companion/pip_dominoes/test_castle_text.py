from __future__ import annotations

from companion.games.pip_dominoes.texts import result_lines, result_record, row_lines, row_record
from companion.languages import Language
from scorer.pip_dominoes import CastleRockResult, DominoSet, Hand, Row


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
    assert len(lines) == 8
    assert lines[6:] == [
        "3|5 3|2 3|1 may go.",
        "Removing as well as possible leaves 0 dominoes with 0 pips.",
    ]
    assert (row_record(row)["left"], row_record(row)["clearing"]) == ("", [[0, 1, 2]])
