"""A reading beside its truth: which dominoes are right, missed, invented, and what was flagged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from vision.photo import PhotoError
from vision.pip_dominoes.evaluate.ground_truth import LabelledPhoto
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import HandReading
from vision.pip_dominoes.tiles import parse_tile

__all__ = ["PhotoResult", "read_photo"]


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """How a photograph was read; ``reading`` is None where it was refused, with ``error``.

    ``right`` dominoes were read as they are; ``missing`` and ``extra`` are in the truth or in the
    reading only. A domino read wrong is one of each.
    """

    photo: LabelledPhoto
    reading: HandReading | None
    error: str
    right: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether every domino is right, and nothing else was read; none is there to be refused."""
        read = self.reading is not None or not self.photo.tiles
        return read and not self.missing and not self.extra

    @property
    def silent(self) -> bool:
        """Whether the sum is wrong and nothing is flagged."""
        reading = self.reading
        return reading is not None and reading.sum != self.photo.pips and not reading.doubtful

    @property
    def silent_tiles(self) -> bool:
        """Whether a domino is wrong and nothing is flagged, right sum or not."""
        return self.reading is not None and not self.exact and not self.reading.doubtful

    @property
    def flags(self) -> int:
        """How many dominoes are flagged."""
        return len(self.reading.to_check) if self.reading else 0


def read_photo(photo: LabelledPhoto, reader: Reader, *, set_given: bool = False) -> PhotoResult:
    """Read a photograph and compare; with ``set_given`` the reader is told the set."""
    truth = Counter(f"{a}|{b}" for a, b in photo.tiles)
    highest = photo.set if set_given and photo.set else None
    try:
        reading = reader.read(photo.path, highest)
    except PhotoError as error:
        return PhotoResult(photo, None, error.code, 0, tuple(truth.elements()), ())
    read = Counter(reading.tiles)
    missing, extra = truth - read, read - truth
    return PhotoResult(
        photo, reading, "", (truth & read).total(),
        tuple(sorted(missing.elements(), key=parse_tile)),
        tuple(sorted(extra.elements(), key=parse_tile)),
    )  # fmt: skip
