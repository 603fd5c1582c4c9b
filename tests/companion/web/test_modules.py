"""What all scripts and styles of the pages keep to."""

from __future__ import annotations

import re

from companion.web.shell.assets import FILES


def test_every_module_is_checked_and_short() -> None:
    for path, content in FILES.items():
        if path.endswith(".mjs"):
            lines = content.decode().splitlines()
            assert lines[0] == "// @ts-check", path
            assert len(lines) <= 600, path


def test_no_file_has_emoji_or_an_address() -> None:
    for path, content in FILES.items():
        if not path.endswith(".png"):
            text = content.decode()
            assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path
            assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path
