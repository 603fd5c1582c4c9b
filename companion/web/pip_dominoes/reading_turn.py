"""Photos of hands are read by the workers that everybody shares; the others wait their turn."""

from __future__ import annotations

from companion.pip_dominoes.hand_reading import HandReading
from companion.pip_dominoes.isolated_reading import read_hand_isolated
from companion.pip_dominoes.table import ReadHand
from companion.web.visit import Visit

__all__ = ["reader_of"]


def reader_of(visit: Visit) -> ReadHand:
    """Reads photos for a visitor, who is told how many are read before. PhotoError as it does."""

    def read(data: bytes, highest: int) -> HandReading:
        with visit.house.waiting.told(visit.device) as on_waiting:
            return read_hand_isolated(data, highest, on_waiting)

    return read
