"""Two visitors without browsers on the real app."""

from __future__ import annotations

import asyncio
import re

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.load import Evening, Plan, report, run_visitors
from benchmarks.serving import Use, served
from benchmarks.visitor import Visitor


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
