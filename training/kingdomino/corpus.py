"""Labelled folders of real pictures: squares, dominoes, tables and whole kingdoms."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Kingdom

Image = NDArray[np.uint8]

# The share of the height of a domino photograph that shows the table at each edge.
PHOTO_BORDER = 0.03
HERE = Path(__file__).parent
# The scans of dominoes 19 and 20 are filed under each other's number: 19.jpg shows a mill beside
# a lake, 20.jpg one beside a forest. The photographs of both are right.
SWAPPED = {("scan", "19"): "20", ("scan", "20"): "19"}


def read_rgb(path: Path) -> Image:
    """An upright RGB picture (h, w, 3) uint8; OSError where the file is no picture."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise OSError(f"no picture could be read from {path}")
    return np.asarray(picture, dtype=np.uint8)


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table; none where a data folder has no such table."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


@dataclass(frozen=True)
class SquarePicture:
    """One photographed square: its label in notation and the session it was taken in."""

    path: Path
    label: str
    session: str


@dataclass(frozen=True)
class BoardPicture:
    """One picture with a kingdom; pictures of one ``group`` are near-duplicates."""

    path: Path
    kingdom: str
    group: str

    @property
    def session(self) -> str:
        """The group as one of the sessions that can be held out."""
        return f"{self.path.parent.name} {self.group}"


@dataclass(frozen=True)
class Corpus:
    """The data folder: ``dominoes``, ``squares``, ``squares_scan``, ``boards``, ``photos``, …"""

    folder: Path

    @cached_property
    def dominoes(self) -> dict[str, tuple[str, str]]:
        """The labels (left, right) of the 48 dominoes by number."""
        return {str(d.number): (str(d.left), str(d.right)) for d in BASE_DOMINOES}

    def domino_pictures(self, kind: str) -> dict[str, Image]:
        """Pictures of the dominoes by number, sides 2 to 1; ``kind`` is "scan" or "photo"."""
        pictures = {}
        for number in self.dominoes:
            filed = SWAPPED.get((kind, number), number)
            path = self.folder / "dominoes" / kind / f"{int(filed):02d}.jpg"
            if not path.exists():
                continue
            picture = read_rgb(path)
            if kind == "photo":
                dy = round(picture.shape[0] * PHOTO_BORDER)
                dx = round(picture.shape[1] * PHOTO_BORDER / 2)
                picture = picture[dy:-dy, dx:-dx]
            pictures[number] = picture
        return pictures

    def start_tiles(self) -> list[tuple[str, Image]]:
        """The colour and the picture of every start tile."""
        letters = {"B": "blue", "G": "green", "R": "pink", "Y": "yellow"}
        tiles = []
        for path in sorted((self.folder / "dominoes" / "start").glob("*.jpg")):
            name = path.stem.split("-")[1]
            tiles.append((letters.get(name, name), read_rgb(path)))
        return tiles

    def squares(self) -> list[SquarePicture]:
        """Photographed single squares with their sessions; a castle of known colour is "c:blue".

        Folders in ``squares`` with a table of their own, as people export their corrections, are
        more of them.
        """
        colours = noted_castle_colours()
        return [
            SquarePicture(
                table.parent / row["file"],
                f"c:{colours[row['file']]}" if row["file"] in colours else row["label"],
                row["session"],
            )
            for table in sorted((self.folder / "squares").rglob("labels.csv"))
            for row in _rows(table)
        ]

    def foreign_squares(self) -> list[Image]:
        """Squares of another game, cut from photographs of it."""
        folder = self.folder / "not_kingdomino"
        return [
            read_rgb(folder / row["file"])[
                int(row["top"]) : int(row["bottom"]), int(row["left"]) : int(row["right"])
            ]
            for row in _rows(HERE / "foreign_squares.csv")
            if (folder / row["file"]).exists()
        ]

    def scanned_squares(self) -> list[SquarePicture]:
        """Flatbed scans of single squares from another print run, all in one session."""
        folder = self.folder / "squares_scan"
        return [
            SquarePicture(folder / row["file"], row["label"], "scan")
            for row in _rows(folder / "labels.csv")
        ]

    def board_squares(self) -> list[tuple[Image, str, str]]:
        """Picture, label and session of every cell of the rectified boards, empty ones too.

        Castle colours are not labelled there.
        """
        squares = []
        for board in self.boards():
            picture = read_rgb(board.path)
            rows = [line.split() for line in board.kingdom.split("/")]
            height, width = picture.shape[0] / len(rows), picture.shape[1] / len(rows[0])
            for r, row in enumerate(rows):
                for c, label in enumerate(row):
                    area = picture[
                        round(r * height) : round((r + 1) * height),
                        round(c * width) : round((c + 1) * width),
                    ]
                    squares.append((area, label, board.session))
        return squares

    def boards(self) -> list[BoardPicture]:
        """Rectified 5x5 kingdoms, grouped by kingdom."""
        folder = self.folder / "boards"
        return [
            BoardPicture(folder / row["file"], row["kingdom"], row["kingdom_group"])
            for row in _rows(folder / "labels.csv")
        ]

    def photos(self) -> list[BoardPicture]:
        """Whole photographs, grouped by scene."""
        folder = self.folder / "photos"
        return [
            BoardPicture(folder / row["file"], row["kingdom"], row["scene"])
            for row in _rows(folder / "labels.csv")
        ]

    def photo_lattices(self) -> dict[str, list[tuple[str, NDArray[np.float64]]]]:
        """For each photograph the labels "grid" or "?", each with corners (4, 2) in pixels."""
        lattices: dict[str, list[tuple[str, NDArray[np.float64]]]] = {}
        for row in _rows(HERE / "photo_lattices.csv"):
            corners = np.array([[float(row[f"{axis}{k}"]) for axis in "xy"] for k in range(1, 5)])
            lattices.setdefault(row["file"], []).append((row["label"], corners))
        return lattices

    def backgrounds(self) -> list[Path]:
        """Pictures of tables, floors and cloths without any square."""
        return sorted((self.folder / "backgrounds").glob("*.jpg"))


@cache
def noted_castle_colours() -> dict[str, str]:
    """The colours of photographed castles by file in ``squares``, annotated by eye."""
    return {row["file"]: row["colour"] for row in _rows(HERE / "castle_colours.csv")}


def sessions_of_fold(folder: Path, fold: str | None) -> frozenset[str]:
    """The sessions that an option "FOLD/FOLDS" holds out, none without it; ValueError for another.

    See ``held_out_sessions``.
    """
    return held_out_sessions(folder, *map(int, fold.split("/"))) if fold else frozenset()


def held_out_sessions(folder: Path, fold: int, folds: int) -> frozenset[str]:
    """The sessions of part ``fold`` (0 to ``folds`` - 1), balanced by their number of pictures.

    The boards of one kingdom are a session too, called "boards GROUP", and so are the photographs
    of one scene, "photos SCENE"; each kind is split separately.
    """
    corpus = Corpus(folder)
    kinds = (
        [square.session for square in corpus.squares()],
        [board.session for board in corpus.boards()],
        [photo.session for photo in corpus.photos()],
    )
    held_out: set[str] = set()
    for sessions in kinds:
        sizes = Counter(sessions)
        order = sorted(sizes, key=lambda session: (-sizes[session], session))
        held_out.update(order[fold::folds])
    return frozenset(held_out)


# Columns that group near-duplicate pictures, in order of preference.
GROUP_COLUMNS = ("scene", "kingdom_group", "session")
PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".bmp"}


@dataclass(frozen=True)
class LabelledKingdom:
    """A photograph and its kingdom as seen in the picture, None if it shows none.

    ``castle_colour`` is empty if it is not annotated.
    """

    path: Path
    kingdom: Kingdom | None
    group: str
    castle_colour: str = ""

    @property
    def session(self) -> str:
        """The key that near-duplicates share, as in ``training.kingdomino.corpus``.

        Other crops of the same kingdoms lie in a folder with a longer name: "boards_loose".
        """
        return f"{self.path.parent.name.partition('_')[0]} {self.group}"


@dataclass(frozen=True)
class LabelledSquare:
    """A picture of one square and its label; ``castle_colour`` is empty if it is unknown."""

    path: Path
    label: str
    group: str
    castle_colour: str = ""

    @property
    def session(self) -> str:
        """The session that the square was photographed in."""
        return self.group


def read_labels(
    folder: Path, *, without_kingdom: bool = False
) -> Sequence[LabelledKingdom | LabelledSquare]:
    """Read ``folder/labels.csv``: kingdoms (column kingdom) or single squares (column label).

    The column castle_colour is optional. With ``without_kingdom`` no label file is needed: all
    pictures in the folder are taken to show no kingdom. FileNotFoundError without a label file,
    ValueError for one with neither column.
    """
    if without_kingdom:
        paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
        return [LabelledKingdom(path, None, "no kingdom") for path in paths]
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    columns = set(rows[0]) if rows else {"kingdom"}
    group = next((name for name in GROUP_COLUMNS if name in columns), None)
    if "kingdom" in columns:
        return [
            LabelledKingdom(
                folder / row["file"],
                Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None,
                row[group] if group else "all",
                row.get("castle_colour", ""),
            )
            for row in rows
        ]
    if "label" in columns:
        return [
            LabelledSquare(
                folder / row["file"],
                row["label"],
                row[group] if group else "all",
                row.get("castle_colour", ""),
            )
            for row in rows
        ]
    raise ValueError(f"{folder / 'labels.csv'}: expected a column kingdom or label, got {columns}")
