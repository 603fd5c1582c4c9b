"""Measure the Kingdomino reader on labelled folders: ``python -m benchmarks.kingdomino_photos
FOLDER``.
"""

from __future__ import annotations

from benchmarks.kingdomino_photos.comparison import Comparison, compare
from training.kingdomino.corpus import LabelledKingdom, LabelledSquare, read_labels

__all__ = ["Comparison", "LabelledKingdom", "LabelledSquare", "compare", "read_labels"]
