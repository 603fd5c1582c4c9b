"""The languages that the companion speaks, their catalogues of texts by code, and how fields are
filled in.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import localcontext
from functools import cache, cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from babel.core import Locale

# Babel is imported where it is needed: a command that says a few English sentences starts faster.


MAX_DIGITS = 5_000
"""Of a number in a sentence; Python takes at most 4300 from a text. 28 are the habit of Babel."""


class _LocaleFormatter(Formatter):
    """Like ``str.format``, but for numbers, dates and times.

    A number takes ``.2f`` for its decimals, a date or time ``short``, ``medium`` or ``long``.
    """

    def __init__(self, language: str) -> None:
        self._language = language

    @cached_property
    def _locale(self) -> Locale:
        from babel.core import Locale, UnknownLocaleError

        try:
            return Locale.parse(self._language)
        except (UnknownLocaleError, ValueError):
            return Locale("en")

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, int) and not format_spec and 0 <= value < 1000:
            return str(value)  # The same in all languages: no sign, and no thousands to part.
        if isinstance(value, int | float):
            from babel.numbers import format_decimal

            pattern = None
            if format_spec.startswith(".") and format_spec.endswith("f"):
                pattern = f"#,##0.{'0' * int(format_spec[1:-1])}"
            if pattern or not format_spec:
                with localcontext(prec=MAX_DIGITS):
                    return str(format_decimal(value, format=pattern, locale=self._locale))
        if isinstance(value, datetime):
            from babel.dates import format_datetime

            return str(format_datetime(value, format_spec or "medium", locale=self._locale))
        if isinstance(value, date):
            from babel.dates import format_date

            return str(format_date(value, format_spec or "medium", locale=self._locale))
        return format(value, format_spec)


def filled(text: str, language: str, values: Mapping[str, object]) -> str:
    """The text with each {field} replaced. KeyError for a field without its value.

    ``language`` is its code, such as ``de`` or ``pt_BR``; numbers of a language that Babel doesn't
    know are written as in English.
    """
    return _LocaleFormatter(language).vformat(text, (), values)


SOURCE_LANGUAGE = "en"
"""The language of the message ids."""


class Message:
    """One text of a template: its domain, and its English singular and, if it has one, plural."""

    __slots__ = ("domain", "plural", "singular")

    def __init__(self, domain: str, ids: str | Sequence[str]) -> None:
        self.domain = domain
        self.singular = ids if isinstance(ids, str) else ids[0]
        self.plural = None if isinstance(ids, str) else ids[1]


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_CODED = re.compile(
    rf'^msgctxt "([^"]*)"\nmsgid ((?:{_QUOTED.pattern}\n)+)'
    rf"(?:msgid_plural ((?:{_QUOTED.pattern}\n)+))?",
    re.MULTILINE,
)


class Catalogues:
    """The templates and catalogues of one folder, and translations from further folders.

    ``folders[0]`` has the templates; a catalogue in a later folder adds a language or replaces
    the catalogue of the same name. Files are read when a text of theirs is first asked for.
    """

    def __init__(self, *folders: Path) -> None:
        self._folders = folders
        self._translation = cache(self._read_translation)

    @cached_property
    def messages(self) -> Mapping[str, Message]:
        """Every message of the templates by its code. ValueError for a code that is there twice."""
        found: dict[str, Message] = {}
        for file in sorted(self._folders[0].glob("*.pot")):
            # Their few forms are read here in a twentieth of the time that Babel takes.
            for code, *texts in _CODED.findall(file.read_text(encoding="utf-8")):
                if code in found:
                    raise ValueError(f"code defined twice: {code} in {file.name}")
                ids = ["".join(map(json.loads, _QUOTED.findall(text))) for text in texts if text]
                found[code] = Message(file.stem, ids if len(ids) > 1 else ids[0])
        return found

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages with at least one catalogue, and English."""
        found = {SOURCE_LANGUAGE}
        for folder in self._folders:
            found |= {file.parts[-3] for file in folder.glob("*/LC_MESSAGES/*.po")}
        return tuple(sorted(found))

    def say(self, code: str, language: str, values: Mapping[str, object]) -> str:
        """The sentence for a code, its {fields} filled from ``values`` as the language writes them.

        ``values["count"]`` chooses between singular and plural. English where the language has no
        translation. KeyError for an unknown code or a field without its value.
        """
        message = self.messages[code]
        translation = self._translation(language, message.domain)
        if message.plural is None:
            text = translation.pgettext(code, message.singular)
        else:
            count = values["count"]
            if not isinstance(count, int):
                raise TypeError(f"count: expected an int for {code}, got {count!r}")
            text = translation.npgettext(code, message.singular, message.plural, count)
        return filled(text, language, values)

    def translate(self, text: str, language: str, domain: str) -> str:
        """The translation of an English text that has no code; the text itself if there is none."""
        return self._translation(language, domain).gettext(text) if text else text

    def _read_translation(self, language: str, domain: str) -> NullTranslations:
        files = [
            folder / language / "LC_MESSAGES" / f"{domain}.po" for folder in reversed(self._folders)
        ]
        for file in files:
            if file.is_file():
                from babel.messages.mofile import write_mo
                from babel.messages.pofile import read_po

                binary = BytesIO()
                with file.open("rb") as opened:
                    write_mo(binary, read_po(opened, locale=language, abort_invalid=True))
                binary.seek(0)
                return GNUTranslations(binary)
        return NullTranslations()


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
