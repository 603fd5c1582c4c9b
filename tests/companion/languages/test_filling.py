from __future__ import annotations

from datetime import date, datetime

import pytest

from companion.languages import Language, say
from companion.languages.language import filled


@pytest.mark.parametrize(
    ("text", "value", "english", "german"),
    [
        ("{x:.2f}", 1.336, "1.34", "1,34"),
        ("{x:.1f}", 2, "2.0", "2,0"),
        ("{x:.0f}", 1234.4, "1,234", "1.234"),
        ("{x}", 12345, "12,345", "12.345"),
        ("{x}", 0.5, "0.5", "0,5"),
        ("{x:d}", 12345, "12345", "12345"),
        ("{x}", True, "True", "True"),
        ("{x}", "1.5", "1.5", "1.5"),
        ("{x:>4}", "a", "   a", "   a"),
        ("{x:long}", date(2026, 3, 1), "March 1, 2026", "1. März 2026"),
        ("{x}", date(2026, 3, 1), "Mar 1, 2026", "01.03.2026"),
        ("{x:short}", datetime(2026, 3, 1, 18, 5), "3/1/26, 6:05\u202fPM", "01.03.26, 18:05"),
        ("{x}", None, "None", "None"),
    ],
)
def test_values_are_written_as_the_language_does(
    text: str, value: object, english: str, german: str
) -> None:
    assert filled(text, "en", {"x": value}) == english
    assert filled(text, "de", {"x": value}) == german


def test_a_field_without_its_value_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        filled("{there} and {missing}", "en", {"there": 1})


@pytest.mark.parametrize("language", ["qqq", "not a code", ""])
def test_a_language_without_known_numbers_writes_them_as_english_does(language: str) -> None:
    assert filled("{x:.1f}", language, {"x": 1.5}) == "1.5"


def test_seconds_in_german() -> None:
    assert say("read.seconds", Language.GERMAN, seconds=1.336) == "In 1,34 s gelesen."
