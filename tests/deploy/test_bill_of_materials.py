from __future__ import annotations

import json
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

from deploy.bill_of_materials import (
    REQUIREMENTS,
    Pinned,
    bill_of_materials,
    main,
    read_requirements,
)

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "deploy/bill_of_materials.json"
LICENCES = {"pi_heif": "BSD-3-Clause AND LGPL-3.0-or-later"}
PROJECT = {"name": "kingdomino-scorer", "version": "1.0", "license": "MIT"}


def test_requirements_are_read() -> None:
    text = (
        f"colorama==0.4.6 ; sys_platform == 'win32' \\\n    --hash=sha256:{'a' * 64} \\\n"
        f"    --hash=sha256:{'b' * 64}\npi-heif==1.4.0 \\\n    --hash=sha256:{'c' * 64}\n"
    )
    assert read_requirements(text) == [
        Pinned("colorama", "0.4.6", "sys_platform == 'win32'", ("a" * 64, "b" * 64)),
        Pinned("pi-heif", "1.4.0", "", ("c" * 64,)),
    ]


@pytest.mark.parametrize("line", ["numpy", "numpy>=2", "numpy==2 --hash=md5:00", "-e ."])
def test_other_lines_are_refused(line: str) -> None:
    with pytest.raises(ValueError, match="expected name==version"):
        read_requirements(f"{line}\n")


def test_a_document_says_what_is_installed() -> None:
    packages = [Pinned("pi_heif", "1.4.0", "", ("c" * 64,))]
    document = bill_of_materials(packages, PROJECT, LICENCES)
    assert document["bomFormat"] == "CycloneDX"
    assert document["metadata"]["component"]["version"] == "1.0"
    (component,) = document["components"]
    assert component["purl"] == "pkg:pypi/pi-heif@1.4.0"
    assert component["licenses"] == [{"expression": LICENCES["pi_heif"]}]
    assert component["hashes"] == [{"alg": "SHA-256", "content": "c" * 64}]
    assert document == bill_of_materials(packages, PROJECT, LICENCES)
    other = bill_of_materials([Pinned("pi_heif", "1.4.1", "", ("c" * 64,))], PROJECT, LICENCES)
    assert other["serialNumber"] != document["serialNumber"]


def test_the_document_in_the_repository_is_up_to_date(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path / "written.json")]) == 0
    assert (tmp_path / "written.json").read_text() == WRITTEN.read_text(encoding="utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    document = json.loads(WRITTEN.read_text(encoding="utf-8"))
    assert document["metadata"]["component"]["version"] == version
    assert "://" not in WRITTEN.read_text(encoding="utf-8")


def test_the_licences_are_those_that_the_packages_state() -> None:
    licences = json.loads((ROOT / "deploy/licences.json").read_text(encoding="utf-8"))
    packages = [each.name for each in read_requirements(REQUIREMENTS.read_text(encoding="utf-8"))]
    assert list(licences) == packages
    compared = 0
    for name in packages:
        try:
            stated = metadata(name)
        except PackageNotFoundError:
            continue
        compared += 1
        if "License-Expression" in stated:
            assert stated["License-Expression"] == licences[name], name
        classifiers = " ".join(stated.get_all("Classifier") or [])
        assert ("LGPL" in classifiers) <= ("LGPL" in licences[name]), name
    assert compared > 30


def test_the_licences_that_ask_something_are_in_the_documents() -> None:
    licences = json.loads((ROOT / "deploy/licences.json").read_text(encoding="utf-8"))
    running = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    told = running.partition("## Licences")[2].partition("\n## ")[0]
    asking = {name for name, licence in licences.items() if "LGPL" in licence}
    assert asking >= {"pi-heif", "psycopg", "psycopg-binary", "opencv-python"}
    assert {name for name in asking if f"`{name}`" not in told} == set()
