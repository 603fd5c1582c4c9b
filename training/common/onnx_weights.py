"""Weights in ONNX files: read, given other outputs, gone on with, blended, and stored in
16 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

__all__ = ["blend", "read_weights", "rearrange_outputs", "restart", "store_in_16_bits"]

# Smaller tensors, such as biases, are left as they are.
LEAST = 1000


def store_in_16_bits(model_file: bytes) -> bytes:
    """The ONNX file with its large tensors in 16 bits, each turned to 32 bits when it is loaded.

    What is stored so already stays. Numbers keep 11 binary digits of 24.
    """
    model = onnx.load_from_string(model_file)
    casts = []
    for stored in model.graph.initializer:
        values = numpy_helper.to_array(stored)
        if values.dtype != np.float32 or values.size < LEAST:
            continue
        name = stored.name
        stored.CopyFrom(numpy_helper.from_array(values.astype(np.float16), name))
        for node in model.graph.node:
            for k, taken in enumerate(node.input):
                if taken == name:
                    node.input[k] = f"{name}.float"
        casts.append(
            onnx.helper.make_node(
                "Cast", [name], [f"{name}.float"], f"{name}.cast", to=onnx.TensorProto.FLOAT
            )
        )
    for cast in reversed(casts):
        model.graph.node.insert(0, cast)
    whole: bytes = model.SerializeToString()
    return whole


Floats = NDArray[np.float32]


def read_weights(model_file: bytes) -> dict[str, Floats]:
    """The weights of an ONNX file by name."""
    model = onnx.load_from_string(model_file)
    return {
        stored.name: np.array(onnx.numpy_helper.to_array(stored), np.float32)
        for stored in model.graph.initializer
    }


def rearrange_outputs(
    model_file: bytes, layer: str, rows: Sequence[int], lowered: Sequence[float]
) -> bytes:
    """The ONNX file with other outputs: the k-th is what number ``rows[k]`` has been.

    A row may be taken more than once, so that new outputs start as copies of known ones. ``layer``
    is the name of the last layer; its biases are ``lowered`` by so much each. KeyError for a layer
    that is not there.
    """
    model = onnx.load_from_string(model_file)
    stored = {t.name: t for t in model.graph.initializer}
    less = np.array(lowered, np.float32)
    for name, change in ((f"{layer}.weight", np.float32(0)), (f"{layer}.bias", less)):
        values = onnx.numpy_helper.to_array(stored[name])[list(rows)] - change
        stored[name].CopyFrom(onnx.numpy_helper.from_array(values, name))
    for output in model.graph.output:
        output.type.tensor_type.shape.dim[1].dim_value = len(rows)
    whole: bytes = model.SerializeToString()
    return whole


def restart(network: nn.Module, weights: Mapping[str, Floats], batches: Iterable[Tensor]) -> None:
    """Set a network to folded weights, its batch normalisation to what ``batches`` need.

    The network then computes what the ONNX file does: each normalisation is given the mean and
    deviation of its inputs, taken over the batches one after the other, and a scale and shift
    that undo it. ValueError for weights of another network.
    """
    folded = []
    with torch.no_grad():
        for name, module in network.named_modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                found = weights.get(f"{name}.weight", np.zeros(0, np.float32)).shape
                if found != tuple(module.weight.shape):
                    expected = tuple(module.weight.shape)
                    raise ValueError(f"{name}: expected weights {expected}, got {found}")
                module.weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
                bias = torch.from_numpy(weights[f"{name}.bias"])
                if module.bias is not None:
                    module.bias.copy_(bias)
                else:
                    folded.append(bias)
        norms = [m for m in network.modules() if isinstance(m, nn.BatchNorm2d)]
        network.eval()
        for norm, bias in zip(norms, folded, strict=True):
            _pass_through(norm, bias, torch.ones_like(bias), torch.zeros_like(bias))
        seen = _measure(network, norms, batches)
        for norm, bias, (mean, variance) in zip(norms, folded, seen, strict=True):
            _pass_through(norm, bias, variance, mean)


def _pass_through(norm: nn.BatchNorm2d, bias: Tensor, variance: Tensor, mean: Tensor) -> None:
    """Let a normalisation with these statistics only add ``bias``."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


def _measure(
    network: nn.Module, norms: list[nn.BatchNorm2d], batches: Iterable[Tensor]
) -> list[tuple[Tensor, Tensor]]:
    """The mean and variance of what goes into each normalisation."""
    sums = {id(norm): [torch.tensor(0.0), torch.tensor(0.0), 0] for norm in norms}

    def note(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        kept, (given,) = sums[id(norm)], inputs
        kept[0] = kept[0] + given.mean((0, 2, 3))
        kept[1] = kept[1] + (given**2).mean((0, 2, 3))
        kept[2] += 1

    hooks = [norm.register_forward_pre_hook(note) for norm in norms]
    for batch in batches:
        network(batch)
    for hook in hooks:
        hook.remove()
    found = []
    for norm in norms:
        total, squares, count = sums[id(norm)]
        mean = total / count
        found.append((mean, squares / count - mean**2))
    return found


def blend(before: bytes, after: bytes, kept: float) -> bytes:
    """Weights between those that a training started from and those that it ended with.

    ``kept`` is the share of the former, 0..1. What was learnt anew is nearly all kept, and so is
    what was known before (Wortsman et al., Robust Fine-Tuning of Zero-Shot Models, 2022). Both are
    ONNX files; KeyError where they are not of one network.
    """
    model = onnx.load_from_string(before)
    learnt = read_weights(after)
    for stored in model.graph.initializer:
        old = np.array(onnx.numpy_helper.to_array(stored))
        mixed = (kept * old + (1 - kept) * learnt[stored.name]).astype(np.float32)
        stored.CopyFrom(onnx.numpy_helper.from_array(mixed, stored.name))
    whole: bytes = model.SerializeToString()
    return whole
