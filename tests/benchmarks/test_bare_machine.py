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


@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("Linux x86_64 macOS  linux-x86_64 64", None),
        ("Linux x86_64 macOS  linux-x86_64-musl 64", "a Linux with musl"),
        ("Linux i686 macOS  linux-i686 32", "a system of 32 bits"),
        ("Windows ARM64 macOS  win-arm64 64", "Windows on ARM"),
        ("Darwin arm64 macOS 13.6.1 macosx-13.0-arm64 64", "macOS before 14"),
        ("Darwin arm64 macOS 14.0 macosx-14.0-arm64 64", None),
    ],
)
def test_a_system_that_lacks_something_is_told_in_a_sentence(
    tmp_path: Path, system: str, told: str | None
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    answers = f'*mac_ver*) echo "{system}";; pip) echo installed >&2; exit 3;;'
    makes = 'venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python";;'
    fake(programs, "python3", f'case "$2" in {answers} {makes} esac')
    done = subprocess.run(
        ["bash", str(ROOT / ".ci" / "set_up")],
        env={"PATH": f"{programs}:/usr/bin:/bin", "VENV": str(tmp_path / "venv")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if told is None:
        assert done.stderr == "installed\n"
    else:
        assert f"not made for {told}" in done.stderr
        assert len(done.stderr.splitlines()) == 1


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
