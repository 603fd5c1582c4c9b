from __future__ import annotations

import json
from pathlib import Path

import pytest

from deploy.audit import main, outdated, pins, report

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
