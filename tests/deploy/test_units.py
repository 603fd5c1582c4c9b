"""The units of systemd, as far as it says itself that they are right."""

from __future__ import annotations

import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest

from companion.cli.companion_command import build_parser

FOLDER = Path(__file__).parents[2] / "deploy"
UNITS = ("companion.service", "companion-backup.service", "companion-backup.timer")


def unit(name: str) -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(FOLDER / name, encoding="utf-8")
    return parser


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_fault(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    program = tmp_path / "companion"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for each in UNITS:
        text = (FOLDER / each).read_text(encoding="utf-8")
        (tmp_path / each).write_text(text.replace("/opt/companion/bin/companion", str(program)))
    command = ["systemd-analyze", "verify", "--man=no", str(tmp_path / name)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert name not in done.stderr


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service"])
def test_a_service_runs_a_command_that_there_is(name: str) -> None:
    service = unit(name)["Service"]
    program, *arguments = service["ExecStart"].split()
    assert program == "/opt/companion/bin/companion"
    assert callable(build_parser().parse_args(arguments).run)
    assert service["DynamicUser"] == "yes"
    assert service["User"] == unit("companion.service")["Service"]["User"]
    assert service["ProtectSystem"] == "strict"
    assert service["StateDirectory"] == "companion"
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert re.search(r"XDG_DATA_HOME=/var/lib/companion", text)


def test_the_backup_comes_every_night() -> None:
    assert unit("companion-backup.timer")["Timer"]["OnCalendar"] == "*-*-* 04:00:00"
