"""Where games lie when nobody says so, and when somebody does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from companion.store import StoreError, data_folder, database_url
from companion.store.database import URL_VARIABLE


@pytest.mark.skipif(sys.platform != "linux", reason="the custom of Linux")
def test_games_lie_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "kingdomino"
    assert data_folder().stat().st_mode & 0o777 == 0o700
    url = database_url({})
    assert (url.drivername, url.database) == ("sqlite", str(tmp_path / "kingdomino/games.sqlite"))


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        ("sqlite:////srv/games.sqlite", "sqlite"),
        ("postgres://me:secret@host/games", "postgresql+psycopg"),
        ("postgresql://me@host/games", "postgresql+psycopg"),
        ("postgresql+psycopg://me@host/games", "postgresql+psycopg"),
    ],
)
def test_any_address_is_taken(text: str, driver: str) -> None:
    assert database_url({URL_VARIABLE: f" {text} "}).drivername == driver


def test_a_wrong_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(StoreError) as caught:
        database_url({URL_VARIABLE: "my secret"})
    assert caught.value.code == "bad_url"
    assert "secret" not in str(caught.value)
