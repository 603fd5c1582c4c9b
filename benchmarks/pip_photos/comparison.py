"""Readings of dominoes beside their truth, and the tables of a measurement, failures included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.pip_dominoes.corpus import LabelledPhoto
from vision.photo import PhotoError
from vision.pip_dominoes.reader import Reader
from vision.pip_dominoes.result import HandReading, parse_tile

Image = NDArray[np.uint8]


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


def read_photo(
    photo: LabelledPhoto, reader: Reader, *, set_given: bool = False, rgb: Image | None = None
) -> PhotoResult:
    """Read a photograph and compare; with ``set_given`` the reader is given the set.

    ``rgb`` (h, w, 3) is a picture of the same table, read in its place.
    """
    truth = Counter(f"{a}|{b}" for a, b in photo.tiles)
    highest = photo.set if set_given and photo.set else None
    try:
        reading = reader.read(photo.path if rgb is None else rgb, highest)
    except PhotoError as error:
        return PhotoResult(photo, None, error.code, 0, tuple(truth.elements()), ())
    read = Counter(reading.tiles)
    missing, extra = truth - read, read - truth
    return PhotoResult(
        photo, reading, "", (truth & read).total(),
        tuple(sorted(missing.elements(), key=parse_tile)),
        tuple(sorted(extra.elements(), key=parse_tile)),
    )  # fmt: skip


THRESHOLDS = (0.5, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995)


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(str(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} = {100 * part / max(whole, 1):.1f} %"


def totals(results: Sequence[PhotoResult]) -> str:
    """What was right and what was flagged, over all photographs."""
    dominoes = sum(len(r.photo.tiles) for r in results)
    read = sum(r.right + len(r.extra) for r in results)
    exact = sum(r.exact for r in results)
    flags = [r.flags for r in results]
    rows = [
        ("photographs exact in every domino", _share(exact, len(results))),
        ("dominoes right, of those there", _share(sum(r.right for r in results), dominoes)),
        ("dominoes right, of those read", _share(sum(r.right for r in results), read)),
        ("photographs refused", sum(r.reading is None for r in results)),
        ("wrong sums with nothing flagged", sum(r.silent for r in results)),
        ("wrong dominoes with nothing flagged", sum(r.silent_tiles for r in results)),
        ("flagged dominoes a photograph, mean", f"{np.mean(flags):.2f}" if flags else "–"),
        ("flagged dominoes, right ones", _flagged_right(results)),
        ("exact photographs without any flag", _share(_clean(results), exact)),
    ]
    return markdown(("what", "measured"), rows)


def _clean(results: Sequence[PhotoResult]) -> int:
    return sum(r.exact and r.reading is not None and not r.reading.doubtful for r in results)


def _flagged_right(results: Sequence[PhotoResult]) -> int:
    return sum(
        domino.doubtful and domino.tile not in result.extra
        for result in results
        if result.reading
        for domino in result.reading.dominoes
    )


def by_group(results: Sequence[PhotoResult], key: Callable[[PhotoResult], str], name: str) -> str:
    """The same by source or scene."""
    groups: dict[str, list[PhotoResult]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    rows = []
    for group, mine in sorted(groups.items()):
        dominoes = sum(len(r.photo.tiles) for r in mine)
        rows.append(
            (
                group,
                f"{sum(r.exact for r in mine)}/{len(mine)}",
                f"{sum(r.right for r in mine)}/{dominoes}",
                sum(len(r.extra) for r in mine),
                sum(r.silent for r in mine),
                sum(r.silent_tiles for r in mine),
                f"{np.mean([r.flags for r in mine]):.2f}",
            )
        )
    head = (name, "photographs exact", "dominoes right", "read and not there",
            "wrong sums, no flag", "wrong dominoes, no flag", "flags a photograph")  # fmt: skip
    return markdown(head, rows)


def photo_table(results: Sequence[PhotoResult]) -> str:
    """Every photograph."""
    rows = []
    for r in results:
        reading = r.reading
        spent = " ".join(f"{1000 * s:.0f}" for s in reading.seconds.values()) if reading else ""
        rows.append(
            (
                r.photo.path.name,
                r.error or f"{r.right}/{len(r.photo.tiles)}",
                "yes" if r.exact else "**no**",
                f"{reading.sum}/{r.photo.pips}" if reading else "–",
                " ".join(r.missing),
                " ".join(r.extra),
                r.flags,
                " ".join(sorted({w for d in reading.dominoes for w in d.reasons}))
                if reading
                else "",
                " ".join(reading.warnings) if reading else "",
                reading.set if reading else "",
                spent,
            )
        )
    head = ("photo", "right", "exact", "sum read/true", "missed", "not there", "flags", "reasons",
            "warnings", "set", "ms decode locate recognise settle")  # fmt: skip
    text = markdown(head, rows)
    # A bar within a cell would end it.
    return "\n".join(
        line if set(line) <= set("|- ") else _with_bars(line) for line in text.split("\n")
    )


def _with_bars(line: str) -> str:
    """The row with the bars of dominoes, which have no blank beside them, as entities."""
    out = []
    for at, letter in enumerate(line):
        inner = letter == "|" and line[at - 1 : at].isdigit() and line[at + 1 : at + 2].isdigit()
        out.append("&#124;" if inner else letter)
    return "".join(out)


def thresholds(results: Sequence[PhotoResult]) -> str:
    """What a flag for every domino below a probability would flag, and which wrong ones miss."""
    rows = []
    pairs = [
        (domino.probability, domino.tile not in result.extra)
        for result in results
        if result.reading
        for domino in result.reading.dominoes
    ]
    for threshold in THRESHOLDS:
        below = sum(p < threshold for p, _ in pairs)
        missed = sum(p >= threshold and not right for p, right in pairs)
        rows.append((f"{threshold:g}", f"{below / max(len(results), 1):.2f}", missed))
    return markdown(("flagged below", "flags a photograph", "wrong, not flagged"), rows)


def worst(results: Sequence[PhotoResult], count: int = 10) -> list[PhotoResult]:
    """The ``count`` readings that went worst, worst first."""

    def badness(r: PhotoResult) -> tuple[int, ...]:
        return (int(r.silent_tiles), len(r.missing) + len(r.extra), r.flags)

    return sorted(results, key=badness, reverse=True)[:count]
