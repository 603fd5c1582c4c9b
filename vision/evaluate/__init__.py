"""Measure the reader on labelled folders: ``python -m vision.evaluate FOLDER``."""

from vision.evaluate.compare import Comparison, compare
from vision.evaluate.labels import LabelledKingdom, LabelledSquare, read_labels

__all__ = ["Comparison", "LabelledKingdom", "LabelledSquare", "compare", "read_labels"]
