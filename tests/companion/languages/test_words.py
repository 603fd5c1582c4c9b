from __future__ import annotations

import pytest

from companion.languages import Language, Words, codes, register, say
from companion.languages.words import REGISTERED

TABLE = {"test.seconds": Words("{seconds:.1f} seconds", "{seconds:.1f} Sekunden")}


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.languages.words.REGISTERED", REGISTERED)
    for code in TABLE:
        monkeypatch.setitem(REGISTERED, code, TABLE[code])


@pytest.mark.usefixtures("_registered")
def test_a_table_in_code_is_said_too() -> None:
    register(TABLE)
    assert "test.seconds" in codes()
    assert say("test.seconds", Language.ENGLISH, seconds=1.5) == "1.5 seconds"
    assert say("test.seconds", Language.GERMAN, seconds=1.5) == "1,5 Sekunden"


@pytest.mark.usefixtures("_registered")
def test_two_tables_must_not_differ_on_a_code() -> None:
    with pytest.raises(ValueError, match=r"test\.seconds"):
        register({"test.seconds": Words("{seconds} s", "{seconds} s")})
