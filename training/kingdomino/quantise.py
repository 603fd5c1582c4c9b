"""Make the int8 weights of the classifier and of the locator from the float ones.

``python -m training.kingdomino.quantise DATA FOLDER`` writes ``squares.int8.onnx`` and
``locator.int8.onnx`` into the folder that has ``squares.onnx`` and ``locator.onnx``, and stores the
latter in 16 bits.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray

from training.common.onnx_weights import store_in_16_bits
from training.kingdomino.corpus import Corpus, read_rgb
from training.kingdomino.locator import SCENES, draw_scenes
from training.kingdomino.tiles import load_tiles
from vision.common.network import load_onnxruntime
from vision.common.rectify import PATCH_PX

__all__ = ["main", "quantise"]

Batch = NDArray[np.float32]

SQUARES = 384
BATCH = 32
SCENES_SEEN = 96
SCENES_SEED = 991
# Layers of the locator that stay in floats, by parts of their names: those next to the picture and
# to the maps, where rounding moves a square the most, in little of the time.
LOCATOR_FLOATS = ("down1.0", "down1.1", "lift", "Resize", "Add", "up1", "head")


def quantise(
    weights: bytes, batches: Sequence[Batch], floats: Sequence[str] = (), method: str = "MinMax"
) -> bytes:
    """The network with weights and activations in 8 bits, calibrated on ``batches``.

    Weights take 7 bits of 8, so that processors without VNNI don't overflow. Nodes whose names
    have one of ``floats`` in them stay as they are. ``method`` is how the range of the activations
    is chosen: all of it, "MinMax", or all but the farthest values, "Percentile".
    """
    quantization = load_onnxruntime("onnxruntime.quantization")
    shapes = load_onnxruntime("onnxruntime.quantization.shape_inference")

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
        nodes = [node.name for node in onnx.load(str(ready)).graph.node]
        quantization.quantize_static(
            str(ready),
            str(after),
            Batches(),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            reduce_range=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            nodes_to_exclude=[name for name in nodes if any(part in name for part in floats)],
            calibrate_method=quantization.CalibrationMethod[method],
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


def _scenes(data: Path) -> list[Batch]:
    scenes = itertools.islice(draw_scenes(load_tiles(data), SCENES, SCENES_SEED), SCENES_SEEN)
    return [_normal(scene.rgb[None]) for scene in scenes]


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
    locator = store_in_16_bits((chosen.folder / "locator.onnx").read_bytes())
    (chosen.folder / "locator.onnx").write_bytes(locator)
    int8 = quantise(locator, _scenes(chosen.data), LOCATOR_FLOATS, "Percentile")
    (chosen.folder / "locator.int8.onnx").write_bytes(int8)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
