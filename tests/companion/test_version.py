from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from companion import version


def test_a_checkout_knows_its_version() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{version.companion_version()}"\n' in project


def test_elsewhere_the_distribution_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version, "__file__", str(tmp_path / "companion" / "version.py"))
    monkeypatch.setattr(version, "version", lambda name: f"9.9 of {name}")
    assert version.companion_version() == "9.9 of kingdomino-scorer"
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "other"\nversion = "3"\n')
    assert version.companion_version() == "9.9 of kingdomino-scorer"

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(version, "version", missing)
    assert version.companion_version() == "unknown"
