"""The last layer of the network of squares fitted anew to squares that people have corrected.

It is judged by the sample pictures that come with the project too.

What is fitted is a change of the shipped layer. It is used only if squares that were held back,
whole sessions of them, are read better by it, and no square of the sample pictures is read worse.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom
from vision.common.geometry import PATCH_PX, rectify_quadrangle, resized_patches
from vision.common.network import softmax
from vision.common.refit import (
    Figures,
    LabelledSquares,
    Refit,
    RefitData,
    RefitSettings,
    judged,
    missing_to_margin,
    refit_layer,
    ridge_change,
)
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import CASTLE_COLOURS, EMPTY, FOREIGN, LABELS, OUTPUTS
from vision.kingdomino.weights import Head, features_of
from vision.photo import PhotoError, decode
from vision.photo.labelled import read_labelled

Floats = NDArray[np.float64]


def sample_folder() -> Path:
    """The folder with the pictures and ``labels.csv``: in the installed package or the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "sample_images"
    return installed if installed.is_dir() else package.parent / "sample_images"


@cache
def sample_labels() -> dict[str, Kingdom | None]:
    """The kingdom in each picture by file name, None for a picture without one."""
    with (sample_folder() / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        row["file"]: Kingdom.parse(row["kingdom"]) if row["kingdom"].strip() else None
        for row in rows
    }


def read_folder(folder: Path) -> LabelledSquares:
    """Read ``labels.csv`` and the pictures it names, as ``read_labelled`` does. FolderError."""
    return read_labelled(folder, LABELS, resized_patches)


def known_squares() -> LabelledSquares:
    """Squares of the drawn samples as the shipped reader finds them, with their true labels."""
    reader = Reader()
    pictures, labels, sessions = [], [], []
    for name, kingdom in sample_labels().items():
        if kingdom is None:
            continue
        photo = decode((sample_folder() / name).read_bytes())
        try:
            reading = reader.read(photo).kingdoms[0]
        except PhotoError:
            continue
        if (reading.kingdom.height, reading.kingdom.width) != (kingdom.height, kingdom.width):
            continue
        scale = photo.rgb.shape[1] / photo.width
        for position, square in kingdom.items():
            corners = reading.square_corners(position) * scale
            pictures.append(rectify_quadrangle(photo.rgb, corners, PATCH_PX))
            labels.append(str(square))
            sessions.append(name)
    return LabelledSquares(resized_patches(pictures), tuple(labels), tuple(sessions))


_CASTLES = slice(len(OUTPUTS) - len(CASTLE_COLOURS), len(OUTPUTS))


@dataclass(frozen=True, eq=False)
class _Data:
    """Features (n, 4 turns, features) with the label and the session of each square."""

    features: Floats
    labels: NDArray[np.str_]
    sessions: NDArray[np.str_]

    def part(self, chosen: NDArray[np.intp]) -> _Data:
        return _Data(self.features[chosen], self.labels[chosen], self.sessions[chosen])


def refit(
    model: bytes,
    temperature: float,
    squares: LabelledSquares,
    known: LabelledSquares | None = None,
    settings: RefitSettings | None = None,
) -> Refit[Head]:
    """Fit the last layer of the network ``model`` to squares, and say whether it may be used.

    ``known`` are other squares of which none may become worse; they are fitted to as well. The
    same squares always give the same layer.
    """
    settings, shipped = settings or RefitSettings(), Head.of(model)

    def prepare() -> RefitData[Head]:
        data = _seen(model, squares)
        anchors = _seen(model, known) if known is not None else data.part(np.zeros(0, np.intp))

        def fit(rows: NDArray[np.intp], penalty: float) -> Head:
            return _fitted(data.part(rows), anchors, shipped, penalty, settings)

        def read(rows: NDArray[np.intp], head: Head) -> Floats:
            return _probabilities(data.part(rows), head, temperature)

        def read_known(head: Head) -> Figures:
            found = _probabilities(anchors, head, temperature)
            return judged(found, _true_kinds(anchors.labels), settings)

        return RefitData(_true_kinds(data.labels), data.sessions, fit, read, read_known)

    return refit_layer(squares, shipped, prepare, settings)


def _seen(model: bytes, squares: LabelledSquares) -> _Data:
    turned = [np.rot90(squares.patches, turns, (1, 2)) for turns in range(4)]
    found = features_of(model, np.concatenate(turned)).astype(np.float64)
    features = found.reshape(4, len(squares), -1).transpose(1, 0, 2)
    return _Data(features, np.array(squares.labels), np.array(squares.sessions))


def _fitted(
    data: _Data, anchors: _Data, shipped: Head, penalty: float, settings: RefitSettings
) -> Head:
    seen = np.concatenate([data.features, anchors.features]).reshape(-1, data.features.shape[2])
    labels = np.repeat(np.concatenate([data.labels, anchors.labels]), 4)
    logits = _logits(seen, shipped)
    missing = missing_to_margin(logits, _true_outputs(logits, labels), settings.margin)
    weight, bias = ridge_change(seen, missing, penalty)
    return Head(
        np.asarray(shipped.weight + weight, np.float32),
        np.asarray(shipped.bias + bias, np.float32),
        shipped.network,
    )


def _true_outputs(logits: Floats, labels: NDArray[np.str_]) -> NDArray[np.intp]:
    """The output of each label; of a castle that of the colour that is seen most."""
    places = {output: at for at, output in enumerate(OUTPUTS)}
    castles = _CASTLES.start + logits[:, _CASTLES].argmax(1)
    return np.array(
        [castles[n] if label == "c" else places[label] for n, label in enumerate(labels)], np.intp
    )


def _logits(features: Floats, head: Head) -> Floats:
    return np.asarray(features @ head.weight.T.astype(np.float64) + head.bias)


def _probabilities(data: _Data, head: Head, temperature: float) -> Floats:
    """Of each kind, by the mean of the four turns, as squares in doubt are read.

    Squares of another game count as no square of this one, castles alike in every colour.
    """
    found = softmax(_logits(data.features.mean(1), head) / temperature)
    whole = np.zeros((len(found), len(_KINDS)))
    for at, output in enumerate(OUTPUTS):
        whole[:, _KINDS.index(_plain(output))] += found[:, at]
    return whole


def _true_kinds(labels: NDArray[np.str_]) -> NDArray[np.intp]:
    return np.array([_KINDS.index(_plain(label)) for label in labels], np.intp)


def _plain(output: str) -> str:
    return {FOREIGN: EMPTY}.get(output, output.partition(":")[0])


_KINDS = sorted({_plain(output) for output in OUTPUTS})
