"""Composed and drawn scenes of Kingdomino, for training and for the samples."""
