"""The networks of the reader: weights, what they tell of a hollow, where it lies on its board.

What one user's corrections add is a linear layer of the features of a hollow. It is added to what
the network of the board says, so without it the reader is the shipped one. Finding the board is
left as it is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from scorer.domino_duell import JOKER, Piece, Stone
from vision.common.network import (
    HeadError,
    Network,
    StoredHead,
    as_planes,
    head_named_by,
    loaded_once,
    shipped_weights,
)

CONTENTS = ("empty", "joker", "stone", "nothing")
"""An empty hollow, a joker, a stone, or no hollow at all."""
EMPTY, JOKER_LYING, STONE, NOTHING = range(4)

HEADS = (slice(0, 4), slice(4, 8), slice(8, 12), slice(12, 16))
"""Where in the outputs: contents, colour, symbol, colour of the symbol."""
OUTPUTS = 16


def truth_of(piece: Piece | None) -> tuple[int, int, int, int]:
    """The right output of each head for what lies in a hollow; -1 where a head has none."""
    if isinstance(piece, Stone):
        colour, symbol, ink = (feature.number for feature in piece.features)
        return STONE, colour, symbol, ink
    return (JOKER_LYING if piece is JOKER else EMPTY), -1, -1, -1


POSITION_FEATURES = 13
HALF_BOARD_STEPS = 6.0
WAVES = (1.0, 2.0)
"""Radians per half board of the waves by which near places know each other."""


def position_features(places: NDArray[np.floating]) -> NDArray[np.float32]:
    """Features (n, 13) of places (n, 2) in steps: linear, quadratic and waves of two lengths.

    The middle of the places is the origin, so a board may lie anywhere.
    """
    x, y = ((places - places.mean(0)) / HALF_BOARD_STEPS).T
    found = [x, y, x * x, y * y, x * y]
    for wave in WAVES:
        found += [turned(np.pi * wave * each) for each in (x, y) for turned in (np.sin, np.cos)]
    return np.stack(found, 1).astype(np.float32)


FEATURES = 96
"""What the network of a patch hands on of it beside its logits."""


@dataclass(frozen=True, eq=False)
class Head(StoredHead):
    """The layer; ``network`` is that of ``network_of``."""

    outputs: ClassVar[int] = OUTPUTS
    features: ClassVar[int] = FEATURES

    @classmethod
    def nothing(cls, network: str) -> Head:
        """The layer that adds nothing."""
        return cls(
            np.zeros((OUTPUTS, FEATURES), np.float32), np.zeros(OUTPUTS, np.float32), network
        )

    def check(self, network: str) -> None:
        """HeadError ``other_network`` where it belongs to other weights."""
        if self.network != network:
            raise HeadError("other_network")

    def added(self, features: NDArray[np.floating]) -> NDArray[np.float64]:
        """What it adds (…, 16) for features (…, 96) of patches."""
        return np.asarray(features @ self.weight.T.astype(np.float64) + self.bias, np.float64)


def network_of(folder: Path) -> str:
    """The SHA-256 of both networks in a folder of weights, which a layer belongs to."""
    digest = hashlib.sha256()
    for name in ("domino_duell", "domino_duell_board"):
        digest.update((folder / f"{name}.onnx").read_bytes())
    return digest.hexdigest()


OWN_HEAD = "DOMINO_DUELL_OWN_HEAD"
"""The environment variable that names the file of a layer fitted for this user."""

BATCH = 128
QUARTER = np.array([[0, 1], [-1, 0]])
"""A quarter turn against the clock, x to the right and y down, as ``numpy.rot90`` turns."""
VIEWS = tuple((quarters, mirror) for quarters in range(4) for mirror in (1, -1))
"""The ways in which a board is looked at: quarter turns, and mirrored (-1) or not."""


def turn_patches(patches: NDArray[np.uint8], quarters: int, mirror: int) -> NDArray[np.uint8]:
    """Patches (n, 32, 32, 3) turned by quarters, and mirrored then where ``mirror`` is -1."""
    return np.ascontiguousarray(np.rot90(patches, quarters, (1, 2))[:, :, ::mirror])


@dataclass(frozen=True)
class Weights:
    """What reads a patch, what reads the patches of a board together, and their calibration.

    ``temperature`` divides the logits of a board. With it the probabilities are as often right
    as they say, on drawn pictures. ``head`` is added to those logits, if there is one.
    """

    patch: Network
    board: Network
    temperature: float = 1.0
    head: Head | None = None

    @classmethod
    def load(cls, folder: Path | None = None, head: Head | None = None) -> Weights:
        """The weights of a folder, by default the shipped ones.

        The folder holds ``domino_duell.onnx``, ``domino_duell_board.onnx`` and
        ``domino_duell.json``. FileNotFoundError where one of them is missing, HeadError for a
        head of other weights.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "domino_duell.json").read_text(encoding="utf-8"))
        patch, board = (
            Network((folder / f"{name}.onnx").read_bytes())
            for name in ("domino_duell", "domino_duell_board")
        )
        if head is not None:
            head.check(network_of(folder))
        return cls(patch, board, float(calibration["temperature"]), head)

    def patch_logits(self, patches: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The outputs (n, 16) for patches (n, 32, 32, 3), each read on its own."""
        return np.asarray(self._seen(patches)[:, :OUTPUTS], np.float64)

    def board_views(
        self, patches: NDArray[np.uint8], places: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The outputs (8, n, 16) for a board turned by quarters and mirrored, over the temperature.

        It is the same board each time: where the readings differ, none of them is sure.
        ``patches`` (n, 32, 32, 3) and ``places`` (n, 2) in steps are as it lies.
        """
        found = []
        for quarters, mirror in VIEWS:
            turn = np.linalg.matrix_power(QUARTER, quarters)
            lying = places @ turn.T * (mirror, 1)
            found.append(self.board_logits(turn_patches(patches, quarters, mirror), lying))
        return np.stack(found)

    def patch_views(
        self, patches: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Outputs (8, n, 16) and features (8, n, 96) of patches in the views of a board.

        Each patch (n, 32, 32, 3) is seen on its own, without the head.
        """
        seen = np.stack([self._seen(turn_patches(patches, *view)) for view in VIEWS])
        return seen[..., :OUTPUTS].astype(np.float64), _features(seen)

    def board_logits(
        self, patches: NDArray[np.uint8], places: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The outputs (n, 16) for the patches (n, 32, 32, 3) of a board, over the temperature.

        ``places`` (n, 2) are where they lie, in steps.
        """
        alone = self._seen(patches)
        seen = np.concatenate([alone, position_features(places)], axis=1)
        found = np.asarray(self.board(np.ascontiguousarray(seen[None], np.float32))[0], np.float64)
        if self.head is not None:
            found = found + self.head.added(_features(alone))
        return found / self.temperature

    def _seen(self, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits and features (n, 16 + m) of patches."""
        found = [np.zeros((0, OUTPUTS + FEATURES), np.float32)]
        for at in range(0, len(patches), BATCH):
            found.append(self.patch(as_planes(patches[at : at + BATCH])))
        return np.concatenate(found)


def _features(seen: NDArray[np.float32]) -> NDArray[np.float64]:
    """From the output (…, 16 + 96) for patches what the last layer sees: nothing below 0."""
    return np.maximum(seen[..., OUTPUTS:], 0).astype(np.float64)


def named_head() -> Head | None:
    """The layer that the environment names, None where it names none or one of other weights."""
    return head_named_by(OWN_HEAD, _load_head)


def _load_head(path: Path) -> Head:
    head = Head.load(path)
    head.check(network_of(shipped_weights()))
    return head


@loaded_once
def shipped() -> Weights:
    """The shipped weights, with the layer that the environment names, loaded once a process."""
    return Weights.load(head=named_head())
