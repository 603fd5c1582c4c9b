"""Drawn scenes, fitting and corpora: what makes the weights in models/; it is not installed."""

import os

# Torch reads it once, for its first tensor: large pages for large tensors, where Linux gives them,
# take a tenth of the time of a step on a CPU, most of it from clearing small ones.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")
