"""ONNX files: written from a network, stored in 16 or 8 bits, and checked."""

from __future__ import annotations

import copy
import io
import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from training.common.arrays import Floats
from training.common.recipe import Conversion
from training.common.task import Export
from vision.common.network import Network, load_onnxruntime

OPSET = 17
# Smaller tensors, such as biases, are left as they are.
LEAST = 1000
# How far ONNX Runtime and OpenCV may be apart, as a share of the outputs.
RUNTIMES = 1e-3


def save_onnx(export: Export, folder: Path) -> Path:
    """Write a part of a network as ONNX with a dynamic number of pictures, 32 bits.

    Batch normalisation is folded into the convolutions before it.
    """
    ready: nn.Module = copy.deepcopy(export.part).eval().float()
    for module in ready.to(memory_format=torch.contiguous_format).modules():
        if isinstance(module, nn.Sequential):
            for at, (first, second) in enumerate(itertools.pairwise(list(module))):
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    module[at] = torch.nn.utils.fusion.fuse_conv_bn_eval(first, second)
                    module[at + 1] = nn.Identity()
    axes = {0: "n"}
    if export.dynamic_size:
        axes |= {1: "t"} if export.example.ndim == 3 else {2: "h", 3: "w"}
    path, written = folder / export.file, io.BytesIO()
    torch.onnx.export(
        ready, (export.example,), written, input_names=["input"], output_names=["output"],
        dynamic_axes={"input": axes, "output": axes}, opset_version=OPSET, dynamo=False,
    )  # fmt: skip
    model = onnx.load_from_string(written.getvalue())
    # The exporter records the source line of every node, with paths; inference needs none.
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, str(path))
    return path


def store_in_16_bits(model_file: bytes) -> bytes:
    """The ONNX file with its large tensors in 16 bits, each turned to 32 bits when it is loaded.

    What is stored so already stays. Numbers keep 11 binary digits of 24.
    """
    model, to_float = onnx.load_from_string(model_file), onnx.TensorProto.FLOAT
    floats = [tensor for tensor in model.graph.initializer if tensor.data_type == to_float]
    large = [tensor for tensor in floats if np.prod(tensor.dims) >= LEAST]
    for at, stored in enumerate(large):
        name, whole = stored.name, f"{stored.name}.float"
        halves = numpy_helper.to_array(stored).astype(np.float16)
        stored.CopyFrom(numpy_helper.from_array(halves, name))
        for node in model.graph.node:
            node.input[:] = [whole if taken == name else taken for taken in node.input]
        cast = onnx.helper.make_node("Cast", [name], [whole], f"{name}.cast", to=to_float)
        # The casts stand before all other nodes, in the order of the tensors.
        model.graph.node.insert(at, cast)
    return model.SerializeToString()


def quantise(weights: bytes, batches: Sequence[Floats], how: Conversion) -> bytes:
    """The network with weights and activations in 8 bits, calibrated on ``batches``.

    Weights take 7 bits of 8, so that processors without VNNI don't overflow.
    """
    quantization = load_onnxruntime("onnxruntime.quantization")
    inputs = ({"input": batch} for batch in batches)
    reader = SimpleNamespace(get_next=lambda: next(inputs, None))
    with tempfile.TemporaryDirectory() as folder:
        ready, after = (Path(folder) / name for name in ("ready.onnx", "after.onnx"))
        whole = onnx.load_from_string(weights)
        quantization.quant_pre_process(whole, ready, skip_symbolic_shape=True)
        nodes = [node.name for node in onnx.load(ready).graph.node]
        quantization.quantize_static(
            ready, after, reader, per_channel=True, reduce_range=True,
            quant_format=quantization.QuantFormat.QDQ,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            nodes_to_exclude=[name for name in nodes if any(part in name for part in how.floats)],
            calibrate_method=quantization.CalibrationMethod[how.method],
        )  # fmt: skip
        return after.read_bytes()


def apart(weights: bytes, others: bytes, batches: Sequence[Floats]) -> float:
    """How much the outputs of two networks differ, as a share of their root mean square."""
    one, other = Network(weights), Network(others)
    pairs = [(one(batch), other(batch)) for batch in batches]
    off = sum(float(((a - b) ** 2).sum()) for a, b in pairs)
    size = sum(float((a**2).sum()) for a, _ in pairs)
    return float(np.sqrt(off / max(size, 1e-12)))


def check(path: Path, batch: Floats) -> None:
    """ValueError, with the reason, for an ONNX file that readers could not use.

    The same by OpenCV is asked for unless it is stored in 8 bits.
    """
    content = path.read_bytes()
    model = onnx.load_from_string(content)
    onnx.checker.check_model(model)
    nodes = model.graph.node
    if foreign := {node.domain for node in nodes} - {"", "ai.onnx"}:
        raise ValueError(f"{path.name}: expected standard operators, got those of {foreign}")
    if any(node.doc_string for node in nodes):
        raise ValueError(f"{path.name}: tells where the program lay that wrote it")
    found = Network(content)(batch)
    if not np.isfinite(found).all():
        raise ValueError(f"{path.name}: expected finite numbers")
    if any(node.op_type == "QuantizeLinear" for node in nodes):
        return
    other = Network(content, runtime=False)(batch)
    off = float(np.abs(found - other).max()) / max(float(np.abs(found).max()), 1e-6)
    if off > RUNTIMES:
        raise ValueError(f"{path.name}: ONNX Runtime and OpenCV are {off:.2g} apart")
