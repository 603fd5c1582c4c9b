from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _plain_language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
