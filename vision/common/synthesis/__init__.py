"""Photometric augmentation and table tops for synthetic pictures of any game."""
