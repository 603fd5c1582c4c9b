"""Fills the {fields} of a text, with numbers and dates as the language writes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from string import Formatter

from babel.core import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.numbers import format_decimal

__all__ = ["filled"]


class _LocaleFormatter(Formatter):
    """Like ``str.format``, but for numbers, dates and times.

    A number takes ``.2f`` for its decimals, a date or time ``short``, ``medium`` or ``long``.
    """

    def __init__(self, language: str) -> None:
        try:
            self._locale = Locale.parse(language)
        except (UnknownLocaleError, ValueError):
            self._locale = Locale("en")

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, bool):
            return str(value)
        if isinstance(value, int | float):
            if format_spec.startswith(".") and format_spec.endswith("f"):
                pattern = f"#,##0.{'0' * int(format_spec[1:-1])}"
                return str(format_decimal(value, format=pattern, locale=self._locale))
            if not format_spec:
                return str(format_decimal(value, locale=self._locale))
        if isinstance(value, datetime):
            return str(format_datetime(value, format_spec or "medium", locale=self._locale))
        if isinstance(value, date):
            return str(format_date(value, format_spec or "medium", locale=self._locale))
        return format(value, format_spec)


def filled(text: str, language: str, values: Mapping[str, object]) -> str:
    """The text with each {field} replaced. KeyError for a field without its value.

    ``language`` is its code, such as ``de`` or ``pt_BR``; numbers of a language that Babel doesn't
    know are written as in English.
    """
    return _LocaleFormatter(language).vformat(text, (), values)
