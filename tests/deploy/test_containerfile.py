"""The Containerfile: no engine builds it here, so its promises are read from it."""

from __future__ import annotations

import json
import re
import urllib.error
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "deploy/Containerfile").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    lines = [line for line in TEXT.replace("\\\n", " ").splitlines() if line.strip()]
    return [
        (words[0], words[1])
        for line in lines
        if not line.startswith("#") and (words := line.split(maxsplit=1))
    ]


def last(name: str) -> str:
    return next(rest for key, rest in reversed(instructions()) if key == name)


def test_every_instruction_is_known_and_images_name_no_host() -> None:
    known = {"ARG", "FROM", "WORKDIR", "RUN", "COPY", "ENV", "VOLUME", "USER", "EXPOSE"}
    known |= {"HEALTHCHECK", "CMD"}
    assert {name for name, _ in instructions()} <= known
    for name, rest in instructions():
        if name == "FROM":
            assert re.fullmatch(r"python:\$\{PYTHON\}-slim( AS build)?", rest)


def test_only_packages_with_known_hashes_are_installed() -> None:
    installs = re.findall(r"pip install (.*)", TEXT)
    assert len(installs) == 2
    assert "--require-hashes -r deploy/requirements.txt" in installs[0]
    assert {"--no-deps", "--no-build-isolation"} <= set(installs[1].split())
    requirements = (ROOT / "deploy/requirements.txt").read_text(encoding="utf-8")
    backend = re.search(r'requires = \["(.*)"\]', (ROOT / "pyproject.toml").read_text("utf-8"))
    assert backend
    assert f"\n{backend[1]} " in requirements


def test_the_app_runs_without_privileges_and_writes_to_one_folder() -> None:
    assert last("USER") == "10001"
    assert last("VOLUME") == "/data"
    assert "XDG_DATA_HOME=/data" in TEXT
    assert "HOME=/data" in TEXT
    assert json.loads(last("CMD")) == ["companion", "app", "--no-browser"]


def test_the_health_check_fails_where_nothing_answers() -> None:
    command = json.loads(last("HEALTHCHECK").split("CMD", 1)[1])
    assert command[:2] == ["python", "-c"]
    nowhere = command[2].replace(":8501", ":9")
    assert nowhere != command[2]
    with pytest.raises(urllib.error.URLError):
        exec(nowhere, {})


def test_secrets_and_environments_stay_out_of_the_image() -> None:
    ignored = (ROOT / ".containerignore").read_text(encoding="utf-8").split()
    assert {".git", ".venv*", "data", "deploy/certificates", "deploy/.env"} <= set(ignored)
