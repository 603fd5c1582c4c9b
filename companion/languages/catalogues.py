"""The texts of the companion in gettext catalogues, found by their code and language.

A folder of catalogues holds a template ``DOMAIN.pot`` for each part of the companion and, for
each language, ``LANGUAGE/LC_MESSAGES/DOMAIN.po``. The context of a message is its code, its id the
English sentence, so English needs no catalogue of its own. The texts of a command line's help have
no code: the parser asks for them by the English sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.languages.filling import filled

__all__ = ["SOURCE_LANGUAGE", "Catalogues", "Message"]

SOURCE_LANGUAGE = "en"
"""The language of the message ids."""


class Message:
    """One text of a template: its domain, and its English singular and, if it has one, plural."""

    __slots__ = ("domain", "plural", "singular")

    def __init__(self, domain: str, ids: str | Sequence[str]) -> None:
        self.domain = domain
        self.singular = ids if isinstance(ids, str) else ids[0]
        self.plural = None if isinstance(ids, str) else ids[1]


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
            for message in _read(file):
                if message.context in found:
                    raise ValueError(f"code defined twice: {message.context} in {file.name}")
                if message.id and message.context:
                    found[message.context] = Message(file.stem, message.id)
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
                binary = BytesIO()
                write_mo(binary, _read(file, language))
                binary.seek(0)
                return GNUTranslations(binary)
        return NullTranslations()


def _read(file: Path, language: str | None = None) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened, locale=language, abort_invalid=True)
