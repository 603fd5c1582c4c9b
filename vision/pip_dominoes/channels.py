"""What the numbers that come out of the networks mean; training and reading agree here."""

from __future__ import annotations

from vision.pip_dominoes.frames import FRAME_CHANNELS
from vision.pip_dominoes.patches import FACE_PX

__all__ = [
    "CENTRE",
    "CLASSES",
    "CORNERS",
    "FACE",
    "FACE_OTHERS",
    "FRAMES",
    "HALF_CLASSES",
    "KINDS",
    "LOCATOR_CHANNELS",
    "LOCATOR_STRIDE",
    "NO_HALF",
    "PIP_MAPS",
    "PIP_MAP_PX",
    "PIP_STRIDE",
]

# The locator's maps: the middle of a domino, whether a face is seen there, its frame.
CENTRE = 0
FACE = 1
FRAMES = slice(2, 2 + FRAME_CHANNELS)
LOCATOR_CHANNELS = FRAMES.stop
LOCATOR_STRIDE = 4

# The face reader: a map of pips, (height, width); then how far the corners lie beside the patch's
# rectangle and what kind of thing it is.
PIP_STRIDE = 2
PIP_MAPS = 1
PIP_MAP_PX = (FACE_PX[1] // PIP_STRIDE, FACE_PX[0] // PIP_STRIDE)
CORNERS = slice(0, 8)
# No domino's face, one with pips, one with figures.
KINDS = ("none", "pips", "figures")
CLASSES = slice(8, 8 + len(KINDS))
FACE_OTHERS = CLASSES.stop

# The half reader: 0 to 18, and no half of a domino's face.
NO_HALF = 19
HALF_CLASSES = 20
