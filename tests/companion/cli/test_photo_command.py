from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from companion.cli.photos import add_photo_arguments, with_folders_expanded


def test_a_folder_is_replaced_by_its_pictures(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.heic", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")
    pictures = [str(tmp_path / name) for name in ("a.heic", "b.JPG")]
    assert with_folders_expanded([str(tmp_path), "x.jpg", *pictures]) == [*pictures, "x.jpg"]


def test_the_arguments_of_every_command_that_reads_photos() -> None:
    parser = argparse.ArgumentParser()
    add_photo_arguments(parser)
    args = parser.parse_args(["--json", "--jobs", "2", "--draw", "out", "a.jpg", "b.jpg"])
    assert (args.photos, args.json, args.jobs, args.draw) == (
        ["a.jpg", "b.jpg"],
        True,
        2,
        Path("out"),
    )
    with pytest.raises(SystemExit):
        parser.parse_args(["--jobs", "0", "a.jpg"])
