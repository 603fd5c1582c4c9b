from __future__ import annotations

import gc
import time
import weakref

from companion.web.startup import collect_periodically


class _Cycle:
    def __init__(self) -> None:
        self.own = self


def test_cycles_are_gone_after_the_time_though_nobody_asks() -> None:
    gc.disable()
    try:
        ended = collect_periodically(0.01)
        gone = weakref.ref(_Cycle())
        until = time.monotonic() + 20
        while gone() is not None and time.monotonic() < until:
            time.sleep(0.01)
        assert gone() is None
        ended.set()
    finally:
        gc.enable()
