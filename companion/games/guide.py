"""How a game is set up and played, in words: the same sections on its page and in its command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.languages import Language, say


@dataclass(frozen=True, slots=True)
class Item:
    """One of several things that a section explains by their names, such as a quest."""

    key: str
    name: str
    rule: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the rules; ``key`` distinguishes it within its game."""

    key: str
    title: str
    lines: tuple[str, ...]
    items: tuple[Item, ...] = ()


def section(
    game: str, key: str, codes: Iterable[str], language: Language, /, **values: object
) -> Section:
    """The section of the sentences with these codes, which are those of the ``game``."""
    lines = tuple(say(f"guide.{game}.{code}", language, **values) for code in codes)
    return Section(key, say(f"guide.{key}", language), lines)


def text_of(sections: Iterable[Section]) -> Iterator[str]:
    """The lines of sections for a terminal, each section after an empty line."""
    for each in sections:
        yield ""
        yield each.title
        yield from (f"  {line}" for line in each.lines)
        yield from (f"  {item.name}: {item.rule}" for item in each.items)
