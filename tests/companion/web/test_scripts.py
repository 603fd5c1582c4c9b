"""The types of every script of the pages, under the TypeScript compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import companion.web
from tests.companion.web.board.node import tsc_command

WEB = Path(companion.web.__file__).parent
PROJECTS = sorted(WEB.glob("*/jsconfig.json"))


def checked(project: Path) -> list[str]:
    """The files of the companion that the compiler looks at, and what it finds wrong."""
    done = subprocess.run(
        [*tsc_command(), "-p", str(project), "--listFiles"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.parent.name)
def test_types(project: Path) -> None:
    seen = {Path(line).resolve() for line in checked(project) if line.endswith(".mjs")}
    assert seen >= {path.resolve() for path in (project.parent / "static").glob("*.mjs")}


def test_every_script_asks_to_be_checked() -> None:
    scripts = sorted(WEB.rglob("*.mjs"))
    assert len(scripts) > 50
    projects = {project.parent / "static" for project in PROJECTS}
    for script in scripts:
        assert script.parent in projects, script
        assert script.read_text(encoding="utf-8").startswith("// @ts-check\n"), script.name
