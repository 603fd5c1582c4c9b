"""Texts from files and from the standard input, as long as they may be and no longer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from companion.cli.text_input import TextTooLong, bounded_lines, bounded_text, lines_of
from companion.languages import Language


@pytest.mark.parametrize("standard", [False, True])
def test_a_text_may_be_just_so_long(
    standard: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(content: bytes) -> str:
        path = tmp_path / "text"
        path.write_bytes(content)
        if not standard:
            return str(path)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        return "-"

    assert bounded_text(asked(b"w1\r\nf\rs"), 7) == "w1\nf\ns"
    assert bounded_text(asked(b"\xef\xbb\xbfw1"), 5) == "w1"
    with pytest.raises(TextTooLong):
        bounded_text(asked(b"w1 f s23"), 7)
    assert list(bounded_lines(asked(b"w1 f\ns\nlast"), 5)) == [b"w1 f\n", b"s\n", b"last"]
    lines = bounded_lines(asked(b"s\nw1 f2\nlast"), 5)
    assert next(lines) == b"s\n"
    with pytest.raises(TextTooLong):
        next(lines)


def test_lines_of_files_come_after_those_of_arguments(tmp_path: Path) -> None:
    file = tmp_path / "evening.txt"
    file.write_text("third\nfourth\n", encoding="utf-8")
    lines = lines_of(["first", "second"], [str(file)], Language.ENGLISH)
    assert [(each.text, each.file, each.number) for each in lines if each.text] == [
        ("first", "", 0),
        ("second", "", 0),
        ("third", str(file), 1),
        ("fourth", str(file), 2),
    ]
