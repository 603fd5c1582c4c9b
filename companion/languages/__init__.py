"""Every sentence that people read, found by its code, in any language that has a catalogue.

How the catalogues are laid out, and how to add a language, tells ``docs/languages.md``.
"""

from __future__ import annotations

from companion.languages.filling import filled
from companion.languages.language import (
    CATALOGUES,
    Language,
    language_of_locale,
    preferred_language,
)
from companion.languages.words import REGISTERED, Words, register

__all__ = [
    "Language",
    "Words",
    "codes",
    "language_of_locale",
    "preferred_language",
    "register",
    "say",
    "translate",
]


def say(code: str, language: Language, /, **values: object) -> str:
    """The sentence for a code, its {fields} filled from ``values``. KeyError if there is none.

    Numbers and dates are written as the language does; ``count`` chooses singular or plural.
    """
    if code in REGISTERED:
        return filled(REGISTERED[code].text(language), language, values)
    return CATALOGUES.say(code, language, values)


def translate(text: str, language: Language, domain: str) -> str:
    """The translation of an English text without a code; the text itself if there is none."""
    return CATALOGUES.translate(text, language, domain)


def codes() -> frozenset[str]:
    """The codes of all texts."""
    return frozenset(CATALOGUES.messages) | frozenset(REGISTERED)
