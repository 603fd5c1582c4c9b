"""Every sentence that people read, found by its code, in any language that has a catalogue.

``docs/languages.md`` says how the catalogues are laid out, and how to add a language.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.languages.language import (
    CATALOGUES,
    Language,
    language_of_locale,
    preferred_language,
)

__all__ = [
    "Language",
    "codes",
    "language_of_locale",
    "listed",
    "preferred_language",
    "say",
    "translate",
]


def say(code: str, language: Language, /, **values: object) -> str:
    """The sentence for a code, its {fields} filled from ``values``. KeyError if there is none.

    Numbers and dates are written as the language does; ``count`` chooses singular or plural.
    """
    return CATALOGUES.say(code, language, values)


def listed(names: Iterable[object], language: Language) -> str:
    """Names in a sentence: "Anna, Ben and Cleo"; "" for none."""
    *before, last = [*map(str, names)] or [""]
    return say("list.and", language, before=", ".join(before), last=last) if before else last


def translate(text: str, language: Language, domain: str) -> str:
    """The translation of an English text without a code; the text itself if there is none."""
    return CATALOGUES.translate(text, language, domain)


def codes() -> frozenset[str]:
    """The codes of all texts."""
    return frozenset(CATALOGUES.messages)
