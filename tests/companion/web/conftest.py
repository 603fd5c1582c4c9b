"""What pages give to workers."""

from __future__ import annotations

import pytest

from vision.photo import Photo, PhotoSettings, decode


@pytest.fixture
def for_workers(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The photos that pages have decoded by a worker, where this process decodes them."""
    given: list[bytes] = []

    def decoded(data: bytes, settings: PhotoSettings | None = None) -> Photo:
        given.append(data)
        return decode(data, settings)

    monkeypatch.setattr("companion.web.visit.decode_isolated", decoded)
    return given
