"""The networks of the reader of pip dominoes, loaded from a folder of weights."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.common.network import Network, shipped_weights

__all__ = ["Weights"]


@dataclass(frozen=True)
class Weights:
    """The locator, the reader of faces, which sees pips, and the reader of halves."""

    locator: Network
    faces: Network
    halves: Network

    @classmethod
    def load(cls, folder: Path | None = None) -> Weights:
        """The weights of a folder, by default the shipped ones.

        The folder holds ``pip_locator.onnx``, ``pip_faces.onnx`` and ``pip_halves.onnx``.
        FileNotFoundError where one of them is missing.
        """
        folder = folder or shipped_weights()
        names = ("pip_locator", "pip_faces", "pip_halves")
        return cls(*(Network((folder / f"{name}.onnx").read_bytes()) for name in names))
