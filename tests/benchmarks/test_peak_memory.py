from __future__ import annotations

import builtins
import math
import sys
from typing import Any

import pytest

from benchmarks.peak_memory import peak_mb


@pytest.mark.skipif(sys.platform == "win32", reason="told by Unix")
def test_the_peak_of_this_process_is_that_of_a_python() -> None:
    assert 5 < peak_mb() < 64_000


def test_nothing_is_told_where_the_system_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "resource":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert math.isnan(peak_mb())
