"""The last layers of the network of squares that are fitted for this user."""

from __future__ import annotations

from companion.own_heads import OwnHeads

__all__ = ["HEADS", "use_own_head"]

# As in ``vision.kingdomino.weights``, which loads OpenCV: not before there is a photo to read.
HEADS = OwnHeads("squares", "KINGDOMINO_OWN_HEAD")

use_own_head = HEADS.use
