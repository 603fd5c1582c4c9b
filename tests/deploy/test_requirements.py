"""Pinned versions and their hashes say the same everywhere, and known faults are found."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from deploy.audit import main, outdated, pins, report
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


SAFE = {"name": "numpy", "version": "2", "vulns": []}
WEAK = {
    "name": "pillow",
    "version": "13.0.0",
    "vulns": [{"id": "CVE-1", "fix_versions": ["13.0.1"]}, {"id": "CVE-2", "fix_versions": []}],
}
UNKNOWN = {"name": "scipy", "skip_reason": "not found"}


def test_pins_are_read_by_their_normal_names() -> None:
    text = "PyYAML==6.0.3\n\npi_heif==1.4.0 ; sys_platform == 'win32'\n# a word\n"
    assert pins(text) == {"pyyaml": "6.0.3", "pi-heif": "1.4.0"}


def test_only_other_versions_are_outdated() -> None:
    assert outdated({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "3"}) == {
        "b": ("1", "2")
    }


def test_nobody_is_called_safe_of_whom_nothing_is_known() -> None:
    assert report({"dependencies": [SAFE]})[1] == 0
    assert report({"dependencies": [SAFE, UNKNOWN]})[1] == 3
    assert report({"dependencies": []})[1] == 3
    lines, code = report({"dependencies": [SAFE, WEAK, UNKNOWN]})
    assert code == 1
    assert lines == [
        "  pillow 13.0.0: CVE-1, mended in 13.0.1",
        "  pillow 13.0.0: CVE-2, mended in no version yet",
        "2 of 3 packages could be looked up",
    ]


def test_the_whole_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / name for name in ("constraints", "newest", "answer")]
    files[0].write_text("numpy==2\n")
    files[1].write_text("numpy==3\n")
    files[2].write_text(json.dumps({"dependencies": [SAFE]}))
    assert main([str(file) for file in files]) == 0
    told = capsys.readouterr().out
    assert "numpy 2, newest that fits: 3" in told
    files[2].write_text("")
    assert main([str(file) for file in files]) == 3
    assert "no vulnerability service answers" in capsys.readouterr().out
