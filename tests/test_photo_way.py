"""The picture of a photo's way holds the modules that are called, in order."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from benchmarks.photo_way import ROOT, draw, follow, stops_of
from scorer.kingdomino import Kingdom, score


def test_modules_in_the_order_of_their_first_call() -> None:
    kingdom = Kingdom.parse("c w1 w")
    called = follow(lambda: score(kingdom))
    assert called[0] == "tests/test_photo_way.py"
    stops = stops_of(called)
    assert [stop.path for stop in stops[:2]] == [
        "scorer/kingdomino/scoring.py",
        "scorer/kingdomino/kingdom.py",
    ]
    assert stops[0].summary == "The score of a kingdom by territories and bonuses."
    picture = ElementTree.fromstring(draw(stops))
    assert len(picture.findall(".//{*}rect")) == len(stops)


def test_the_drawn_way_leads_through_modules_that_are_there() -> None:
    picture = ElementTree.fromstring((ROOT / "docs" / "photo_way.svg").read_text(encoding="utf-8"))
    names = [name.text or "" for name in picture.findall(".//{*}text[@class='name']")]
    assert {Path(name).parts[0] for name in names} == {"vision", "scorer"}
    assert "vision/kingdomino/settling.py" in names
    assert all((ROOT / name).is_file() for name in names)
