from __future__ import annotations

from xml.etree import ElementTree

from benchmarks.memory import Curve, picture, table


def test_a_flat_curve_and_one_that_grows() -> None:
    flat = Curve("photos", (20, 40, 60, 80, 100), (300, 500, 520, 510, 505), 40, 490, 12.0)
    assert flat.counted == [500, 520, 510, 505]
    assert flat.deviation < 0.03
    assert "flat within 10%" in table(flat, "command")
    assert "not flat" not in table(flat, "command")
    grown = Curve("visitors", (20, 40, 60, 80, 100), (300, 500, 600, 700, 800), 40, 490, 12.0)
    assert "not flat within 10%" in table(grown, "command")


def test_the_picture_is_whole_and_shows_every_point() -> None:
    curve = Curve("photos", (20, 40, 60), (300, 500, 520), 40, 490, 12.0)
    drawn = ElementTree.fromstring(picture(curve))
    (line,) = drawn.iter("{http://www.w3.org/2000/svg}polyline")
    assert len((line.get("points") or "").split()) == 3
