"""Drawn dominoes on drawn or photographed tables, with the truth about each."""
