from __future__ import annotations

import pytest

from tests.companion.games.conftest import new_url, postgres

__all__ = ["new_url", "postgres"]


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
