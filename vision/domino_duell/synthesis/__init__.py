"""Drawn pictures of Domino-Duell: stones, boards and tables, for training and measuring."""
