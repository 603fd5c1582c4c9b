from __future__ import annotations

from benchmarks.mirrored import Seen, make_row
from vision.kingdomino.judge.mirrored import MirrorSettings

SETTINGS = MirrorSettings(told=9.0)


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
