"""Kingdomino for people: readings and scores in words, corrections."""
