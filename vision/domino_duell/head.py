"""What one user's corrections add to the outputs for a hollow: a linear layer of its features.

It is added to what the network of the board says, so without it the reader is the shipped one.
Finding the board is left as it is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vision.common.stored_head import HeadError, StoredHead
from vision.domino_duell.labels import OUTPUTS

__all__ = ["FEATURES", "Head", "network_of"]

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
