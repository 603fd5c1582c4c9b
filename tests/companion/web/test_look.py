"""Styles and words of the pages: letters that grow with the browser's, and words for people."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy.exc import OperationalError

from companion.languages import Language, say
from companion.languages.language import CATALOGUES
from companion.store import StoreError
from companion.web.home import home_markup
from companion.web.parts import answer, photo_refusal
from companion.web.shell import Act
from companion.web.shell.assets import FILES
from companion.web.visit import Visit
from tests.companion.web.kingdomino.conftest import visit as visit
from vision.photo.errors import PhotoError

_STYLES = sorted(name for name in FILES if name.endswith(".css"))
_DRAWN = re.compile(r"svg\.kingdom text|\.points text|\.worth \{")
"""Letters in a drawing, which are of its own units."""
_PX = re.compile(r"font(?:-size)?:[^;}]*\d px|font(?:-size)?:[^;}]*\dpx")


@pytest.mark.parametrize("name", _STYLES)
def test_letters_are_as_large_as_the_browser_is_told_to_make_them(name: str) -> None:
    lines = FILES[name].decode().splitlines()
    assert [line for line in lines if _PX.search(line) and not _DRAWN.search(line)] == []


def test_names_beside_hands_have_a_line_of_their_own_where_letters_are_large() -> None:
    """On a narrow screen buttons leave no room; how narrow is told in letters, not in pixels."""
    (style,) = (FILES[name].decode() for name in _STYLES if name.endswith("dominoes.css"))
    (width,) = re.findall(r"@media \(max-width: (\S+)\) \{\s+\.surface ul\.hands", style)
    assert width.endswith("em")


_OF_PAGES = ("page.", "home.", "history.", "rules.", "players.", "seat.", "result.", "refused.")
_FIELD = re.compile(r"\{(\w+)")


def _values(text: str) -> dict[str, object]:
    """Something for each field of a text."""
    values = dict.fromkeys(["count", *_FIELD.findall(text)], 1)
    return {**values, **({"month": date(2025, 3, 1)} if "month" in values else {})}


_TECHNICAL = re.compile(r"JSON|CSV|JPEG|PNG|HEIC|Pixel|pixel|Rechner|this computer|Server|server")


@pytest.mark.parametrize("language", list(Language))
def test_no_sentence_of_the_pages_speaks_of_files_and_machines(language: Language) -> None:
    said = {
        code: say(code, language, **_values(message.singular))
        for code, message in CATALOGUES.messages.items()
        if message.domain == "page" and code.startswith(_OF_PAGES)
    }
    assert len(said) > 90
    assert {code: text for code, text in said.items() if _TECHNICAL.search(text)} == {}


@pytest.mark.parametrize("code", ["not_a_picture", "unsupported_format", "too_complex", "crashed"])
def test_a_refused_photo_is_explained_without_formats(visit: Visit, code: str) -> None:
    error = PhotoError(code, format="GIF", reason="x", fault="y")
    assert not _TECHNICAL.search(photo_refusal(error, visit))


def test_the_first_page_names_the_game(visit: Visit) -> None:
    assert "Kingdomino</p>" in home_markup(visit)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.GERMAN, "Das ließ sich nicht speichern. Bitte gleich noch einmal versuchen."),
        (Language.ENGLISH, "This could not be saved. Please try again in a moment."),
    ],
)
def test_what_the_database_does_not_keep_is_said_and_logged(
    visit: Visit, caplog: pytest.LogCaptureFixture, language: Language, said: str
) -> None:
    def full(act: Act) -> None:
        raise OperationalError("insert", {}, Exception("database or disk is full"))

    visit = replace(visit, language=language)
    answer(visit, full, Act("out"))
    assert visit.notice == said
    assert caplog.records[-1].exc_info is not None


def test_a_refusal_goes_with_the_next_act_and_an_undo_stays(visit: Visit) -> None:
    def refused(act: Act) -> None:
        raise StoreError("bad_players", reason="name_twice")

    answer(visit, refused, Act("name"))
    assert visit.notice == visit.say("players.refused.name_twice")
    answer(visit, lambda act: None, Act("add"))
    assert visit.notice == ""
    visit.notify("done", lambda: None)
    answer(visit, lambda act: None, Act("add"))
    assert visit.notice == "done"
    visit.notify("no kingdom", lambda: None, "page.read_anyway")
    visit.drop_refusal()
    assert visit.notice == ""
    assert visit.undo is None
