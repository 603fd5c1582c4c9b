from __future__ import annotations

import pickle

import pytest

from scorer.errors import CodedError
from scorer.pip_dominoes import NotationError, RulesError


@pytest.mark.parametrize("kind", [CodedError, NotationError, RulesError])
def test_code_and_details_survive_a_process_boundary(kind: type[CodedError]) -> None:
    error = kind("a_code", text="x", row=1)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert type(again) is kind
    assert (again.code, again.details) == ("a_code", {"text": "x", "row": 1})
    assert str(again) == str(error) == "a_code text='x' row=1"
