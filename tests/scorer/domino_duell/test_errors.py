from __future__ import annotations

import copy

from scorer.domino_duell import IllegalTurn, NotationError, Reason


def test_errors_survive_a_process_boundary() -> None:
    error = copy.copy(IllegalTurn(Reason.NO_GROUP, stone="rcw", hollow="f6"))
    assert error.reason is Reason.NO_GROUP
    assert error.details == {"stone": "rcw", "hollow": "f6"}


def test_an_error_moves_with_its_text() -> None:
    error = NotationError("bad_stone", text="xx", column=3)
    assert error.at(5, 10).details == {"text": "xx", "line": 5, "column": 12}
    deeper = NotationError("bad_stone", text="xx", line=2, column=3)
    assert deeper.at(5, 10).details == {"text": "xx", "line": 6, "column": 3}
