"""Runs node on the scripts of the pages, where it is installed."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from companion.web.shell.assets import WEB


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
