from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.languages import Language, codes
from companion.store import open_store
from companion.web.parts import photo_refusal, refused_id, refused_photo
from companion.web.shared_state import SharedState
from companion.web.visit import Visit
from vision.photo.errors import PhotoError


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    store = open_store(f"sqlite:///{(tmp_path / 'games.sqlite').as_posix()}")
    yield Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)
    store.close()


def test_every_reason_comes_back_and_has_words(visit: Visit) -> None:
    for code in [code.removeprefix("photo.") for code in codes() if code.startswith("photo.")]:
        error = refused_photo(refused_id(PhotoError(code, format="JPEG", width=3)))
        assert error is not None
        assert error.code == code
        assert photo_refusal(error, visit)
        assert photo_refusal(PhotoError(code), visit)
    told = refused_photo(refused_id(PhotoError("unsupported_format", format="TIFF")))
    assert told is not None
    assert "(TIFF)" in photo_refusal(told, visit)


@pytest.mark.parametrize("sent", ["x", "refused:", "refused:A", "refused:a:<b>", "refused:a\nb"])
def test_anything_else_is_no_refusal(sent: str) -> None:
    assert refused_photo(sent) is None


def test_what_nobody_knows_did_not_arrive(visit: Visit) -> None:
    assert photo_refusal(PhotoError("nothing_known"), visit) == visit.say("photo.failed")
