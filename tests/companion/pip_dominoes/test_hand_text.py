from __future__ import annotations

import re
from pathlib import Path

from companion.games.pip_dominoes.reading_text import hand_lines
from companion.languages import Language
from companion.languages import codes as known_codes
from tests.companion.pip_dominoes.hands import hand_of

ROOT = Path(__file__).parents[3]


def test_a_hand_with_nothing_to_check() -> None:
    assert list(hand_lines(hand_of("10|11 3|12"), Language.ENGLISH)) == [
        "2 dominoes: 10|11 3|12",
        "Sum: 36 pips (double-12 set)",
        "Nothing to check.",
        "Read in 0.51 s.",
    ]


def test_doubts_the_double_blank_and_warnings() -> None:
    reading = hand_of(
        "10|11 0|0 1|0", {"0|0": "", "1|0": "2|0"}, warnings=("unread",), reasons=("closer",)
    )
    assert list(hand_lines(reading, Language.ENGLISH)) == [
        "3 dominoes: 10|11 0|0? 1|0?",
        "Sum: 22 pips (double-12 set), please check first",
        "With 50 for the double blank: 72 points at Chickenfoot and Mexican Train",
        "Please check:",
        "  0|0 (61 %): it is too small in the photo",
        "  1|0 (61 %), or else 2|0: it is too small in the photo",
        "  something looks like a domino and was not read",
        "Read in 0.51 s.",
    ]


def test_a_set_that_was_inferred_is_told_and_is_nothing_to_check() -> None:
    reading = hand_of("10|11", warnings=("set_inferred",))
    assert list(hand_lines(reading, Language.ENGLISH))[2:4] == [
        "The set was taken to be double-12; say so with --set if it is another.",
        "Nothing to check.",
    ]


def test_a_single_domino_in_german() -> None:
    assert list(hand_lines(hand_of("0|1"), Language.GERMAN))[:2] == [
        "1 Dominostein: 0|1",
        "Summe: 1 Auge (Doppel-12-Satz)",
    ]


def test_every_warning_and_reason_of_the_reader_has_its_words() -> None:
    source = ROOT / "vision" / "pip_dominoes"
    for file, kind in (("result.py", "warning"),):
        if (source / file).is_file():
            text = (source / file).read_text(encoding="utf-8")
            codes = re.findall(r'"(\w+)"', text.partition("WARNINGS = (")[2].partition(")")[0])
            assert codes
            assert {f"count.{kind}.{code}" for code in codes} <= known_codes()
    known = {code.rpartition(".")[2] for code in known_codes() if code.startswith("count.reason.")}
    assert {"closer", "cut_off", "double_blank", "twice", "witnesses"} <= known
