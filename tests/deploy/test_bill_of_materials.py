from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from deploy.bill_of_materials import Pinned, bill_of_materials, main, read_requirements

ROOT = Path(__file__).parents[2]
WRITTEN = ROOT / "deploy/bill_of_materials.json"
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
    document = bill_of_materials(packages, PROJECT)
    assert document["bomFormat"] == "CycloneDX"
    assert document["metadata"]["component"]["version"] == "1.0"
    (component,) = document["components"]
    assert component["purl"] == "pkg:pypi/pi-heif@1.4.0"
    assert component["hashes"] == [{"alg": "SHA-256", "content": "c" * 64}]
    assert document == bill_of_materials(packages, PROJECT)
    other = bill_of_materials([Pinned("pi_heif", "1.4.1", "", ("c" * 64,))], PROJECT)
    assert other["serialNumber"] != document["serialNumber"]


def test_the_document_in_the_repository_is_up_to_date(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path / "written.json")]) == 0
    assert (tmp_path / "written.json").read_text() == WRITTEN.read_text(encoding="utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    document = json.loads(WRITTEN.read_text(encoding="utf-8"))
    assert document["metadata"]["component"]["version"] == version
    assert "://" not in WRITTEN.read_text(encoding="utf-8")
