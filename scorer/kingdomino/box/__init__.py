"""Whether kingdoms can come from the box, and from which dominoes."""

from scorer.kingdomino.box.check import BoxCheck, BoxReason, Verdict, box_check

__all__ = ["BoxCheck", "BoxReason", "Verdict", "box_check"]
