import pickle

import pytest

from scorer.kingdomino import NotationError, RulesError


@pytest.mark.parametrize("kind", [NotationError, RulesError])
def test_code_and_details_survive_a_process_boundary(
    kind: type[NotationError] | type[RulesError],
) -> None:
    error = kind("a_code", text="x", row=1)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # our own bytes
    assert type(again) is kind
    assert (again.code, again.details) == ("a_code", {"text": "x", "row": 1})
    assert str(again) == str(error) == "a_code text='x' row=1"
