"""Pip dominoes for people: hands from photos, score sheets, and their words."""
