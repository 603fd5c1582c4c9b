"""The distribution as people get it: built, complete, and installed where nothing else is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from deploy.release_notes import main, notes_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PROGRAMS = "Scripts" if os.name == "nt" else "bin"
WORKFLOWS = ROOT / ".github" / "workflows"


def test_a_script_is_named_like_the_distribution() -> None:
    assert PROJECT["name"] in PROJECT["scripts"]
    assert PROJECT["scripts"][PROJECT["name"]] == PROJECT["scripts"]["companion"]


def test_the_changes_of_this_version_are_written() -> None:
    notes = notes_of(PROJECT["version"])
    assert notes.startswith("### Added\n")
    assert "\n## " not in notes


def test_a_version_is_told_apart_from_those_that_begin_or_end_like_it() -> None:
    changes = (
        "# Changes\n\n## 0.2.0.1\nA\n\n## 10.2.0\nB\n\n## 0.2.0 (2026-11-01)\nC\n\n## 0.1.0\nD\n"
    )
    assert notes_of("0.2.0", changes) == "C"


def test_notes_of_a_version_that_never_was(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"no section for 0\.0\.7"):
        notes_of("0.0.7")
    assert main([PROJECT["version"]]) == 0
    assert capsys.readouterr().out.strip() == notes_of(PROJECT["version"])
    assert main(["0.0.7"]) == 1


def test_what_is_published_was_tested_and_says_where_it_came_from() -> None:
    text = (WORKFLOWS / "publish.yml").read_text(encoding="utf-8")
    assert "://" not in text
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert jobs["publish"]["needs"] == "build"
    assert jobs["build"]["needs"] == "tests"
    assert not re.search(r"password|secrets\.", text)


def run(*command: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONPATH"}
    return subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**environment, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the build backend and uv; its programs' folder."""
    folder = tmp_path_factory.mktemp("tools") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = (folder / PROGRAMS / "python", "-m", "pip")
    done = run(*pip, "install", "-c", ROOT / "constraints.txt", "hatchling", "uv")
    if done.returncode:
        pytest.skip("no package index can be reached")
    return folder / PROGRAMS


@pytest.fixture(scope="module")
def built(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that was built of it."""
    folder = tmp_path_factory.mktemp("built")
    python = tools / "python"
    done = run(python, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    (source,) = folder.glob("*.tar.gz")
    done = run("tar", "-xzf", source, "-C", folder)
    assert done.returncode == 0, done.stderr
    (unpacked,) = (each for each in folder.iterdir() if each.is_dir())
    done = run(python, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=unpacked)
    assert done.returncode == 0, done.stderr
    return folder


def tracked(*folders: str) -> set[str]:
    listed = run("git", "ls-files", *folders, cwd=ROOT).stdout
    return set(listed.splitlines())


@pytest.mark.slow
def test_both_distributions_are_complete(built: Path) -> None:
    (wheel,), (source,) = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    assert tracked("companion", "scorer", "vision") <= inside
    samples = {f"vision/{name}" for name in tracked("models", "sample_images")}
    assert samples <= inside
    assert {"companion/streamlit_app.py", "companion/.streamlit/config.toml"} <= inside
    folders = {name.partition("/")[0] for name in inside}
    assert folders - {"companion", "scorer", "vision"} == {
        f"kingdomino_scorer-{PROJECT['version']}.dist-info"
    }
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked() <= names
    assert wheel.stat().st_size < 20_000_000


@pytest.mark.slow
def test_the_wheel_works_where_nothing_else_is(tools: Path, built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    uv, programs = tools / "uv", tmp_path / "empty" / PROGRAMS
    # pip would fetch and compile everything for minutes.
    done = run(uv, "venv", "--python", tools / "python", tmp_path / "empty")
    assert done.returncode == 0, done.stderr
    of_it = ("--python", programs / "python")
    done = run(uv, "pip", "install", *of_it, "-c", ROOT / "constraints.txt", wheel)
    assert done.returncode == 0, done.stderr
    sample = ROOT / "sample_images" / "complete-5x5.jpg"
    done = run(programs / "kingdomino", "read", "--json", sample, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kingdoms"]
    for script in PROJECT["scripts"]:
        done = run(programs / script, "--version", cwd=tmp_path)
        assert (done.returncode, done.stdout.split()[-1]) == (0, PROJECT["version"]), script
    assert run(uv, "pip", "check", *of_it).returncode == 0
