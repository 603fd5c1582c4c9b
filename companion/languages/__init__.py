"""Every sentence that people read, in English and German, found by its code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from companion.languages import (
    command_words,
    domino_page_words,
    domino_words,
    page_words,
    photo_words,
    problem_words,
    score_words,
)
from companion.languages.words import Language, Words

__all__ = ["TABLE", "Language", "Words", "language_of_locale", "preferred_language", "say"]


def _joined(*parts: Mapping[str, Words]) -> Mapping[str, Words]:
    """All parts as one table; a code that two parts define is a mistake."""
    table: dict[str, Words] = {}
    for part in parts:
        twice = table.keys() & part.keys()
        if twice:
            raise ValueError(f"codes defined twice: {sorted(twice)}")
        table.update(part)
    return MappingProxyType(table)


TABLE = _joined(
    command_words.WORDS,
    domino_page_words.WORDS,
    domino_words.WORDS,
    page_words.WORDS,
    photo_words.WORDS,
    problem_words.WORDS,
    score_words.WORDS,
)


def say(code: str, language: Language, /, **values: object) -> str:
    """The sentence for a code, its {fields} filled from ``values``. KeyError if there is none."""
    return TABLE[code].text(language).format(**values)


def language_of_locale(locale: str | None) -> Language:
    """German for "de", "de-DE", "de_AT.UTF-8" …, English for everything else."""
    letters = re.match(r"[a-z]+", (locale or "").lower())
    return Language.GERMAN if letters and letters[0] == "de" else Language.ENGLISH


def preferred_language(environment: Mapping[str, str]) -> Language:
    """The language that the environment asks for: the first set of LC_ALL, LC_MESSAGES, LANG."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return language_of_locale(environment[name])
    return Language.ENGLISH
