"""The software bill of materials of a server, in CycloneDX's JSON.

    python -m deploy.bill_of_materials --out deploy/bill_of_materials.json

It lists what `deploy/requirements.txt` installs, with its licence (from `deploy/licences.json`,
written by hand) and the hash of every file that may be installed, and no addresses. `.ci/hashes`
writes it anew with the requirements.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "deploy" / "requirements.txt"
LICENCES = ROOT / "deploy" / "licences.json"
_LINE = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)\s*"
    r"(?:;\s*(?P<marker>.*?))?(?P<hashes>(?:\s+--hash=sha256:[0-9a-f]{64})*)"
)


@dataclass(frozen=True)
class Pinned:
    """A package in one version, where it is installed (a marker), and the hashes of its files."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]


def read_requirements(text: str) -> list[Pinned]:
    """The packages of a requirements file with hashes; ValueError for a line that is none."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"expected name==version --hash=sha256:…, got {line[:80]!r}")
        hashes = tuple(re.findall(r"sha256:([0-9a-f]{64})", match["hashes"]))
        found.append(Pinned(match["name"], match["version"], match["marker"] or "", hashes))
    return found


def bill_of_materials(
    packages: Sequence[Pinned], project: dict[str, Any], licences: Mapping[str, str]
) -> dict[str, Any]:
    """The document: the same for the same packages, ``[project]`` table and licences.

    ``licences`` are expressions of SPDX by the names of packages; KeyError where one is missing.
    """
    components = [_component(package, licences[package.name]) for package in packages]
    name, version = project["name"], project["version"]
    content = json.dumps([name, version, components], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": name,
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": project["license"]}}],
            }
        },
        "components": components,
    }


def _component(package: Pinned, licence: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{re.sub(r'[-_.]+', '-', package.name).lower()}@{package.version}"
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        "licenses": [{"expression": licence} if " " in licence else {"license": {"id": licence}}],
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in package.hashes],
    }
    if package.marker:
        component["properties"] = [{"name": "python:marker", "value": package.marker}]
    return component


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="the file to write; else the standard output")
    options = parser.parse_args(argv)
    packages = read_requirements(REQUIREMENTS.read_text(encoding="utf-8"))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    licences = json.loads(LICENCES.read_text(encoding="utf-8"))
    text = json.dumps(bill_of_materials(packages, settings["project"], licences), indent=1) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
