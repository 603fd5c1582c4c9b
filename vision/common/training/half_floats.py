"""Weights stored in 16 bits instead of 32, for half the file; they are run in 32 as before."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

__all__ = ["store_in_16_bits"]

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
