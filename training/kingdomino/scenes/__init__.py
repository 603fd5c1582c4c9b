"""Synthetic scenes of Kingdomino, composed or drawn, for training and for the sample pictures."""
