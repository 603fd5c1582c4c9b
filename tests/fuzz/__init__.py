"""Mutated pictures of every format against the decoder: `python -m tests.fuzz --minutes N`."""
