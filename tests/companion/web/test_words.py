"""Every sentence that a page asks for by a code in its text is there, whichever quotes it has."""

from __future__ import annotations

import re
from pathlib import Path

from companion.languages import codes

WEB = Path(__file__).parents[3] / "companion" / "web"


def test_every_code_is_in_a_catalogue() -> None:
    said = set()
    for file in WEB.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        said |= set(re.findall(r"""\bsay\(\s*["']([a-z_.]+)["']""", text))
    assert len(said) > 60
    assert said <= codes()
