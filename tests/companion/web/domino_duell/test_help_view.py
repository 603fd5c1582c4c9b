from __future__ import annotations

import pytest

from companion.languages import Language
from companion.web.domino_duell.players_view import _FOURTH, _TRIPLE, LINES, help_markup
from companion.web.game_pages import pages_of
from companion.web.visit import Visit
from scorer.domino_duell import completions


@pytest.mark.parametrize("language", list(Language))
def test_the_rules_in_short(visit: Visit, language: Language) -> None:
    visit.language = language
    page = help_markup(visit)
    assert page.count("<li>") == len(LINES)
    assert "duell_help" not in page
    assert "<svg" in page


def test_the_stones_of_the_picture_are_what_it_says() -> None:
    assert completions(_TRIPLE) == (_FOURTH,)


def test_the_page_is_registered() -> None:
    pages = pages_of("domino_duell")
    assert pages is not None
    assert pages.help is not None
    assert pages.card is not None
