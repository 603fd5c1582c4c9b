"""From a trained network to an ONNX file of standard operators that OpenCV reads."""

from __future__ import annotations

import copy
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

__all__ = ["averaged", "save_onnx"]


def averaged(network: nn.Module, decay: float) -> AveragedModel:
    """A running mean of the weights and of the batch statistics, which reads better."""
    return AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(decay), use_buffers=True)


def _folded(network: nn.Module) -> nn.Module:
    """A copy ready to read: batch normalisation folded into the convolutions before it."""
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
    """Write the network; the batch size is free, height and width too with ``dynamic_size``."""
    axes = {0: "n", 2: "h", 3: "w"} if dynamic_size else {0: "n"}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        _folded(network),
        (example,),
        str(path),
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes if dynamic_size else {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(path))
    # The exporter leaves the place of every line of source; nobody needs it to read.
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, str(path))
