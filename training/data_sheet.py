"""What is in a data folder, and what is wrong with it, row by row."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from training.common.markdown import markdown
from vision.kingdomino.result import LABELS
from vision.pip_dominoes.result import parse_tile

TABLES = ("labels.csv", "photos.csv", "tiles.csv")
# Columns that group near-copies, which are held out together, in order of preference.
GROUPS = ("scene", "kingdom_group", "session", "group", "source")
DOUBTS = ("note", "label_from", "doubt")
# Two pictures are near-copies whose hashes of 256 bits differ in no more than so many. Single
# squares of one print look alike: in the data folder those of different sessions differ in 13 bits
# at least, whole boards and photographs of different groups in 77, copies of one group in 10 to 27.
NEAR_BITS, NEAR_BITS_LARGE = 12, 32
LARGE_PX = 200
HASH_SIDE = 16
PARTS = 3
MOST_SHOWN, MOST_COUNTED = 40, 6


def _square(text: str) -> None:
    if text not in LABELS:
        raise ValueError(f"expected one of {' '.join(LABELS)}")


LABEL_COLUMNS: dict[str, Callable[[str], object]] = {
    "label": _square,
    "kingdom": lambda text: Kingdom.parse(text) if text.strip() else None,
    "tiles": lambda text: [parse_tile(tile) for tile in text.split()],
    "tile": lambda text: [parse_tile(tile) for tile in text.split()],
}
"""What a label of each column must be; each raises ValueError for another."""


@dataclass(frozen=True)
class Row:
    """A labelled picture: its table, from the data folder on, and what that says of it.

    ``where`` is the table with the line, ``column`` that of the label.
    """

    table: str
    where: str
    picture: Path
    column: str
    label: str
    group: str
    source: str
    licence: str
    doubt: str


@dataclass(frozen=True)
class Fault:
    """What is wrong with the row at a table and line; a near-copy only flatters a judgement."""

    where: str
    text: str
    near_copy: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


def read_rows(folder: Path) -> Iterator[Row]:
    """The rows of all tables of labels in a folder and those below it.

    ValueError for a table without a column of files or labels.
    """
    for table in sorted(path for name in TABLES for path in folder.rglob(name)):
        with table.open(newline="", encoding="utf-8") as lines:
            reader = csv.DictReader(lines)
            columns = reader.fieldnames or []
            label = next((c for c in LABEL_COLUMNS if c in columns), None)
            if label is None or "file" not in columns:
                raise ValueError(f"{table}: expected columns file and one of "
                                 f"{', '.join(LABEL_COLUMNS)}, got {columns}")  # fmt: skip
            # Pictures of tiles.csv lie in tiles, those of labels.csv beside it.
            beside, name = table.with_suffix(""), table.relative_to(folder).as_posix()
            base = beside if beside.is_dir() else table.parent
            group = next((c for c in GROUPS if c in columns), "")
            doubt = next((c for c in DOUBTS if c in columns), "")
            for row in reader:
                said = (row.get(column) or "" for column in ("source", "licence", doubt))
                seen = f"{name}:{reader.line_num}", base / row["file"], label, row[label]
                yield Row(name, *seen, row.get(group) or "all", *said)


def faults_of(rows: Sequence[Row]) -> list[Fault]:
    """Everything that is wrong, in the order of the rows.

    Missing and unreadable pictures, unknown labels, one picture in two groups or with two labels,
    and near-copies in different groups, which a split by groups would put on both sides.
    """
    found, hashed = list[Fault](), list[tuple[Row, Hash]]()
    first_of: dict[bytes, Row] = {}
    for row in rows:
        try:
            LABEL_COLUMNS[row.column](row.label)
        except ValueError as error:
            found.append(Fault(row.where, f"unknown label {row.label!r}: {error}"))
        if not row.picture.is_file():
            found.append(Fault(row.where, f"no picture {row.picture.name}"))
            continue
        content = row.picture.read_bytes()
        if (hash_ := picture_hash(content)) is not None:
            hashed.append((row, hash_))
        else:
            found.append(Fault(row.where, f"{row.picture.name} is no picture"))
        first = first_of.setdefault(hashlib.sha256(content).digest(), row)
        told = f"the same picture as {first.where}"
        if (row.column, row.label) != (first.column, first.label):
            found.append(Fault(row.where, f"{told}, with another label"))
        elif (row.table, row.group) != (first.table, first.group):
            found.append(Fault(row.where, f"{told}, in another group"))
    found += near_copies(hashed)
    order = {row.where: k for k, row in enumerate(rows)}
    return sorted(found, key=lambda fault: order[fault.where])


Hash = tuple[NDArray[np.uint64], int]


def picture_hash(content: bytes) -> Hash | None:
    """Of 16 × 16 spots whether each is brighter than its right neighbour, as bits (4,), and how
    many of them may differ in a near-copy; None for bytes that are no picture.
    """
    grey = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_REDUCED_GRAYSCALE_2)
    if grey is None:
        return None
    small = cv2.resize(grey, (HASH_SIDE + 1, HASH_SIDE), interpolation=cv2.INTER_AREA)
    bits = np.packbits(small[:, :-1] > small[:, 1:])
    large = 2 * min(grey.shape) >= LARGE_PX
    return bits.view(np.uint64), NEAR_BITS_LARGE if large else NEAR_BITS


def near_copies(hashed: Iterable[tuple[Row, Hash]]) -> Iterator[Fault]:
    """Rows whose pictures look like one of another group of the same table, each once."""
    for _, some in groupby(hashed, key=lambda each: each[0].table):
        rows, hashes = zip(*some, strict=True)
        bits, allowed = (np.array(each) for each in zip(*hashes, strict=True))
        groups = np.unique([row.group for row in rows], return_inverse=True)[1]
        for k in range(1, len(rows)):
            off = np.bitwise_count(bits[:k] ^ bits[k]).sum(1)
            near = (off <= np.minimum(allowed[:k], allowed[k])) & (groups[:k] != groups[k])
            if near.any():
                told = f"nearly the same picture as {rows[np.where(near, off, 999).argmin()].where}"
                yield Fault(rows[k].where, f"{told}, in another group", near_copy=True)


def sheet_of(rows: Iterable[Row], faults: Iterable[Fault]) -> str:
    """The data sheet as Markdown."""
    shown, tables = [], []
    for table, (*some,) in groupby(rows, key=lambda row: row.table):
        groups = Counter(r.group for r in some)
        sources, licences = _counted(r.source for r in some), _counted(r.licence for r in some)
        doubts = sum(bool(r.doubt) for r in some)
        shown.append((table, len(some), len(groups), sources, licences, doubts))
        named = (row.label.replace("/", " ").split() or ["nothing"] for row in some)
        labels = Counter(chain.from_iterable(named))
        sizes = sorted(groups.values(), reverse=True)
        left_out = ", ".join(str(sum(sizes[k::PARTS])) for k in range(PARTS))
        tables += [
            f"## {table}",
            f"Labels: {_shown(labels)}.",
            f"Groups, by their pictures: {_shown(groups)}.",
            f"Pictures of the parts that are held out: {left_out}.",
        ]
    head = ("table", "pictures", "groups", "sources", "licences", "doubts noted")
    wrong = "\n".join(f"- {fault}" for fault in faults) or "Nothing."
    text = ["# Data sheet", markdown(head, shown).rstrip(), *tables, "## What is wrong", wrong]
    return "\n\n".join(text) + "\n"


def _shown(counts: Counter[str]) -> str:
    more = f", and {len(counts) - MOST_SHOWN} more" if len(counts) > MOST_SHOWN else ""
    return ", ".join(f"{name} {n}" for name, n in counts.most_common(MOST_SHOWN)) + more


def _counted(values: Iterable[str]) -> str:
    counts = Counter(value for value in values if value)
    return ", ".join(f"{name} ({n})" for name, n in counts.most_common(MOST_COUNTED)) or "–"
