"""Corpora, networks and the commands that make the weights of the Kingdomino reader."""
