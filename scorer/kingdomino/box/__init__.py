"""Check whether kingdoms can be made of the dominoes of the box, and of which."""

from scorer.kingdomino.box.check import BoxCheck, BoxReason, Verdict, box_check

__all__ = ["BoxCheck", "BoxReason", "Verdict", "box_check"]
