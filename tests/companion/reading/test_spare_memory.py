from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

from companion.reading import worker
from companion.reading.worker import give_spare_memory_back


def held_kib() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be asked")
def test_what_lies_between_things_in_use_goes_back() -> None:
    # Below the size from which on each block is given back by itself.
    blocks = [np.ones(12_000, np.uint8) for _ in range(8_000)]
    kept = blocks[::40]
    del blocks
    before = held_kib()
    assert give_spare_memory_back()
    assert held_kib() < before - 40_000
    assert len(kept) == 200


def test_other_systems_keep_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_trim", lambda: None)
    assert not give_spare_memory_back()
