"""Networks in ONNX files, run by OpenCV."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["Network", "shipped_weights"]


class Network:
    """A network of one input and one output.

    OpenCV's networks hold state while they run, so each thread gets its own.
    """

    def __init__(self, weights: bytes) -> None:
        self._weights = np.frombuffer(weights, np.uint8)
        self._local = threading.local()

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for a batch (n, channels, h, w)."""
        network = getattr(self._local, "network", None)
        if network is None:
            network = cv2.dnn.readNetFromONNX(self._weights, cv2.dnn.ENGINE_CLASSIC)
            self._local.network = network
        network.setInput(batch)
        return np.asarray(network.forward(), np.float32)


def shipped_weights() -> Path:
    """The folder of the shipped weights: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"
