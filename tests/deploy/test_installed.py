"""The packages as an installation holds them, used in a folder full of names like theirs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from vision.kingdomino.refit import sample_labels

ROOT = Path(__file__).parents[2]
SAMPLE = "complete-5x5.jpg"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a wheel holds, and nothing else of the project."""
    site = tmp_path_factory.mktemp("installed")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    unneeded = shutil.ignore_patterns("__pycache__")
    for package in packed["packages"]:
        shutil.copytree(ROOT / package, site / package, ignore=unneeded)
    for source, target in packed["force-include"].items():
        (site / target).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, site / target, ignore=unneeded)
        else:
            shutil.copy(ROOT / source, site / target)
    return site


@pytest.fixture(scope="module")
def run(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command in a folder whose own `models`, `app` and samples are in the way."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for name in ("models", "app", "sample_images"):
        (elsewhere / name).mkdir()
    (elsewhere / "models" / "locator.onnx").write_bytes(b"no network")
    (elsewhere / "app" / "__init__.py").write_text("raise SystemExit('the wrong app')\n")

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "companion.cli", *command],
            cwd=elsewhere,
            env={**os.environ, "PYTHONPATH": str(installed), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return run


def test_a_photo_is_read_with_the_weights_of_the_package(run: Run) -> None:
    done = run("kingdomino", "read", "--json", str(ROOT / "sample_images" / SAMPLE))
    assert done.returncode == 0, done.stderr
    (kingdom,) = json.loads(done.stdout)["kingdoms"]
    assert kingdom["kingdom"] == str(sample_labels()[SAMPLE])


def test_the_page_and_its_samples_come_along(installed: Path) -> None:
    code = (
        "from companion.cli.app import script\n"
        "from vision.kingdomino.refit import sample_folder\n"
        "print(script(), sample_folder(), sep='\\n')"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(installed)},
        cwd=installed.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    page, samples = map(Path, told.splitlines())
    assert page.is_file()
    assert (samples / SAMPLE).is_file()
    assert all(installed.resolve() in path.resolve().parents for path in (page, samples))


def test_type_checkers_are_told_that_the_packages_have_types(installed: Path) -> None:
    packages = sorted(path.name for path in installed.iterdir())
    assert packages == ["companion", "scorer", "vision"]
    for package in packages:
        assert (installed / package / "py.typed").is_file()


@pytest.mark.parametrize("arguments", [("kingdomino", "--version"), ("--version",)])
def test_the_version_is_told(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 0
    assert done.stdout.split()[-1]
