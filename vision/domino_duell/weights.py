"""The networks of the reader, loaded from a folder of weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network, shipped_weights
from vision.domino_duell.context import position_features
from vision.domino_duell.labels import OUTPUTS

__all__ = ["Weights", "shipped"]

BATCH = 128
QUARTER = np.array([[0, 1], [-1, 0]])
"""A quarter turn against the clock, x to the right and y down, as ``numpy.rot90`` turns."""


@dataclass(frozen=True)
class Weights:
    """What reads a patch, what reads the patches of a board together, and their calibration.

    ``temperature`` divides the logits of a board. With it the probabilities are as often right
    as they say, on drawn pictures.
    """

    patch: Network
    board: Network
    temperature: float = 1.0

    @classmethod
    def load(cls, folder: Path | None = None) -> Weights:
        """The weights of a folder, by default the shipped ones.

        The folder holds ``domino_duell.onnx``, ``domino_duell_board.onnx`` and
        ``domino_duell.json``. FileNotFoundError where one of them is missing.
        """
        folder = folder or shipped_weights()
        calibration = json.loads((folder / "domino_duell.json").read_text(encoding="utf-8"))
        patch, board = (
            Network((folder / f"{name}.onnx").read_bytes())
            for name in ("domino_duell", "domino_duell_board")
        )
        return cls(patch, board, float(calibration["temperature"]))

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
        for quarters in range(4):
            turn = np.linalg.matrix_power(QUARTER, quarters)
            for mirror in (1, -1):
                seen = np.rot90(patches, quarters, (1, 2))[:, :, ::mirror]
                lying = places @ turn.T * (mirror, 1)
                found.append(self.board_logits(np.ascontiguousarray(seen), lying))
        return np.stack(found)

    def board_logits(
        self, patches: NDArray[np.uint8], places: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The outputs (n, 16) for the patches (n, 32, 32, 3) of a board, over the temperature.

        ``places`` (n, 2) are where they lie, in steps.
        """
        seen = np.concatenate([self._seen(patches), position_features(places)], axis=1)
        found = self.board(np.ascontiguousarray(seen[None], np.float32))[0]
        return np.asarray(found, np.float64) / self.temperature

    def _seen(self, patches: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits and features (n, 16 + m) of patches."""
        found = []
        for at in range(0, len(patches), BATCH):
            batch = patches[at : at + BATCH].transpose(0, 3, 1, 2).astype(np.float32)
            found.append(self.patch(np.ascontiguousarray(batch / 255 - 0.5, np.float32)))
        return np.concatenate(found)


@cache
def shipped() -> Weights:
    """The shipped weights, loaded once for the process."""
    return Weights.load()
