"""Make the int8 weights of the classifier from the float ones.

``python -m vision.kingdomino.training.quantise DATA FOLDER`` writes ``squares.int8.onnx`` into the
folder that has ``squares.onnx``.
"""

from __future__ import annotations

import argparse
import importlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.common.rectify import PATCH_PX
from vision.kingdomino.training.corpus import Corpus, read_rgb

__all__ = ["main", "quantise"]

Batch = NDArray[np.float32]

SQUARES = 384
BATCH = 32


def quantise(weights: bytes, batches: Sequence[Batch]) -> bytes:
    """The network with weights and activations in 8 bits, calibrated on ``batches``.

    Weights take 7 bits of 8, so that processors without VNNI don't overflow.
    """
    quantization = importlib.import_module("onnxruntime.quantization")
    shapes = importlib.import_module("onnxruntime.quantization.shape_inference")

    class Batches(quantization.CalibrationDataReader):  # type: ignore[name-defined]
        def __init__(self) -> None:
            self.waiting: Iterator[Batch] = iter(batches)

        def get_next(self) -> dict[str, Any] | None:
            batch = next(self.waiting, None)
            return None if batch is None else {"input": batch}

    with tempfile.TemporaryDirectory() as folder:
        before, ready, after = (Path(folder) / f"{name}.onnx" for name in "abc")
        before.write_bytes(weights)
        shapes.quant_pre_process(str(before), str(ready), skip_symbolic_shape=True)
        quantization.quantize_static(
            str(ready),
            str(after),
            Batches(),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
        return after.read_bytes()


def _normal(pictures: NDArray[Any]) -> Batch:
    """Pictures (n, h, w, 3) as the networks take them."""
    planes = pictures.transpose(0, 3, 1, 2).astype(np.float32)
    return np.ascontiguousarray(planes / np.float32(255) - np.float32(0.5))


def _squares(corpus: Corpus, rng: np.random.Generator) -> list[Batch]:
    every = corpus.squares()
    some = [every[int(k)] for k in rng.permutation(len(every))[:SQUARES]]
    size = (PATCH_PX, PATCH_PX)
    patches = np.stack(
        [cv2.resize(read_rgb(each.path), size, interpolation=cv2.INTER_AREA) for each in some]
    )
    return [_normal(patches[at : at + BATCH]) for at in range(0, len(patches), BATCH)]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the int8 weights beside the float ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    chosen = parser.parse_args(argv)
    corpus = Corpus(chosen.data)
    rng = np.random.default_rng(0)
    weights = (chosen.folder / "squares.onnx").read_bytes()
    int8 = quantise(weights, _squares(corpus, rng))
    (chosen.folder / "squares.int8.onnx").write_bytes(int8)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
