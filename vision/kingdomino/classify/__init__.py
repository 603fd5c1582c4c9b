"""Classify each cell of a lattice."""
