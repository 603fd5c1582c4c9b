"""Networks in ONNX files, run by ONNX Runtime where it is installed, else by OpenCV."""

from __future__ import annotations

import importlib
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.both_cores import count_threads, map_in_threads

__all__ = ["Network", "shipped_weights"]


class Network:
    """A network of one input and one output, safe to share between threads.

    ONNX Runtime is faster, OpenCV is everywhere; both give the same numbers but for rounding.
    ``runtime`` False takes OpenCV in any case. ``int8`` are the same weights in 8 bits, which
    ONNX Runtime takes instead where they are given, and OpenCV never does. With
    ``shares_batches`` ONNX Runtime works on both halves of a batch at the same time, which is
    faster for many small pictures than both cores at each layer.
    """

    def __init__(
        self,
        weights: bytes,
        *,
        runtime: bool = True,
        int8: bytes | None = None,
        shares_batches: bool = False,
    ) -> None:
        self._weights = weights
        self._int8 = int8
        self._runtime = runtime
        self._shares_batches = shares_batches
        self._lock = threading.Lock()
        self._session: Any = None
        # OpenCV's networks hold state while they run, so each thread gets its own.
        self._local = threading.local()

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for a batch (n, channels, h, w)."""
        session = self._loaded()
        if session is not None:
            return self._run(session, batch)
        network = getattr(self._local, "network", None)
        if network is None:
            weights = np.frombuffer(self._weights, np.uint8)
            network = cv2.dnn.readNetFromONNX(weights, cv2.dnn.ENGINE_CLASSIC)
            self._local.network = network
        network.setInput(batch)
        return np.asarray(network.forward(), np.float32)

    @property
    def runs_in_8_bits(self) -> bool:
        """Whether it is the weights in 8 bits that are run."""
        return self._int8 is not None and self._loaded() is not None

    def _run(self, session: Any, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        name = session.get_inputs()[0].name

        def output(part: NDArray[np.float32]) -> NDArray[np.float32]:
            return np.asarray(session.run(None, {name: part})[0], np.float32)

        threads = count_threads() if self._shares_batches else 1
        if threads == 1 or len(batch) < 2:
            return output(batch)
        return np.concatenate(map_in_threads(output, np.array_split(batch, threads), 2))

    def _loaded(self) -> Any:
        """The session of ONNX Runtime, loaded when it is first used; None without it."""
        if not self._runtime:
            return None
        with self._lock:
            if self._session is None:
                try:
                    onnxruntime = importlib.import_module("onnxruntime")
                except ImportError:
                    self._runtime = False
                    return None
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1 if self._shares_batches else count_threads()
                options.inter_op_num_threads = 1
                # Threads that wait busily would take the cores from other readers.
                options.add_session_config_entry("session.intra_op.allow_spinning", "0")
                self._session = onnxruntime.InferenceSession(
                    self._int8 or self._weights, options, providers=["CPUExecutionProvider"]
                )
            return self._session


def shipped_weights() -> Path:
    """The folder of the shipped weights: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "models"
    return installed if installed.is_dir() else package.parent / "models"
