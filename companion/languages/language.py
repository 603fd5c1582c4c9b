"""The languages that the companion speaks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

from companion.languages.catalogues import Catalogues

__all__ = ["CATALOGUES", "Language", "language_of_locale", "preferred_language"]

OWN_FOLDER = Path(__file__).with_name("locale")
FURTHER_FOLDER = "COMPANION_LOCALE"
"""Environment variable: a folder of further catalogues, to try a translation without installing."""


def _folders(environment: Mapping[str, str]) -> tuple[Path, ...]:
    further = environment.get(FURTHER_FOLDER)
    return (OWN_FOLDER, Path(further)) if further else (OWN_FOLDER,)


CATALOGUES = Catalogues(*_folders(os.environ))


class _Languages(type):
    def __iter__(cls) -> Iterator[Language]:
        """Every language that has catalogues."""
        return map(Language, CATALOGUES.languages)

    def __len__(cls) -> int:
        return len(CATALOGUES.languages)

    def __contains__(cls, code: object) -> bool:
        return code in CATALOGUES.languages


class Language(str, metaclass=_Languages):
    """The code of a language that the companion speaks: ISO 639-1, perhaps with a territory.

    There is one value for each language. ValueError for a language without catalogues.
    """

    __slots__ = ()
    ENGLISH: ClassVar[Language]
    GERMAN: ClassVar[Language]
    _known: ClassVar[dict[str, Language]] = {}

    def __new__(cls, code: str) -> Language:
        if code not in CATALOGUES.languages:
            expected = " ".join(CATALOGUES.languages)
            raise ValueError(f"language: expected one of {expected}, got {code!r}")
        return cls._known.setdefault(code, super().__new__(cls, code))

    @property
    def value(self) -> str:
        """The code as a plain text."""
        return str(self)


Language.ENGLISH = Language("en")
Language.GERMAN = Language("de")


def language_of_locale(locale: str | None) -> Language:
    """German for "de", "de-DE", "de_AT.UTF-8" …; English for a language without catalogues.

    A catalogue for a territory, such as ``pt_BR``, goes before that of the language.
    """
    found = re.match(r"([a-z]+)(?:[-_]([a-z]+))?", (locale or "").lower())
    if found is None:
        return Language.ENGLISH
    wanted, territory = found.groups()
    for code in (f"{wanted}_{(territory or '').upper()}", wanted):
        if code in CATALOGUES.languages:
            return Language(code)
    return Language.ENGLISH


def preferred_language(environment: Mapping[str, str]) -> Language:
    """The language that the environment asks for: the first set of LC_ALL, LC_MESSAGES, LANG."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return language_of_locale(environment[name])
    return Language.ENGLISH
