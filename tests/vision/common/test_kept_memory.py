"""Memory that comes and goes is kept by the process, where its allocator can be told."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# How many fresh pages a block that is taken and freed again and again costs, on average.
PROGRAM = """
import sys, resource, numpy as np
from vision.common.runtime import keep_freed_memory
if "keep" in sys.argv:
    keep_freed_memory()
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for round in range(10):
    if round == 5:
        before = faults()
    blocks = [bytearray(b"x" * 9_000_000) for _ in range(3)]
    del blocks
print((faults() - before) // 5)
"""


def pages_taken(*arguments: str) -> int:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return int(run.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc learns what is freed")
def test_freed_blocks_are_taken_again() -> None:
    assert pages_taken("keep") < 100 < 2000 < pages_taken()
