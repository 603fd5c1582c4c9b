"""Small runs of the measurements: visitors, memory, drawn pictures, reasons of mutants."""

from __future__ import annotations

import asyncio
import builtins
import math
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.app import table_of
from benchmarks.load import Evening, Plan, report, run_visitors
from benchmarks.memory import Curve, picture, table
from benchmarks.mirrored import Seen, make_row
from benchmarks.mutation.targets import given_reasons, reason_of
from benchmarks.peak_memory import peak_mb
from benchmarks.pip_drawn import drawn_hands
from benchmarks.serving import Use, served
from benchmarks.visitor import Visitor
from vision.kingdomino.warn import MirrorSettings

REPORT = """<testsuites><testsuite>
<testcase name="a"><properties>
<property name="one_photo" value="{'taps': 1, 'seconds': 2.5}"/>
</properties></testcase>
<testcase name="b"><properties><property name="unnamed" value="{'bytes': 9}"/></properties>
<failure message="no"/></testcase>
<testcase name="c"/>
</testsuite></testsuites>"""


def test_every_noted_figure_has_a_line_and_a_failure_is_told() -> None:
    lines = table_of(REPORT).splitlines()
    assert "| one photo of the table to the winner | taps 1, seconds 2.5 |" in lines
    assert "| unnamed (the story failed) | bytes 9 |" in lines
    assert len([line for line in lines if line.startswith("| ")]) == 4


@pytest.mark.slow
def test_two_visitors_get_what_is_theirs() -> None:
    with served(1) as place:
        plan = Plan(visitors=2, taps=1, pause_s=0, arrival_s=0)
        evening = asyncio.run(run_visitors(place, plan))
    assert evening.failures == []
    assert (evening.checked, evening.foreign) == (2, 0)
    assert len(evening.seconds["read a photo"]) == 2
    assert len(evening.readings) == 2
    (one,), (other,) = evening.readings.values()
    # Each has the kingdom of their own photo.
    assert one != other
    assert all("/" in kingdom for kingdom in (one, other))
    table = report(evening, plan, 1, None)
    assert "| read a photo | 2 |" in table
    assert "failures: 0" in table


def test_what_is_of_another_visitor_is_noticed() -> None:
    visitor = Visitor("http://127.0.0.1")
    own, other = "A" * 22, "b-_" + "B" * 19
    for game in (own, other):
        message = ForwardMsg()
        message.delta.new_element.markdown.body = f"?game={game}&seat=1"
        visitor._take(message, message.SerializeToString())
    assert visitor.games == {own, other}


def test_the_table_names_failures_and_the_share_of_each_visitor() -> None:
    evening = Evening(failures=["tapped: TimeoutError "], checked=1)
    for step in ("tap a square", "read a photo"):
        evening.seconds[step] += [0.5, 1.5, 0.25, 0.25]
    for number, step in enumerate(("started", "opened", "photographed", "tapped"), start=1):
        evening.uses[step] = Use(100.0 * number, 2.0 * number)
    table = report(evening, Plan(visitors=2), 1, 3.0)
    assert "| tap a square | 4 | 0.38 | 1.50 | 1.50 |" in table
    assert "| tapped | 400 | 150.0 | 2 |" in table
    assert "A tap with 0.0 times asking for changes takes 0.50 s of a core" in table
    assert "core, a photo 0.50 s." in table
    assert "- tapped: TimeoutError" in table
    assert re.search(r"own game came back: 1 of 2", table)
    evening.uses["opened"] = None
    assert "not measured" in report(evening, Plan(visitors=2), 1, None)


@pytest.mark.parametrize(
    ("text", "seconds"), [("0:07", 7), ("00:01:02", 62), ("1-00:00:01", 86401), ("0:01.50", 1.5)]
)
def test_durations_of_ps_are_read(text: str, seconds: float) -> None:
    from benchmarks.serving import _seconds

    assert _seconds(text) == seconds


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


SETTINGS = MirrorSettings(mirrored_from=9.0)


def test_a_line_counts_what_is_told_rightly_and_wrongly() -> None:
    seen = [
        Seen("a", True, 25, 20.0),
        Seen("a", False, 25, -19.0),
        Seen("b", True, 5, 8.9),
        Seen("b", False, 5, 9.0),
    ]
    assert make_row("photos", seen, SETTINGS) == (
        "photos", 2, 1, "8.9", "14.4", 2, 1, "9.0", "-5.0"
    )  # fmt: skip


def test_pictures_of_one_kind_alone_have_a_line() -> None:
    assert make_row("boards", [Seen("a", True, 25, 20.0)], SETTINGS)[5:] == (0, 0, "–", "–")


ROOT = Path(__file__).parents[2]


def test_every_change_with_a_reason_starts_from_a_line_that_is_there() -> None:
    for (module, change), reason in given_reasons().items():
        before, arrow, after = change.partition(" → ")
        assert arrow == " → ", change
        assert before != after, change
        assert reason, change
        code = " ".join((ROOT / module).read_text(encoding="utf-8").split())
        assert before in code, f"{module} has no longer: {before}"


@pytest.mark.parametrize(
    ("change", "excused"),
    [
        ("low = box.min(0).astype(int) → low = box.min(0)", True),
        ("low = np.asarray(box, np.uint8) → low = np.asarray(box, None)", True),
        ("for a, b in zip(x, y, strict=True) → for a, b in zip(x, y)", True),
        ("low = box.min(0).astype(int) → low = box.min(None).astype(int)", False),
        ("for a, b in zip(x, y, strict=True) → for a, b in zip(x, None, strict=True)", False),
    ],
)
def test_only_a_change_of_the_type_itself_is_excused_by_it(change: str, excused: bool) -> None:
    assert bool(reason_of("vision/none.py", change)) == excused


def test_a_reason_of_its_own_goes_before_that_of_its_kind() -> None:
    (module, change), reason = next(iter(given_reasons().items()))
    assert reason_of(module, change) == reason
    assert reason_of("scorer/none.py", change) == ""
    lengths = "zip(a, b, strict=True) → zip(a, b, strict=None)"
    assert re.search("lengths are equal", reason_of(module, lengths))


@pytest.mark.skipif(sys.platform == "win32", reason="told by Unix")
def test_the_peak_of_this_process_is_that_of_a_python() -> None:
    assert 5 < peak_mb() < 64_000


def test_nothing_is_told_where_the_system_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "resource":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert math.isnan(peak_mb())


def test_the_same_seed_draws_the_same_hands_and_sets_as_new_others(tmp_path: Path) -> None:
    one, other, plain = (
        list(drawn_hands(tmp_path, 2, 7, plain=plain)) for plain in (False, False, True)
    )
    assert one == other
    assert [jpeg for _, jpeg in one] != [jpeg for _, jpeg in plain]
    photos = [photo for photo, _ in one + plain]
    assert len(photos) == 4
    assert all(photo.tiles and photo.set in (6, 9, 12) for photo in photos)
    assert all(b <= photo.set for photo in photos for _, b in photo.tiles)
