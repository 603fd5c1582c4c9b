"""Markup made from texts, and icons."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.shell.markup import ICONS, Markup, icon, joined, tag


class Seen(HTMLParser):
    """The tags and texts that a browser would make of markup."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(markup)
        self.close()

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(name)
        self.attributes += attributes

    def handle_data(self, data: str) -> None:
        self.text += data


def test_an_element_with_attributes() -> None:
    made = tag("button", "Anna", data_do="add", class_="main", disabled=False, hidden=True)
    assert made == '<button data-do="add" class="main" hidden>Anna</button>'


def test_markup_inside_stays_markup_and_none_is_left_out() -> None:
    assert tag("p", Markup("<b>1</b>"), None, 2) == "<p><b>1</b>2</p>"
    assert joined("<", Markup("<br>")) == "&lt;<br>"


def test_an_empty_element_has_no_end() -> None:
    assert tag("input", type="text") == '<input type="text">'


@given(st.text(), st.text())
def test_no_text_becomes_a_tag_or_an_attribute(text: str, value: str) -> None:
    seen = Seen(tag("p", text, title=value))
    assert seen.tags == ["p"]
    assert [name for name, _ in seen.attributes] == ["title"]


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_a_drawing_hidden_from_screen_readers(name: str) -> None:
    drawn = ElementTree.fromstring(icon(name))
    assert drawn.get("aria-hidden") == "true"
    assert len(drawn) > 0
