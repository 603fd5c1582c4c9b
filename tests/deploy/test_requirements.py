"""Pinned versions and their hashes say the same everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from deploy.audit import pins
from deploy.bill_of_materials import Pinned, read_requirements

ROOT = Path(__file__).parents[2]
CONSTRAINTS = pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def hashed(name: str) -> dict[str, Pinned]:
    found = read_requirements((ROOT / name).read_text(encoding="utf-8"))
    packages = {re.sub(r"[-_.]+", "-", each.name).lower(): each for each in found}
    assert len(packages) == len(found)
    return packages


@pytest.mark.parametrize("name", ["hashes.txt", "deploy/requirements.txt"])
def test_lists_of_hashes_hold_names_versions_and_hashes_only(name: str) -> None:
    packages = hashed(name).values()
    assert packages
    assert all(each.hashes for each in packages)
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_every_pinned_package_has_its_hashes() -> None:
    versions = {name: each.version for name, each in hashed("hashes.txt").items()}
    assert versions == CONSTRAINTS


def test_a_server_installs_what_is_pinned() -> None:
    server, everything = hashed("deploy/requirements.txt"), hashed("hashes.txt")
    for name, package in server.items():
        assert package.version == CONSTRAINTS[name]
        assert set(package.hashes) <= set(everything[name].hashes)
    wanted = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["postgres"],
    ]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=]", each)[0]).lower() for each in wanted}
    assert names <= server.keys()
    assert not {"pytest", "torch", "dask", "ruff", "playwright"} & server.keys()


def test_the_build_backend_is_pinned_with_what_it_needs() -> None:
    assert PROJECT["build-system"]["requires"] == [f"hatchling=={CONSTRAINTS['hatchling']}"]
    server = hashed("deploy/requirements.txt").keys()
    assert {
        "hatchling",
        "packaging",
        "pathspec",
        "pluggy",
        "tomlkit",
        "trove-classifiers",
    } <= server


LOADED_BY_NAME = {"onnxruntime"}
"""Imported where it is installed, else done without."""


def imported_anywhere() -> set[str]:
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for part in ("benchmarks", "companion", "deploy", "scorer", "tests", "vision")
        for path in (ROOT / part).rglob("*.py")
    )
    return set(re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE))


def test_every_dependency_is_used() -> None:
    modules = {
        "opencv-python": "cv2",
        "pillow": "PIL",
        "pi-heif": "pi_heif",
        "scikit-learn": "sklearn",
    }
    names = {re.split(r"[\[<>=]", each)[0] for each in PROJECT["project"]["dependencies"]}
    used = imported_anywhere()
    assert {name for name in names if modules.get(name, name) not in used} - LOADED_BY_NAME == set()
