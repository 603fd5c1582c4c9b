from __future__ import annotations

from xml.etree import ElementTree

from companion.web.kingdomino.parts import kingdom_picture
from scorer.kingdomino import Kingdom, score

KINGDOM = Kingdom.parse("w1 w c/. f2! m")


def test_every_square_and_every_territory_with_points_is_drawn() -> None:
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, "Anna", score(KINGDOM)))
    assert drawn.get("aria-label") == "Anna"
    assert len([each for each in drawn if each.tag == "g"]) == 5
    assert [each.text for each in drawn if each.tag == "text"] == ["2", "1"]


def test_only_lit_squares_stay_bright() -> None:
    lit = {(0, 0), (0, 1)}
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, "Anna", score(KINGDOM), lit))
    assert len([each for each in drawn if each.get("class") == "dim"]) == 3
    assert [each.text for each in drawn if each.tag == "text"] == ["2"]


def test_a_name_stays_a_name() -> None:
    drawn = ElementTree.fromstring(kingdom_picture(KINGDOM, '"><script>'))
    assert drawn.get("aria-label") == '"><script>'
