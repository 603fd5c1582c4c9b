"""Moves a table of ``Words`` into a template and the German catalogue.

``python -m companion.languages.convert companion.languages.page_words page`` adds the entries of
``WORDS`` in that module to ``page.pot`` and ``de/LC_MESSAGES/page.po``; a text that differs from
the one there replaces it and is named. The module can then be deleted.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from companion.languages.language import OWN_FOLDER
from companion.languages.words import Words

__all__ = ["convert"]

_HEADER = "# Texts of the companion. The context of a message is its code."
_DROPPED = re.compile(
    r'^"(Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|'
    r"Generated-By).*\n",
    re.MULTILINE,
)


def convert(words: Mapping[str, Words], domain: str, folder: Path = OWN_FOLDER) -> list[str]:
    """Write the texts into the folder's catalogues; the codes whose text was another before."""
    template = _opened(folder / f"{domain}.pot", None)
    german = _opened(folder / "de" / "LC_MESSAGES" / f"{domain}.po", "de")
    before = {message.context: message for message in template if message.id}
    replaced = []
    for code, text in words.items():
        old = before.get(code)
        if old is not None and old.id != text.english:
            replaced.append(code)
            template.delete(old.id, code)
            german.delete(old.id, code)
        template.add(text.english, context=code)
        german.delete(text.english, code)
        german.add(text.english, text.german, context=code)
    _save(template, folder / f"{domain}.pot")
    _save(german, folder / "de" / "LC_MESSAGES" / f"{domain}.po")
    return replaced


def _opened(file: Path, locale: str | None) -> Catalog:
    if file.is_file():
        with file.open("rb") as opened:
            return read_po(opened, locale=locale)
    return Catalog(locale=locale, project="companion", version="1", header_comment=_HEADER)


def _save(catalog: Catalog, file: Path) -> None:
    catalog.fuzzy = False
    written = BytesIO()
    write_po(written, catalog, width=100)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = _DROPPED.sub("", written.getvalue().decode("utf-8"))
    file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for changed in convert(importlib.import_module(sys.argv[1]).WORDS, sys.argv[2]):
        print(f"replaced: {changed}")
