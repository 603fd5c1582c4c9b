"""A last layer fitted for one user: kept in a file without code, and found by the environment."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import ClassVar, Self, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

__all__ = ["HeadError", "StoredHead", "head_named_by"]

_LOG = logging.getLogger(__name__)


class HeadError(Exception):
    """A last layer that can't be used: ``not_a_head``, ``other_network``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, eq=False)
class StoredHead:
    """A last layer: ``weight`` (outputs, features) and ``bias`` (outputs,).

    ``network`` is the SHA-256 of the weights whose other layers it belongs to. Each reader says
    how many ``outputs`` and ``features`` its layer has; 0 is any number.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    network: str

    outputs: ClassVar[int] = 0
    features: ClassVar[int] = 0

    def to_bytes(self) -> bytes:
        """The content of a file ``.npz``, for ``load``."""
        file = BytesIO()
        np.savez(file, weight=self.weight, bias=self.bias, network=np.array(self.network))
        return file.getvalue()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file with the content of ``to_bytes``. OSError, HeadError ``not_a_head``."""
        data = path.read_bytes()
        try:
            with np.load(BytesIO(data), allow_pickle=False) as stored:
                head = cls(stored["weight"], stored["bias"], str(stored["network"]))
        except (ValueError, KeyError, EOFError, BadZipFile, OSError):
            raise HeadError("not_a_head") from None
        if not head._fits():
            raise HeadError("not_a_head")
        return head

    def _fits(self) -> bool:
        if self.weight.ndim != 2 or self.weight.shape[:1] != self.bias.shape:
            return False
        wanted = (self.outputs or len(self.weight), self.features or self.weight.shape[1])
        finite = np.isfinite(self.weight).all() and np.isfinite(self.bias).all()
        return self.weight.shape == wanted and bool(finite)


_Head = TypeVar("_Head", bound=StoredHead)


def head_named_by(variable: str, load: Callable[[Path], _Head]) -> _Head | None:
    """The last layer in the file that an environment variable names, None where it names none.

    One that ``load`` can't use any more, because the shipped weights are others now, is left out.
    """
    named = os.environ.get(variable)
    if not named:
        return None
    try:
        return load(Path(named))
    except (OSError, HeadError) as error:
        _LOG.warning("refitted last layer left out: %s", getattr(error, "code", "not readable"))
        return None
