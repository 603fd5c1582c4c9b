"""Domino-Duell at the table: what its commands and its pages share."""

from companion.domino_duell.words import WORDS
from companion.languages import register

register(WORDS)
