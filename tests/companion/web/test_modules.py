"""What all scripts and styles of the pages keep to."""

from __future__ import annotations

import re

from companion.web.shell.assets import FILES, WEB


def test_every_module_is_checked_and_short() -> None:
    for path in FILES:
        if path.endswith(".mjs"):
            lines = (WEB / path).read_text(encoding="utf-8").splitlines()
            assert lines[0] == "// @ts-check", path
            assert len(lines) <= 600, path


def test_no_file_has_emoji_or_an_address() -> None:
    for path in FILES:
        if not path.endswith(".png"):
            text = (WEB / path).read_text(encoding="utf-8")
            assert not re.search("[\u2600-\u27bf\U0001f300-\U0001faff]", text), path
            assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path
