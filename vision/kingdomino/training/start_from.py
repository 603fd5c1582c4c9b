"""Start a training of the classifier from weights trained before, and blend it with them."""

from __future__ import annotations

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.kingdomino.training.networks import SquareClassifier

__all__ = ["blend", "start_from"]


def start_from(network: SquareClassifier, weights: bytes, patches: Tensor) -> None:
    """Give the network the weights of an ONNX file written by ``save_onnx``.

    In the file batch normalisation is folded into the convolutions. Here it gets the statistics of
    ``patches`` (n, 3, 64, 64), -0.5..0.5, and undoes them again, so that the outputs are those of
    the file. ValueError for the file of another network.
    """
    graph = onnx.load_from_string(weights).graph
    stored = {each.name: torch.tensor(numpy_helper.to_array(each)) for each in graph.initializer}
    layers = [
        [stored[name] for name in node.input[1:] if name in stored]
        for node in graph.node
        if node.op_type in ("Conv", "Gemm")
    ]
    blocks = [each for each in network.features if isinstance(each, nn.Sequential)]
    expected = [tuple(block[0].weight.shape) for block in blocks]
    expected.append(tuple(network.head.weight.shape))
    if [tuple(layer[0].shape) for layer in layers] != expected:
        raise ValueError(f"expected layers {expected}, got other ones")
    with torch.no_grad():
        found = patches
        folded = iter(layers)
        for module in network.features:
            if isinstance(module, nn.Sequential):
                convolution, normalise, _ = module
                weight, bias = next(folded)
                convolution.weight.copy_(weight)
                found = convolution(found)
                deviation, mean = torch.var_mean(found, (0, 2, 3))
                normalise.running_mean.copy_(mean)
                normalise.running_var.copy_(deviation)
                normalise.weight.copy_(torch.sqrt(deviation + normalise.eps))
                normalise.bias.copy_(mean + bias)
                found = torch.relu(found + bias[:, None, None])
            else:
                found = module(found)
        weight, bias = next(folded)
        network.head.weight.copy_(weight)
        network.head.bias.copy_(bias)


def blend(before: bytes, after: bytes, kept: float) -> bytes:
    """Weights between those that a training started from and those that it ended with.

    ``kept`` is the share of the former, 0..1. What was learnt anew is nearly all kept, and so is
    what was known before (Wortsman et al., Robust Fine-Tuning of Zero-Shot Models, 2022). Both are
    ONNX files; KeyError where they are not of one network.
    """
    model = onnx.load_from_string(before)
    new = {each.name: each for each in onnx.load_from_string(after).graph.initializer}
    for stored in model.graph.initializer:
        old, learnt = (numpy_helper.to_array(each) for each in (stored, new[stored.name]))
        mixed = (kept * old + (1 - kept) * learnt).astype(np.float32)
        stored.CopyFrom(numpy_helper.from_array(mixed, stored.name))
    return model.SerializeToString()
