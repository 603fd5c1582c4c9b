from __future__ import annotations

import pytest

from companion.cli.terminal import printable


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("König reich 王.jpg", "König reich 王.jpg"),
        ("a\x1b[2J\n\r\x7f.jpg", r"a\x1b[2J\n\r\x7f.jpg"),
        ("\u202egpj.exe", r"\u202egpj.exe"),
        ("\udcff.jpg", r"\udcff.jpg"),
        ("", ""),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, printed: str) -> None:
    assert printable(text) == printed
