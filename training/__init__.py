"""Drawn scenes, fitting and corpora: what makes the weights in models/; no part of what is
installed.
"""
