"""Garbage collected on a clock instead of after each run of a page."""

from __future__ import annotations

import gc
import threading

__all__ = ["COLLECT_EVERY_S", "collect_on_a_clock"]

COLLECT_EVERY_S = 10.0


def collect_on_a_clock(every_s: float = COLLECT_EVERY_S) -> threading.Event:
    """Collect all garbage every so many seconds, for good; setting the event ends it.

    Who has left is known by what nobody refers to any more, and a session of Streamlit is full of
    cycles. Python alone would look for them at some time, so this says when at the latest.
    """
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(every_s):
            gc.collect()

    threading.Thread(target=work, name="garbage", daemon=True).start()
    return ended
