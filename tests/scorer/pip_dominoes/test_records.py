from __future__ import annotations

import pytest

from scorer.pip_dominoes import NotationError, Rounding
from scorer.pip_dominoes.records import (
    choice_of,
    field_of,
    names_of,
    objects_of,
    optional_field,
    optional_number,
    whole_number,
)

RECORD = {"text": "x", "number": 3, "yes": True, "none": None, "names": ["a"], "rows": [{}]}


def test_fields_of_their_kind() -> None:
    assert field_of(RECORD, "text", str) == "x"
    assert field_of(RECORD, "number", int) == 3
    assert field_of(RECORD, "yes", bool) is True
    assert optional_field(RECORD, "none", str) is None
    assert optional_field(RECORD, "missing", str) is None
    assert optional_field(RECORD, "text", str) == "x"
    assert (optional_number(RECORD, "number"), optional_number(RECORD, "none")) == (3.0, None)
    assert names_of(RECORD, "names") == ("a",)
    assert objects_of(RECORD, "rows") == [{}]
    assert whole_number(3, "number") == 3
    assert choice_of(RECORD, "missing", Rounding.UP) is Rounding.UP
    assert choice_of({"to": "up"}, "to", Rounding.NEAREST) is Rounding.UP


def test_fields_of_another_kind() -> None:
    for read in (
        lambda: field_of(RECORD, "yes", int),
        lambda: field_of(RECORD, "missing", str),
        lambda: field_of([], "text", str),
        lambda: field_of(None, "text", str),
        lambda: optional_field(RECORD, "number", str),
        lambda: optional_number(RECORD, "yes"),
        lambda: optional_number(RECORD, "text"),
        lambda: choice_of(RECORD, "text", Rounding.UP),
        lambda: names_of(RECORD, "rows"),
        lambda: objects_of(RECORD, "names"),
        lambda: whole_number(True, "yes"),
        lambda: whole_number(1.5, "number"),
    ):
        with pytest.raises(NotationError) as caught:
            read()
        assert caught.value.code == "bad_record"
