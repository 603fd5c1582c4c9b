"""A file of results, a line of JSON for each photo, with which an interrupted run goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["ResultsFile", "ResultsFileError"]


class ResultsFileError(ValueError):
    """A line that is no result, so that a file of something else is never written into."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__(f"{path}, line {line}: no result")
        self.path = path
        self.line = line


class ResultsFile:
    """Results that are on disk as soon as they are added.

    On opening, photos that were read are kept (``done`` has their names). Those that were
    refused are dropped, so that they are tried again, and so is a last line that an
    interruption cut in two. ``read_key`` is the field that only a photo has that was read.
    Raises ``ResultsFileError`` for a file of something else, results of another game included.
    """

    def __init__(self, path: Path, read_key: str) -> None:
        self.path = path
        kept = _kept_lines(path, read_key)
        self.done: frozenset[str] = frozenset(kept)
        text = "".join(f"{line}\n" for line in kept.values())
        if path.exists() and path.read_text(encoding="utf-8", errors="replace") != text:
            unfinished = path.with_name(f".{path.name}-{os.getpid()}")
            unfinished.write_text(text, encoding="utf-8")
            unfinished.replace(path)
        self._file = path.open("a", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, record: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()


def _kept_lines(path: Path, read_key: str) -> dict[str, str]:
    """Lines of photos that were read, by the name of the photo."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = text.split("\n")
    torn = lines.pop()
    kept = {}
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            photo = record["photo"]
            was_read = read_key in record
            is_result = was_read or "error" in record
        except (ValueError, KeyError, TypeError):
            raise ResultsFileError(path, number) from None
        if not is_result:
            raise ResultsFileError(path, number)
        if was_read:
            kept[photo] = line
    if torn and not lines and not torn.startswith('{"photo"'):
        raise ResultsFileError(path, 1)
    return kept
