"""Taps, seconds, milliseconds and bytes of the pages in a real browser.

    python -m benchmarks.app --out benchmarks/app.md

Runs the stories of `tests/browser` that measure something, and writes what they noted.
"""

from __future__ import annotations

import argparse
import ast
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.markdown_tables import provenance, show

STORIES = (
    "tests/browser/test_game_pages.py::test_the_first_page_is_light",
    "tests/browser/test_game_pages.py::test_one_photo_of_the_table_to_the_winner",
    "tests/browser/test_game_pages.py::test_four_photos_to_a_tie_and_its_winner",
    "tests/browser/test_game_pages.py::test_four_photos_and_names_of_earlier_games",
    "tests/browser/test_game_pages.py::test_a_dynasty_of_three_games",
    "tests/browser/test_game_pages.py::test_a_kingdom_by_hand_from_the_first_page",
    "tests/browser/test_photos.py::test_a_photo_is_scored_soon",
    "tests/browser/test_two_phones.py::test_each_sees_what_the_other_does",
    "tests/browser/test_board_page.py::test_a_kingdom_is_painted_in_forty_taps",
    "tests/browser/test_board_taps.py::test_a_tap_shows_at_once_and_costs_little",
    "tests/browser/test_board_taps.py::test_no_tap_hits_a_wrong_square",
    "tests/browser/test_camera.py::test_the_photo_is_taken_when_it_is_still_and_sharp",
)
NAMES = {
    "first_page": "the first page, nothing cached",
    "one_photo": "one photo of the table to the winner",
    "four_photos": "four photos picked at once to the winner",
    "four_photos_named": "the same, with names of earlier games",
    "dynasty": "a Dynasty of three games",
    "by_hand": "a full 5×5 by hand from the first page",
    "photo_to_points": "a photo of 12 megapixels to its points",
    "other_phone": "a change seen on another phone",
    "painting": "a full 5×5 by hand",
    "taps": "a tap on the board: milliseconds as median and worst of 25, bytes both ways",
    "wrong_squares": "25 squares tapped, the processor slowed four times",
    "live_camera": "the live camera takes its photo, the processor slowed four times",
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="write the table here too")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}", *STORIES]
        # Only this form of the report has the figures that a story notes.
        command += ["-o", "junit_family=xunit1"]
        code = subprocess.run(command, check=False).returncode
        text = table_of(report.read_text(encoding="utf-8"))
    show(text, options.out)
    return code


def table_of(report: str) -> str:
    """The table of a JUnit report whose stories noted figures as properties."""
    load = f"{os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else "unknown"
    lines = [
        f"# The pages in a browser, {provenance()}",
        "",
        f"`python -m benchmarks.app`, Chromium at 390×844, Python {platform.python_version()}; "
        f"load {load} on {os.cpu_count()} cores",
        "",
        "| story | figures |",
        "| --- | --- |",
    ]
    lines += [f"| {name} | {figures} |" for name, figures in _noted(report)]
    return "\n".join([*lines, ""])


def _noted(report: str) -> Iterator[tuple[str, str]]:
    for case in ElementTree.fromstring(report).iter("testcase"):
        for each in case.iter("property"):
            code = each.get("name") or ""
            figures = ast.literal_eval(each.get("value") or "{}")
            said = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())
            failed = " (the story failed)" if case.find("failure") is not None else ""
            yield NAMES.get(code, code) + failed, said


if __name__ == "__main__":
    sys.exit(main())
