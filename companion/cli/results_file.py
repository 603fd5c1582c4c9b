"""A file of results, a line of JSON for each photo, to resume an interrupted run."""

from __future__ import annotations

import json
import os
import shutil
import stat
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self


class ResultsFileError(ValueError):
    """The error for a file that can't be used for results, so that no other file is damaged.

    ``code`` is no_result (``line`` is something else, or of another game), in_use (by another
    process) or no_file (a folder, a pipe or a device).
    """

    def __init__(self, code: str, path: Path, line: int = 0) -> None:
        super().__init__(f"{path}, line {line}: {code}")
        self.code = code
        self.path = path
        self.line = line


class ResultsFile:
    """Results that are on disk, whole and for good, as soon as they are added.

    On opening, photos that were read are kept (``done`` has their names). Those that were
    refused are dropped, so that they are tried again, and so is a last line that an
    interruption cut in two. Links lead where they led, and the mode stays as it is. One process
    at a time may have the file open. ``read_key`` is the field, a list, that only a photo has
    that was read. Raises ``ResultsFileError``, and OSError where the file
    can't be written.
    """

    def __init__(self, path: Path, read_key: str) -> None:
        self.path = path
        real = Path(os.path.realpath(path))
        self._file = _locked(real, path)
        try:
            _unfinished(real).unlink(missing_ok=True)  # Of a process that was killed.
            kept, text = _kept_lines(self._file, path, read_key)
            self.done: frozenset[str] = frozenset(kept)
            wanted = "".join(f"{line}\n" for line in kept.values()).encode("utf-8", "surrogatepass")
            if text != wanted:
                self._tidy(real, text, wanted)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)

    def add(self, record: Mapping[str, Any]) -> None:
        """Append one result; OSError if it can't be written, and then no part of it is left."""
        line = (json.dumps(record) + "\n").encode()
        before = os.fstat(self._file).st_size
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except BaseException as error:
            os.ftruncate(self._file, before)
            if isinstance(error, OSError):
                error.filename = str(self.path)
            raise

    def _tidy(self, real: Path, text: bytes, wanted: bytes) -> None:
        """Drop unwanted lines, in such a way that a kill at any moment loses no result."""
        if os.name == "nt" or os.fstat(self._file).st_nlink > 1:
            # Another file can't take this one's place. Only what an interruption cut goes, and
            # refusals of before stay beside what becomes of the photo now.
            os.ftruncate(self._file, text.rfind(b"\n") + 1)
            return
        unfinished = _unfinished(real)
        try:
            with unfinished.open("xb") as file:
                file.write(wanted)
                file.flush()
                os.fsync(file.fileno())
            shutil.copymode(real, unfinished)
            # Locked before it has the name, so that no other process comes in between.
            replacement = _opened(unfinished)
            _lock(replacement)
            unfinished.replace(real)
        finally:
            unfinished.unlink(missing_ok=True)
        os.close(self._file)
        self._file = replacement


def _locked(real: Path, path: Path) -> int:
    """A locked descriptor of the file, which is created if it is missing."""
    while True:
        if os.path.lexists(real) and not stat.S_ISREG(os.stat(real).st_mode):
            raise ResultsFileError("no_file", path)
        descriptor = _opened(real)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise ResultsFileError("in_use", path) from error
        # Between opening and locking, another process may have put a tidied file in its place.
        try:
            if os.path.samestat(os.fstat(descriptor), os.stat(real)):
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)


def _unfinished(real: Path) -> Path:
    """Where a tidied file is written before it takes its place; only who has the lock does."""
    return real.with_name(f".{zlib.crc32(os.fsencode(real.name)):08x}.unfinished")


def _opened(real: Path) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(real, flags, 0o666)


def _lock(descriptor: int) -> None:
    """Lock the file for this process; OSError if another process has it."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        # A byte far behind the end, since Windows lets nobody else read what is locked.
        os.lseek(descriptor, 1 << 40, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _kept_lines(descriptor: int, path: Path, read_key: str) -> tuple[dict[str, str], bytes]:
    """The lines of photos that were read, by name of the photo, and the whole content."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", closefd=False) as file:
        data = file.read()
    lines = data.decode("utf-8", "replace").split("\n")
    torn = lines.pop()
    kept = {}
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("photo"), str):
            raise ResultsFileError("no_result", path, number)
        if isinstance(record.get(read_key), list):
            kept[record["photo"]] = line
        elif not isinstance(record.get("error"), dict):
            raise ResultsFileError("no_result", path, number)
    if torn and not lines and not torn.startswith('{"photo"'[: len(torn)]):
        raise ResultsFileError("no_result", path, 1)
    return kept, data
