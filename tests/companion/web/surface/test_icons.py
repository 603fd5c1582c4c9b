from __future__ import annotations

from xml.etree import ElementTree

import pytest

from companion.web.shell.markup import ICONS, icon


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_a_drawing_hidden_from_screen_readers(name: str) -> None:
    drawn = ElementTree.fromstring(icon(name))
    assert drawn.get("aria-hidden") == "true"
    assert len(drawn) > 0
