"""Runs node and the TypeScript compiler on the scripts of the pages, where they are installed."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from companion.web.shell.assets import WEB

__all__ = ["run_node", "tsc_command"]


def run_node(*arguments: str, text: str = "") -> str:
    """What node prints; the test is skipped where there is no node, and fails with its errors.

    Scripts find those of the pages below the folder that the environment names ``WEB``.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run(
        [node, *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "WEB": str(WEB)},
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
