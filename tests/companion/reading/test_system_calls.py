"""Reading a photograph sends nothing, looks nothing up and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vision.kingdomino.refit import sample_folder

ROOT = Path(__file__).parents[3]
PHOTO = str(sample_folder() / "complete-5x5.jpg")

READ_HERE = "import sys, vision; print(len(vision.read_kingdoms(sys.argv[1]).kingdoms))"
READ_IN_WORKER = """
import sys
from companion.reading.kingdomino import KINGDOMS
from companion.reading.pool import PoolSettings, WorkerPool
with WorkerPool(KINGDOMS.task, PoolSettings(workers=1)) as pool:
    reading = KINGDOMS.ask(open(sys.argv[1], "rb").read(), pool=pool)
print(len(reading.kingdoms))
"""
LOAD_EVERYTHING = """
import altair, cv2, highspy, joblib, pi_heif, PIL.Image, scipy.optimize, sklearn.linear_model
import streamlit
import companion.web.routes
from vision.common.network import load_onnxruntime
load_onnxruntime()
print(1)
"""
WAYS = {
    "a process of its own": ["-c", READ_HERE, PHOTO],
    "a worker": ["-c", READ_IN_WORKER, PHOTO],
    "the command": ["-m", "companion.cli.kingdomino", "read", PHOTO],
    "all libraries": ["-c", LOAD_EVERYTHING],
}

TRACED = "socket,connect,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat,rename,renameat2"
# What asks the network: sockets of the internet, and the files that say who knows names.
ASKED = re.compile(r"sa_family=AF_INET|AF_NETLINK|nscd/socket|/etc/(resolv\.conf|hosts)\b")
MADE = re.compile(r"O_CREAT|\b(creat|mkdir(at)?|rename(at2)?)\(")


def left_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(
    "way",
    [pytest.param(way, marks=() if way == "the command" else pytest.mark.slow) for way in WAYS],
)
def test_nothing_is_sent_looked_up_or_left_behind(way: str, tmp_path: Path) -> None:
    home, scratch, trace = tmp_path / "home", tmp_path / "scratch", tmp_path / "trace"
    home.mkdir()
    scratch.mkdir()
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "ORT_", "KINGDOMINO_"))
    }
    folders = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), str(home))
    folders |= dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(scratch))
    own = {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT), "NUMEXPR_MAX_THREADS": "1"}
    command = [sys.executable, *WAYS[way]]
    strace = shutil.which("strace")
    if strace:
        command = [strace, "-f", "-qq", "-e", f"trace={TRACED}", "-o", str(trace), *command]
    run = subprocess.run(
        command,
        cwd=scratch,
        env={**kept, **folders, **own},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert left_in(home) == left_in(scratch) == []
    if strace is None:
        pytest.skip("no strace here: only the folders were looked at")
    calls = trace.read_text(encoding="utf-8", errors="replace").splitlines()
    assert len(calls) > 100
    assert [call for call in calls if ASKED.search(call)] == []
    made = [call for call in calls if MADE.search(call) and "= -1" not in call]
    assert [call for call in made if '"/dev/' not in call] == []


def test_onnxruntime_has_one_door() -> None:
    """Loaded by another way it would report before anybody could tell it not to."""
    loads = re.compile(r"""(import(_module|orskip)?[ (]+["']?|from )onnxruntime\b""")
    found = [
        str(path.relative_to(ROOT))
        for part in ("benchmarks", "companion", "deploy", "tests", "training", "vision")
        for path in sorted((ROOT / part).rglob("*.py"))
        if loads.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
