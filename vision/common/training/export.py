"""Export a trained network to an ONNX file of standard operators that OpenCV can run."""

from __future__ import annotations

import copy
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

__all__ = ["average_weights", "save_onnx"]


def average_weights(network: nn.Module, decay: float) -> AveragedModel:
    """An exponential moving average of weights and batch statistics, which is more accurate."""
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(decay), use_buffers=True)


def _fold_batch_norm(network: nn.Module) -> nn.Module:
    """A copy for inference with batch normalisation folded into the preceding convolutions."""
    ready = copy.deepcopy(network).eval().float().to(memory_format=torch.contiguous_format)
    for module in ready.modules():
        if isinstance(module, nn.Sequential):
            for at in range(len(module) - 1):
                first, second = module[at], module[at + 1]
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    module[at] = torch.nn.utils.fusion.fuse_conv_bn_eval(first, second)
                    module[at + 1] = nn.Identity()
    folded: nn.Module = ready
    return folded


def save_onnx(network: nn.Module, example: Tensor, path: Path, *, dynamic_size: bool) -> None:
    """Write the network as ONNX with a dynamic batch size.

    ``example`` is an input (n, channels, h, w), or (n, t, features) of so many tokens. With
    ``dynamic_size`` height and width, or the number of tokens, are dynamic too.
    """
    sizes = {1: "t"} if example.ndim == 3 else {2: "h", 3: "w"}
    axes = {0: "n", **sizes} if dynamic_size else {0: "n"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        _fold_batch_norm(network),
        (example,),
        str(path),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes if dynamic_size else {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    # The exporter records the source line of every node, with paths; inference needs none.
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, str(path))
