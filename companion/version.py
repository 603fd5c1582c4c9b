"""The version of the companion."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

DISTRIBUTION = "kingdomino-scorer"


def companion_version() -> str:
    """The version of this checkout, else that of the installed distribution, such as "0.1.0"."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    if project.is_file():
        described = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if described.get("name") == DISTRIBUTION:
            return str(described["version"])
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
