"""Scorers, a room for each game of the domino family."""
