"""Drawn scenes, fitting and corpora: what makes the weights in models/; it is not installed."""
