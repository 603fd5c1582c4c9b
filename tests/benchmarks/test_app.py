from __future__ import annotations

from benchmarks.app import table_of

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
