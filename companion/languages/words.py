"""Texts given as a table in code, for parts whose catalogue is not yet written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Words"]


@dataclass(frozen=True)
class Words:
    """One text in English and German, with the same {fields} in each."""

    english: str
    german: str

    def text(self, language: str) -> str:
        return self.german if language == "de" else self.english


REGISTERED: dict[str, Words] = {}


def register(words: Mapping[str, Words]) -> None:
    """Let ``say`` find the codes of a table. ValueError for a code with another text before."""
    other = [code for code in words if REGISTERED.get(code, words[code]) != words[code]]
    if other:
        raise ValueError(f"codes defined twice: {sorted(other)}")
    REGISTERED.update(words)
