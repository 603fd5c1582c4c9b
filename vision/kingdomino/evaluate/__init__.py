"""Measure the reader on labelled folders: ``python -m vision.kingdomino.evaluate FOLDER``."""

from vision.kingdomino.evaluate.compare import Comparison, compare
from vision.kingdomino.evaluate.ground_truth import LabelledKingdom, LabelledSquare, read_labels

__all__ = ["Comparison", "LabelledKingdom", "LabelledSquare", "compare", "read_labels"]
