"""The last layer of the network of squares: taken out, replaced, and what goes into it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from vision.common.network import Network
from vision.common.onnx_tensors import read_tensor, with_tensors
from vision.common.stored_head import HeadError, StoredHead
from vision.kingdomino.classify.squares import raw_outputs
from vision.kingdomino.labels import OUTPUTS

__all__ = ["Head", "HeadError", "features_of"]

Floats = NDArray[np.float32]
_WEIGHT, _BIAS = "head.weight", "head.bias"


@dataclass(frozen=True, eq=False)
class Head(StoredHead):
    """The last layer of the network of squares; ``network`` is the SHA-256 of its file."""

    outputs: ClassVar[int] = len(OUTPUTS)

    @classmethod
    def of(cls, model: bytes) -> Head:
        """The last layer of an ONNX file of the network of squares."""
        return cls(read_tensor(model, _WEIGHT), read_tensor(model, _BIAS), _digest(model))

    def put_into(self, model: bytes) -> bytes:
        """The network with this last layer. HeadError ``other_network`` for another one."""
        if _digest(model) != self.network:
            raise HeadError("other_network")
        return with_tensors(model, {_WEIGHT: self.weight, _BIAS: self.bias})


def _digest(model: bytes) -> str:
    return hashlib.sha256(model).hexdigest()


def features_of(model: bytes, patches: NDArray[np.uint8]) -> Floats:
    """What goes into the last layer, (n, features), for patches (n, 64, 64, 3).

    The network has one output only: a last layer that hands some features through shows them, a
    few at a time.
    """
    head = Head.of(model)
    outputs, features = head.weight.shape
    if not len(patches):
        return np.zeros((0, features), np.float32)
    shown = []
    for first in range(0, features, outputs):
        weight = np.zeros_like(head.weight)
        for row in range(min(outputs, features - first)):
            weight[row, first + row] = 1
        window = Head(weight, np.zeros_like(head.bias), head.network)
        found = raw_outputs(Network(window.put_into(model)), patches)
        shown.append(found[:, : features - first])
    return np.asarray(np.concatenate(shown, 1), np.float32)
