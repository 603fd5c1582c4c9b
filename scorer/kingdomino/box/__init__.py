"""Check whether kingdoms can be made of the dominoes of the box, and of which."""

from scorer.kingdomino.box.check import box_check
from scorer.kingdomino.box.outcome import BoxCheck, BoxReason, Verdict

__all__ = ["BoxCheck", "BoxReason", "Verdict", "box_check"]
