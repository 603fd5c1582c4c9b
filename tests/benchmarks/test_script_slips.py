"""The planted slips are slips: each changes the script that it names."""

from __future__ import annotations

import tomllib

import pytest

from benchmarks.script_slips import SLIPS, planted
from companion.web.shell.assets import FILES

_SLIPS = tomllib.loads(SLIPS.read_text(encoding="utf-8"))["slips"]


@pytest.mark.parametrize("slip", _SLIPS, ids=lambda slip: slip["name"])
def test_a_slip_can_be_planted(slip: dict[str, str]) -> None:
    folder, name = slip["script"].split("/")
    text = FILES[f"{folder}/static/{name}.mjs"].decode()
    assert planted(text, slip) != text


def test_a_slip_of_other_code_is_refused() -> None:
    with pytest.raises(ValueError, match="expected 'a', got none"):
        planted("b", {"script": "shell/page", "was": "a", "is": "c"})
