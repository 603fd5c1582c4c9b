"""The last layer of the network of squares fitted anew to squares that people have corrected.

What is fitted is a change of the shipped layer. It is used only if squares that were held back,
whole sessions of them, are read better by it, and no square of the sample pictures is read worse.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from vision.common import refit as common_refit
from vision.common.geometry import PATCH_PX, rectify_quadrangle, resized_patches
from vision.common.network import Network, packed_folder, softmax
from vision.common.refit import Figures, LabelledSquares, Refit, RefitData, RefitSettings
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import EMPTY, FOREIGN, LABELS, OUTPUTS, Floats
from vision.kingdomino.weights import CASTLES, Head, features_of, in_all_turns, mean_outputs
from vision.photo import PhotoError, decode
from vision.photo.labelled import read_labelled


def sample_folder() -> Path:
    """The folder with the pictures and ``labels.csv``."""
    return packed_folder("sample_images")


@cache
def sample_labels() -> dict[str, Kingdom | None]:
    """The kingdom in each picture by file name, None for a picture without one."""
    with (sample_folder() / "labels.csv").open(encoding="utf-8", newline="") as file:
        return {
            row["file"]: Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None
            for row in csv.DictReader(file)
        }


def read_folder(folder: Path) -> LabelledSquares:
    """Read ``labels.csv`` and the pictures it names, as ``read_labelled`` does. FolderError."""
    return read_labelled(folder, LABELS, resized_patches)


def known_squares() -> LabelledSquares:
    """Squares of the drawn samples as the shipped reader finds them, with their true labels."""
    reader = Reader()
    found = []
    for name, kingdom in sample_labels().items():
        photo = decode((sample_folder() / name).read_bytes())
        try:
            reading = reader.read(photo).kingdoms[0]
        except PhotoError:
            continue
        size = reading.kingdom.height, reading.kingdom.width
        if kingdom is None or size != (kingdom.height, kingdom.width):
            continue
        scale = photo.rgb.shape[1] / photo.width
        for position, square in kingdom.items():
            corners = reading.square_corners(position) * scale
            found.append((rectify_quadrangle(photo.rgb, corners, PATCH_PX), str(square), name))
    pictures, labels, sessions = zip(*found, strict=True)
    return LabelledSquares(resized_patches(pictures), labels, sessions)


def refit(
    model: bytes,
    temperature: float,
    squares: LabelledSquares,
    known: LabelledSquares | None = None,
    settings: RefitSettings | None = None,
    second: Network | None = None,
) -> Refit[Head]:
    """Fit the last layer of the network ``model`` to squares, and say whether it may be used.

    ``known`` are other squares of which none may become worse; they are fitted to as well. Without
    a layer of its own the network reads together with a ``second`` one, so it is held against both.
    The same squares always give the same layer.
    """
    how, shipped = settings or RefitSettings(), Head.of(model)

    def prepare() -> RefitData[Head]:
        seen, labels = _seen(model, squares)
        anchors, kept = _seen(model, known) if known else (seen[:0], labels[:0])
        anchored = known.patches if known else squares.patches[:0]

        def fit(rows: NDArray[np.intp], penalty: float) -> Head:
            features = np.concatenate([*seen[rows], *anchors])
            logits = _logits(features, shipped)
            # Of a castle the colour that is seen most is the right one.
            true = CASTLES.start + logits[:, CASTLES].argmax(1)
            for n, label in enumerate(np.repeat(np.r_[labels[rows], kept], 4)):
                true[n] = true[n] if label == "c" else OUTPUTS.index(label)
            missing = common_refit.missing_to_margin(logits, true, how.margin)
            weight, bias = common_refit.ridge_change(features, missing, penalty)
            weight, bias = shipped.weight + weight, shipped.bias + bias
            return Head(weight.astype(np.float32), bias.astype(np.float32), shipped.network)

        def told(patches: NDArray[np.uint8], features: Floats, head: Head) -> Floats:
            """Of each kind, by the mean of the four turns, as squares in doubt are read."""
            logits = _logits(features.mean(1), head)
            if second and head is shipped:
                logits = (logits + mean_outputs(second, patches)) / 2
            return _by_kind(softmax(logits / temperature))

        def read(rows: NDArray[np.intp], head: Head) -> Floats:
            return told(squares.patches[rows], seen[rows], head)

        def read_known(head: Head) -> Figures:
            found = told(anchored, anchors, head)
            return common_refit.judged(found, _true_kinds(kept), how)

        return RefitData(_true_kinds(labels), np.array(squares.sessions), fit, read, read_known)

    return common_refit.refit_layer(squares, shipped, prepare, how)


def _seen(model: bytes, squares: LabelledSquares) -> tuple[Floats, NDArray[np.str_]]:
    """The features (n, 4 turns, features) of squares, and their labels (n,)."""
    found = features_of(model, in_all_turns(squares.patches)).astype(np.float64)
    features = found.reshape(4, len(squares), found.shape[1]).swapaxes(0, 1)
    return features, np.array(squares.labels, np.str_)


def _logits(features: Floats, head: Head) -> Floats:
    return np.asarray(features @ head.weight.T.astype(np.float64) + head.bias)


def _by_kind(found: Floats) -> Floats:
    whole = np.zeros((len(found), len(_KINDS)))
    np.add.at(whole.T, _true_kinds(OUTPUTS), found.T)
    return whole


# A square of another game is no square of this one, a castle of any colour a castle.
_PLAIN = {label: label.partition(":")[0] for label in (*OUTPUTS, *LABELS)} | {FOREIGN: EMPTY}
_KINDS = sorted({*_PLAIN.values()})


def _true_kinds(labels: Iterable[str]) -> NDArray[np.intp]:
    return np.array([_KINDS.index(_PLAIN[label]) for label in labels], np.intp)
