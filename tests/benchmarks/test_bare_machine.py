"""What the set-up asks a person to type is found in what it prints, and is one line."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.bare_machine import line_to_type, pip_fetched_mb, running_in

ROOT = Path(__file__).parents[2]


def test_the_line_is_found() -> None:
    said = "Type this:\n    sudo apt-get update && sudo apt-get install -y x\n"
    assert line_to_type(said) == "sudo apt-get update && sudo apt-get install -y x"
    assert line_to_type("all is well\n") is None


def test_what_pip_fetched_is_added_up() -> None:
    log = (
        "  Downloading a-1.whl (1.5 MB)\n  Downloading b.whl.metadata (250 kB)\n  Using cached c\n"
    )
    assert pip_fetched_mb(log) == pytest.approx(1.75)


@pytest.mark.skipif(not Path("/proc/self/root").exists(), reason="there is no /proc")
def test_what_runs_in_a_root_is_found(tmp_path: Path) -> None:
    assert os.getpid() in running_in(Path(os.readlink("/proc/self/root")))
    assert running_in(tmp_path) == []


def fake(folder: Path, name: str, script: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("python", "asked"),
    [
        # No venv in this Python: everything that will be missing is asked for at once.
        (
            'case "$2" in *ensurepip*) exit 1;; *%*) echo python3.11;; esac',
            "python3.11-venv libgl1",
        ),
        # Any library that the loader misses, whatever its name.
        (
            'case "$2" in *cv2*)'
            ' echo "ImportError: libnew.so.3: cannot open shared object file" >&2; exit 1;; esac;'
            ' if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi',
            "-y libgl1 libglib2.0-0",
        ),
    ],
)
def test_one_line_names_what_is_missing(tmp_path: Path, python: str, asked: str) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    fake(programs, "python3", python)
    fake(programs, "apt-get", "exit 1")
    fake(programs, "id", "echo 1000")
    fake(programs, "sudo", "exit 1")
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "set_up")],
        env={"PATH": f"{programs}:/usr/bin:/bin", "VENV": str(tmp_path / "venv")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = line_to_type(done.stderr)
    assert done.returncode == 1
    assert line is not None
    assert asked in line
    assert "Traceback" not in done.stderr
