"""Labelled folders of real pictures: squares, dominoes, tables and whole kingdoms."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import cv2
import numpy as np

from scorer.kingdomino import BASE_DOMINOES, Kingdom, Position
from training.common.arrays import Image, Matrix
from vision.common.geometry import Extent
from vision.kingdomino.result import EMPTY

# The share of the height of a domino photograph that shows the table at each edge.
PHOTO_BORDER = 0.03
HERE = Path(__file__).parent
# The labels (left, right) of the dominoes by number.
DOMINOES = {str(d.number): (str(d.left), str(d.right)) for d in BASE_DOMINOES}
# Columns that group near-duplicate pictures, in order of preference.
GROUP_COLUMNS = ("scene", "kingdom_group", "session")
PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".bmp"}
# The scans of dominoes 19 and 20 are filed under each other's number: 19.jpg shows a mill beside
# a lake, 20.jpg one beside a forest. The photographs of both are right.
SWAPPED = {("scan", "19"): "20", ("scan", "20"): "19"}


def read_rgb(path: Path) -> Image:
    """An upright RGB picture (h, w, 3) uint8; OSError where the file is no picture."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR_RGB)
    if picture is None:
        raise OSError(f"no picture could be read from {path}")
    return np.asarray(picture, dtype=np.uint8)


def resized(picture: Image, width: int, height: int, enlarging: int = cv2.INTER_LINEAR) -> Image:
    """The picture in another size, averaged where it shrinks."""
    shrinks = picture.shape[0] > height or picture.shape[1] > width
    way = cv2.INTER_AREA if shrinks else enlarging
    return np.asarray(cv2.resize(picture, (width, height), interpolation=way), np.uint8)


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


@dataclass(frozen=True)
class LabelledKingdom:
    """A photograph and its kingdom as seen in the picture, None if it shows none.

    Pictures of one ``group`` are near-duplicates. ``castle_colour`` is empty where it is unknown.
    Those that are ``mirrored`` were so before they came into the folder.
    """

    path: Path
    kingdom: Kingdom | None
    group: str
    castle_colour: str = ""
    mirrored: bool = False

    @property
    def session(self) -> str:
        """Its session, which other crops of the kingdom in a folder like "boards_loose" share."""
        return f"{self.path.parent.name.partition('_')[0]} {self.group}"

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the kingdom in squares."""
        return (self.kingdom.width, self.kingdom.height) if self.kingdom is not None else (0, 0)

    @property
    def labels(self) -> dict[Position, str]:
        """The labels of its squares by (row, column), without empty ones."""
        squares = self.kingdom.items() if self.kingdom is not None else ()
        return {cell: str(square) for cell, square in squares if not square.is_empty}


@dataclass(frozen=True)
class LabelledSquare:
    """A picture of one square and its label; ``castle_colour`` is empty where it is unknown."""

    path: Path
    label: str
    session: str
    castle_colour: str = ""


def read_labels(
    folder: Path, *, without_kingdom: bool = False
) -> Sequence[LabelledKingdom | LabelledSquare]:
    """Read ``folder/labels.csv``: kingdoms (column kingdom) or single squares (column label).

    With ``without_kingdom`` all pictures in the folder are taken to show no kingdom instead.
    FileNotFoundError without a label file, ValueError for one with neither column.
    """
    if without_kingdom:
        paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
        return [LabelledKingdom(path, None, "no kingdom") for path in paths]
    rows = _rows(folder / "labels.csv")
    columns = set(rows[0]) if rows else {"kingdom"}
    if not columns & {"kingdom", "label"}:
        named = f"expected a column kingdom or label, got {columns}"
        raise ValueError(f"{folder / 'labels.csv'}: {named}")
    group = next((name for name in GROUP_COLUMNS if name in columns), "")
    found: list[LabelledKingdom | LabelledSquare] = []
    for row in rows:
        path, rest = folder / row["file"], (row.get(group, "all"), row.get("castle_colour", ""))
        if "kingdom" in columns:
            kingdom = Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None
            found.append(LabelledKingdom(path, kingdom, *rest, row.get("mirrored") == "1"))
        else:
            found.append(LabelledSquare(path, row["label"], *rest))
    return found


@dataclass(frozen=True)
class Corpus:
    """The data folder: ``dominoes``, ``squares``, ``squares_scan``, ``boards``, ``photos``, …"""

    folder: Path

    def _labelled(self, name: str) -> Sequence[LabelledKingdom | LabelledSquare]:
        """What the table of a folder names; nothing where there is none."""
        there = (self.folder / name / "labels.csv").exists()
        return read_labels(self.folder / name) if there else ()

    def domino_pictures(self, kind: str) -> dict[str, Image]:
        """Pictures of the dominoes by number, sides 2 to 1; ``kind`` is "scan" or "photo"."""
        pictures = {}
        for number in DOMINOES:
            filed = SWAPPED.get((kind, number), number)
            path = self.folder / "dominoes" / kind / f"{int(filed):02d}.jpg"
            if path.exists():
                picture = read_rgb(path)
                height, width = picture.shape[:2]
                y, x = round(height * PHOTO_BORDER), round(width * PHOTO_BORDER / 2)
                pictures[number] = picture[y:-y, x:-x] if kind == "photo" else picture
        return pictures

    def start_tiles(self) -> list[tuple[str, Image]]:
        """The colour and the picture of every start tile."""
        letters = {"B": "blue", "G": "green", "R": "pink", "Y": "yellow"}
        paths = sorted((self.folder / "dominoes" / "start").glob("*.jpg"))
        named = ((path.stem.split("-")[1], read_rgb(path)) for path in paths)
        return [(letters.get(name, name), picture) for name, picture in named]

    def squares(self) -> list[LabelledSquare]:
        """Photographed single squares; a castle of known colour is "c:blue".

        So are those of folders within with a table of their own, as people export corrections.
        """
        colours, found = noted_castle_colours(), []
        for table in sorted((self.folder / "squares").rglob("labels.csv")):
            for square in read_labels(table.parent):
                if isinstance(square, LabelledSquare):
                    colour = colours.get(square.path.relative_to(table.parent).as_posix())
                    found.append(replace(square, label=f"c:{colour}") if colour else square)
        return found

    def asked_squares(self, sessions: Container[str] = ()) -> Iterator[tuple[str, str, str, Image]]:
        """A name that stays, session, label and picture of what judgements ask."""
        for square in self.squares():
            if not sessions or square.session in sessions:
                name = square.path.relative_to(self.folder).as_posix()
                yield name, square.session, square.label, read_rgb(square.path)
        for k, (area, label, session) in enumerate(self.board_squares()):
            if not sessions or session in sessions:
                yield f"{session} {k}", session, label, area

    def foreign_squares(self) -> list[Image]:
        """Squares of another game, cut from photographs of it."""
        found = []
        for row in _rows(HERE / "foreign_squares.csv"):
            if (path := self.folder / "not_kingdomino" / row["file"]).exists():
                top, bottom, left, right = (int(row[k]) for k in ("top", "bottom", "left", "right"))
                found.append(read_rgb(path)[top:bottom, left:right])
        return found

    def scanned_squares(self) -> list[LabelledSquare]:
        """Flatbed scans of single squares from another print run, all in one session."""
        scans = self._labelled("squares_scan")
        return [replace(s, session="scan") for s in scans if isinstance(s, LabelledSquare)]

    def board_squares(self) -> Iterator[tuple[Image, str, str]]:
        """Picture, label and session of the cells of boards, empty ones too; castles are "c"."""
        for board in self.boards():
            picture, (columns, rows) = read_rgb(board.path), board.size
            tall, wide = picture.shape[0] / rows, picture.shape[1] / columns
            for r, c in np.ndindex(rows, columns):
                strip = picture[round(r * tall) : round((r + 1) * tall)]
                area = strip[:, round(c * wide) : round((c + 1) * wide)]
                yield area, board.labels.get((r, c), EMPTY), board.session

    def _kingdoms(self, name: str) -> list[LabelledKingdom]:
        every = self._labelled(name)
        return [each for each in every if isinstance(each, LabelledKingdom) and each.kingdom]

    def boards(self) -> list[LabelledKingdom]:
        """Rectified 5x5 kingdoms, grouped by kingdom."""
        return self._kingdoms("boards")

    def photos(self) -> list[LabelledKingdom]:
        """Whole photographs, grouped by scene."""
        return self._kingdoms("photos")

    @cached_property
    def _outlines(self) -> dict[str, list[tuple[str, Matrix]]]:
        """For each photograph the labels "grid" or "?", each with corners (4, 2) in pixels."""
        found: dict[str, list[tuple[str, Matrix]]] = {}
        for row in _rows(HERE / "photo_lattices.csv"):
            corners = np.array([[float(row[f"{axis}{k}"]) for axis in "xy"] for k in range(1, 5)])
            found.setdefault(row["file"], []).append((row["label"], corners))
        return found

    def grid(self, photo: LabelledKingdom) -> Matrix:
        """The corners (4, 2) of the grid of a photograph in pixels, from the top left clockwise."""
        return next(c for label, c in self._outlines[photo.path.name] if label == "grid")

    def lattice(self, photo: LabelledKingdom) -> Matrix:
        """The homography (3, 3) from the squares (column, row) of a photograph to its pixels."""
        width, height = photo.size
        flat = np.array(Extent(0, 0, height, width).corners(), np.float32)
        view = cv2.getPerspectiveTransform(flat, self.grid(photo).astype(np.float32))
        return np.asarray(view, np.float64)

    def loose_squares(self, photo: LabelledKingdom) -> list[Matrix]:
        """The corners (4, 2) of squares without a label in a photograph, in pixels."""
        return [c for label, c in self._outlines[photo.path.name] if label != "grid"]

    def backgrounds(self) -> list[Path]:
        """Pictures of tables, floors and cloths without any square."""
        return sorted((self.folder / "backgrounds").glob("*.jpg"))


@cache
def noted_castle_colours() -> dict[str, str]:
    """The colours of photographed castles by file in ``squares``, annotated by eye."""
    return {row["file"]: row["colour"] for row in _rows(HERE / "castle_colours.csv")}


def sessions_of_fold(folder: Path, fold: str | None) -> frozenset[str]:
    """The sessions that an option "FOLD/FOLDS" holds out, if any; ValueError for another text."""
    return held_out_sessions(folder, *map(int, fold.split("/"))) if fold else frozenset()


def held_out_sessions(folder: Path, fold: int = 0, folds: int = 0) -> frozenset[str]:
    """The sessions of part ``fold`` (0 to ``folds`` - 1), balanced by their number of pictures.

    None without parts. Squares, boards, whose sessions are "boards GROUP", and photographs, "photos
    SCENE", are split separately.
    """
    held_out, corpus = set[str](), Corpus(folder)
    for pictures in (corpus.squares, corpus.boards, corpus.photos) if folds else ():
        sizes = Counter(each.session for each in pictures())
        order = sorted(sizes, key=lambda session: (-sizes[session], session))
        held_out.update(order[fold::folds])
    return frozenset(held_out)
