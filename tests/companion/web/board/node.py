"""Runs node and the TypeScript compiler on the board's modules, where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.web.board.bundle import STATIC

__all__ = ["MODULES", "run_node", "tsc_command"]

MODULES = Path(__file__).parent / "modules"


def run_node(
    *arguments: str, text: str = "", modules: Path = STATIC, name: str = "BOARD_MODULES"
) -> str:
    """What node prints; the test is skipped where there is no node, and fails with its errors.

    The scripts find the ``modules`` under the ``name`` of an environment variable.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, name: str(modules)},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tsc_command() -> list[str]:
    """The TypeScript compiler; the test is skipped where there is none. ``TSC`` names one."""
    tsc = os.environ.get("TSC") or shutil.which("tsc")
    if tsc is None:
        pytest.skip("the TypeScript compiler is not installed; TSC names one")
    return [tsc]
