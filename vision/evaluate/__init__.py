"""Measure the Kingdomino reader: ``python -m vision.evaluate FOLDER``."""
