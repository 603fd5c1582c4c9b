"""What people put right on a reading, as labelled crops, and a layer fitted to such hollows that is
added to the reader of boards.

A kept hollow is a picture without its board, so it is judged as the network of a patch sees it;
drawn boards are judged as the reader reads them, box and flags included. On both the layer is
added to the outputs, and it is fitted to both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, JOKER, STONES, Board, Piece, Stone
from vision.common.geometry import enlarged, resized_patches
from vision.common.network import fitted_file, shipped_weights
from vision.common.refit import (
    Figures,
    LabelledSquares,
    Refit,
    RefitData,
    RefitSettings,
    missing_to_margin,
    refit_layer,
    ridge_change,
)
from vision.domino_duell.classify import PATCH_PX, Evidence, combine, cut_patches
from vision.domino_duell.detect import places_of
from vision.domino_duell.judge import EMPTY_COLUMN, JOKER_COLUMN, read_hollows
from vision.domino_duell.result import BoardReading
from vision.domino_duell.weights import HEADS, NOTHING, OUTPUTS, Head, Weights, truth_of
from vision.photo.labelled import read_labelled


@dataclass(frozen=True, eq=False)
class LabelledCrop:
    """The patch (32, 32, 3), uint8 RGB, of a hollow, what lies in it, and what was read.

    ``corrected`` is whether a person changed the reading, ``doubtful`` whether it was flagged.
    """

    hollow: str
    patch: NDArray[np.uint8]
    truth: Piece | None
    read: Piece | None
    doubtful: bool

    @property
    def corrected(self) -> bool:
        """Whether a person changed what was read."""
        return self.truth != self.read


def label_of(piece: Piece | None) -> str:
    """The notation of a stone, ``joker``, or ``.`` for an empty hollow."""
    if piece is None:
        return "."
    return str(piece) if isinstance(piece, Stone) else "joker"


def hollow_patches(rgb: NDArray[np.uint8], reading: BoardReading) -> NDArray[np.uint8]:
    """The patches (n, 32, 32, 3) of the hollows of a reading, in its order.

    ``rgb`` (h, w, 3) is the photograph that was read, upright, at any resolution.
    """
    view = enlarged(rgb.shape[1] / reading.width) @ reading.homography
    return cut_patches(rgb, view, places_of(reading.position.shape))


def labelled_crops(
    patches: NDArray[np.uint8], reading: BoardReading, position: Board
) -> tuple[LabelledCrop, ...]:
    """A crop of every hollow with its truth, once a person has confirmed ``position``.

    ``patches`` (n, 32, 32, 3) are those of the reading. ValueError where the position is of
    another board than the reading.
    """
    if position.shape != reading.position.shape:
        raise ValueError("position: expected one of the board that was read, got another board")
    return tuple(
        LabelledCrop(each.hollow, patch, truth, each.piece, each.doubtful)
        for each, patch, truth in zip(reading.hollows, patches, position.cells, strict=True)
    )


PIECES: dict[str, Piece | None] = {label_of(piece): piece for piece in (*STONES, JOKER, None)}
"""What lies in a hollow, by its label."""


def read_folder(folder: Path) -> LabelledSquares:
    """Read ``labels.csv`` and the pictures it names, as ``read_labelled`` does. FolderError."""
    return read_labelled(folder, PIECES, lambda found: resized_patches(found, PATCH_PX))


@dataclass(frozen=True, eq=False)
class KnownBoard:
    """The patches (102, 32, 32, 3) of a board of the usual shape, and what lies in each hollow."""

    patches: NDArray[np.uint8]
    pieces: tuple[Piece | None, ...]


Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
COLUMNS: dict[Piece | None, int] = {
    **{stone: column for column, stone in enumerate(STONES)},
    None: EMPTY_COLUMN,
    JOKER: JOKER_COLUMN,
}
"""The column of each content in ``classify.Contents``."""
KNOWN = "domino_duell_known.npz"
"""A file of the weights: ``sheet``, a JPEG of all patches, a row a board, and ``columns`` (n, 102),
what lies in each hollow as a column of ``classify.Contents``; ``training.domino_duell.known`` made
it. The first half of the boards is to fit to."""


def known_boards(count: int = 12) -> tuple[tuple[KnownBoard, ...], tuple[KnownBoard, ...]]:
    """``count`` boards to fit to, 12 at most, and as many others to judge by."""
    with np.load(fitted_file(shipped_weights(), KNOWN), allow_pickle=False) as kept:
        sheet, columns = cv2.imdecode(kept["sheet"], cv2.IMREAD_COLOR_RGB), kept["columns"]
    grid = (len(columns), PATCH_PX, columns.shape[1], PATCH_PX, 3)
    patches = np.asarray(sheet, np.uint8).reshape(grid).swapaxes(1, 2)
    pieces = list(COLUMNS)
    boards = [
        KnownBoard(np.ascontiguousarray(patches[row]), tuple(pieces[column] for column in there))
        for row, there in enumerate(columns)
    ]
    half = len(boards) // 2
    return tuple(boards[:half][:count]), tuple(boards[half:][:count])


@dataclass(frozen=True, eq=False)
class _Seen:
    """Hollows: outputs (8, n, 16) without the layer, features (8, n, 96), truths (n, 4)."""

    logits: Floats
    features: Floats
    truths: NDArray[np.int64]

    def part(self, rows: Rows) -> _Seen:
        return _Seen(self.logits[:, rows], self.features[:, rows], self.truths[rows])

    def missing(self, margin: float) -> Floats:
        """What the outputs (8 n, 16) lack; that a hollow is there is not for a layer to say."""
        logits = self.logits.reshape(-1, OUTPUTS).copy()
        logits[:, NOTHING] = -1e9
        truths = np.tile(self.truths, (len(self.logits), 1))
        missing = np.zeros_like(logits)
        for number, head in enumerate(HEADS):
            rows = np.flatnonzero(truths[:, number] >= 0)
            true = truths[rows, number]
            missing[rows, head] = missing_to_margin(logits[rows, head], true, margin)
        return missing


def refit(
    shipped: Weights,
    network: str,
    hollows: LabelledSquares,
    known: tuple[Sequence[KnownBoard], Sequence[KnownBoard]],
    settings: RefitSettings | None = None,
) -> Refit[Head]:
    """Fit a layer to hollows, and say whether it may be used.

    ``shipped`` are the weights without a layer, ``network`` the name that it shall bear. It is
    fitted to the first boards ``known`` too, and the second ones must not become worse. The same
    hollows always give the same layer.
    """
    settings = settings or RefitSettings()

    def prepare() -> RefitData[Head]:
        pieces = [PIECES[label] for label in hollows.labels]
        data = _Seen(*shipped.patch_views(hollows.patches), _truths(pieces))
        anchors = [_on_board(shipped, board) for board in known[0]]

        def fit(rows: Rows, penalty: float) -> Head:
            return _fitted([data.part(rows), *anchors], network, penalty, settings)

        def read(rows: Rows, head: Head) -> Floats:
            part = data.part(rows)
            contents = combine((part.logits + head.added(part.features)).mean(0))
            found = contents[:, : len(COLUMNS)]
            return np.asarray(found / np.maximum(found.sum(1, keepdims=True), 1e-12))

        def read_boards(head: Head) -> Figures:
            return read_known(replace(shipped, head=head), known[1])

        true = np.array([COLUMNS[piece] for piece in pieces], np.intp)
        return RefitData(true, np.array(hollows.sessions), fit, read, read_boards)

    return refit_layer(hollows, Head.nothing(network), prepare, settings)


def read_known(weights: Weights, boards: Sequence[KnownBoard]) -> Figures:
    """How boards are read, settled and flagged: ``surely_wrong`` is wrong without a flag.

    The loss is that of all hollows before they are settled.
    """
    wrong = silent = 0
    losses = [0.0]
    places = places_of(DEFAULT_SHAPE)
    for board in boards:
        evidence = Evidence.of(weights.board_views(board.patches, places))
        found = read_hollows(evidence, DEFAULT_SHAPE, True)
        for hollow, true, row in zip(found, board.pieces, evidence.contents, strict=True):
            missed = hollow.piece != true
            wrong += missed
            silent += missed and not hollow.doubtful
            losses.append(-float(np.log(max(row[COLUMNS[true]], 1e-12))))
    return Figures(wrong, silent, sum(losses) / max(len(losses) - 1, 1))


def _on_board(weights: Weights, board: KnownBoard) -> _Seen:
    """The hollows of a board beside each other, as the reader sees them."""
    logits = weights.board_views(board.patches, places_of(DEFAULT_SHAPE)) * weights.temperature
    return _Seen(logits, weights.patch_views(board.patches)[1], _truths(board.pieces))


def _truths(pieces: Sequence[Piece | None]) -> NDArray[np.int64]:
    return np.array([truth_of(piece) for piece in pieces], np.int64).reshape(-1, len(HEADS))


def _fitted(seen: Sequence[_Seen], network: str, penalty: float, settings: RefitSettings) -> Head:
    features = np.concatenate([each.features.reshape(-1, Head.features) for each in seen])
    missing = np.concatenate([each.missing(settings.margin) for each in seen])
    weight, bias = ridge_change(features, missing, penalty)
    return Head(np.asarray(weight, np.float32), np.asarray(bias, np.float32), network)
