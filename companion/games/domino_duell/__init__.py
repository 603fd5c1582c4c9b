"""Domino-Duell at the table: what its commands and its pages share."""
