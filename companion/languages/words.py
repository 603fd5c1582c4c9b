"""A text in the languages of the app."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Language", "Words"]


class Language(StrEnum):
    """A language that the app speaks; the value is its ISO 639-1 code."""

    ENGLISH = "en"
    GERMAN = "de"


@dataclass(frozen=True)
class Words:
    """One text in all languages, with the same {fields} in each."""

    english: str
    german: str

    def text(self, language: Language) -> str:
        return self.german if language is Language.GERMAN else self.english
