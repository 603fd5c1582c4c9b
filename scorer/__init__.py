"""Scorers, a package for each game of the domino family."""
