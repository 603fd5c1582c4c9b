"""The sources of the pages: types of every script, words for every code, refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.languages import Language, codes
from companion.store import Store, StoreError
from companion.web.parts import answer, photo_refusal, refused_id, sent_photo
from companion.web.shared_state import SharedState
from companion.web.shell import Act
from companion.web.visit import Visit
from tests.companion.web.test_shared_state import jpeg
from vision.photo.errors import PhotoError


@pytest.fixture
def visit(store: Store) -> Visit:
    return Visit(SharedState(store), "device-of-anna-1", Language.ENGLISH)


def refusal(visit: Visit, photo_id: str) -> PhotoError:
    with pytest.raises(PhotoError) as refused:
        sent_photo(visit, photo_id)
    return refused.value


def test_every_reason_comes_back_and_has_words(visit: Visit) -> None:
    for code in [code.removeprefix("photo.") for code in codes() if code.startswith("photo.")]:
        error = refusal(visit, refused_id(PhotoError(code, format="JPEG", width=3)))
        assert error.code == code
        assert photo_refusal(error, visit)
        assert photo_refusal(PhotoError(code), visit)
    told = refusal(visit, refused_id(PhotoError("unsupported_format", format="TIFF")))
    assert told.details["format"] == "TIFF"


@pytest.mark.parametrize("sent", ["x", "refused:", "refused:A", "refused:a:<b>", "refused:a\nb"])
def test_anything_else_is_no_refusal(visit: Visit, sent: str) -> None:
    assert refusal(visit, sent).code == "gone"


def test_a_photo_is_for_pages_of_the_device_that_sent_it(visit: Visit) -> None:
    """Whoever knows its name has no reading of it, in no game."""
    own, others = (visit.photos.put(jpeg(), device) for device in (visit.device, "another-device"))
    assert sent_photo(visit, own.id) is own
    assert refusal(visit, others.id).code == "gone"


def test_what_nobody_knows_did_not_arrive(visit: Visit) -> None:
    assert photo_refusal(PhotoError("nothing_known"), visit) == visit.say("photo.failed")


PAGES = Path(__file__).parents[3] / "companion" / "web"


def test_every_code_is_in_a_catalogue() -> None:
    said = set()
    for file in PAGES.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        said |= set(re.findall(r"""\bsay\(\s*["']([a-z_.]+)["']""", text))
    assert len(said) > 60
    assert said <= codes()


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("name_twice", "Two players need two names."),
        ("too_many", "At most 4 play."),
        ("no_such_reason", "That does not go together."),
    ],
)
def test_what_the_store_refuses_is_said_and_the_page_goes_on(
    visit: Visit, reason: str, said: str
) -> None:
    def refuse(act: Act) -> None:
        raise StoreError("bad_players", reason=reason, most=4)

    answer(visit, refuse, Act("add"))
    assert visit.notice == said
    with pytest.raises(RuntimeError):
        answer(visit, failing, Act("add"))


def failing(act: Act) -> None:
    raise RuntimeError(act.do)
