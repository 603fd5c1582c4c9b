"""The types of what is drawn, and of what it is drawn by."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]
Rng = np.random.Generator
