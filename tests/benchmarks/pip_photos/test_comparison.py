"""Comparing, counting and reporting, and the command on the samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.pip_photos import __main__ as command
from benchmarks.pip_photos.comparison import (
    PhotoResult,
    by_group,
    photo_table,
    read_photo,
    thresholds,
    totals,
    worst,
)
from training.pip_dominoes.corpus import LabelledPhoto, read_photo_labels
from vision.photo import PhotoError
from vision.pip_dominoes.result import DominoReading, HandReading, parse_tile
from vision.pip_dominoes.weights import Weights


def hand(*tiles: str, flagged: str = "", warnings: tuple[str, ...] = ()) -> HandReading:
    dominoes = tuple(
        DominoReading(
            parse_tile(tile), np.zeros((4, 2)), 0.6 if tile == flagged else 0.99,
            tile == flagged, "", np.ones((2, 19)),
        )
        for tile in tiles
    )  # fmt: skip
    return HandReading(dominoes, 6, warnings, 100, 80, {"decode": 0.01})


class Answers:
    """A reader that answers the same whatever it is shown."""

    def __init__(self, answer: HandReading | PhotoError) -> None:
        self.answer, self.asked = answer, []  # type: ignore[var-annotated]

    def read(self, source: object, set: int | None = None) -> HandReading:
        self.asked.append(set)
        if isinstance(self.answer, PhotoError):
            raise self.answer
        return self.answer


def result(truth: str, answer: HandReading | PhotoError, scene: str = "s") -> PhotoResult:
    tiles = tuple(sorted(parse_tile(text) for text in truth.split()))
    photo = LabelledPhoto(Path(f"{scene}.jpg"), tiles, 6, scene, "source")
    return read_photo(photo, Answers(answer))  # type: ignore[arg-type]


EXACT = result("1|2 3|4", hand("3|4", "1|2"), "a")
SILENT = result("1|2 3|4", hand("3|4", "1|3"), "b")
FLAGGED = result("1|2 3|4", hand("3|4", "1|3", flagged="1|3"), "b")
REFUSED = result("1|2", PhotoError("no_dominoes"), "c")


def test_readings_are_compared_with_the_truth() -> None:
    assert EXACT.exact
    assert (SILENT.right, SILENT.missing, SILENT.extra) == (1, ("1|2",), ("1|3",))
    assert (SILENT.silent, FLAGGED.silent, EXACT.silent, REFUSED.silent) == (
        True,
        False,
        False,
        False,
    )
    assert (REFUSED.error, REFUSED.exact, REFUSED.missing) == ("no_dominoes", False, ("1|2",))


def test_a_missed_domino_is_silent_unless_a_warning_tells() -> None:
    assert result("1|2 3|4", hand("3|4")).silent
    assert not result("1|2 3|4", hand("3|4", warnings=("unread",))).silent


def test_wrong_dominoes_with_the_right_sum_are_counted_apart() -> None:
    swapped = result("1|2 3|4", hand("1|3", "2|4"))
    assert not swapped.silent
    assert swapped.silent_tiles


def test_totals_count_everything() -> None:
    text = totals([EXACT, SILENT, FLAGGED, REFUSED])
    assert "| photographs exact in every domino | 1 of 4 = 25.0 % |" in text
    assert "| dominoes right, of those there | 4 of 7 = 57.1 % |" in text
    assert "| photographs refused | 1 |" in text
    assert "| wrong sums with nothing flagged | 1 |" in text


def test_groups_and_thresholds_and_worst() -> None:
    results = [EXACT, SILENT, FLAGGED, REFUSED]
    assert "| b | 0/2 | 2/4 | 2 | 1 | 1 | 0.50 |" in by_group(
        results, lambda r: r.photo.scene, "scene"
    )
    assert "| 0.8 | 0.25 | 1 |" in thresholds(results)
    assert worst(results)[0] is SILENT


def test_dominoes_in_tables_do_not_end_their_cells() -> None:
    row = next(line for line in photo_table([SILENT]).split("\n") if "b.jpg" in line)
    assert "1&#124;2" in row
    assert row.count("|") == photo_table([SILENT]).split("\n")[0].count("|")


def test_labels_of_both_kinds_are_read(tmp_path: Path) -> None:
    (tmp_path / "photos.csv").write_text(
        "file,tiles,set,scene,source\na.jpg,2|1 0|0,double-9,wood,somebody\n", encoding="utf-8"
    )
    (photo,) = read_photo_labels(tmp_path)
    assert photo.path == tmp_path / "photos" / "a.jpg"
    assert (photo.tiles, photo.set, photo.scene, photo.pips) == (((0, 0), (1, 2)), 9, "wood", 3)


def test_the_set_is_told_only_where_wished() -> None:
    for wished, expected in ((False, None), (True, 6)):
        reader = Answers(hand("1|2"))
        read_photo(EXACT.photo, reader, set_given=wished)  # type: ignore[arg-type]
        assert reader.asked == [expected]


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(__file__).parents[3] / "sample_images" / "pip_dominoes"
    kept, sheet = tmp_path / "report.md", tmp_path / "worst.jpg"
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "none.jpg").write_bytes((folder / "no-dominoes.jpg").read_bytes())
    options = ["--set-given", "--keep", str(kept), "--worst", str(sheet)]
    assert command.main([str(folder), *options, "--without-dominoes", str(empty)]) == 0
    text = kept.read_text(encoding="utf-8")
    assert text.strip() in capsys.readouterr().out
    for heading in ("By source", "By scene", "Worst ten", "All", "Pictures without dominoes"):
        assert f"## {heading}" in text
    assert "| empty | 1 | 1 | 0 | 0 |" in text
    assert sheet.stat().st_size > 10_000


def test_every_photograph_is_read_by_weights_that_never_saw_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = ["a.jpg,1|2,,one,wood", "b.jpg,1|2,,two,stone", "c.jpg,1|2,,two,clay"]
    lines = "\n".join(["file,tiles,set,source,scene", *rows])
    (tmp_path / "photos.csv").write_text(lines + "\n", encoding="utf-8")
    folders = []
    for name, sources in (("first", "one\nthree\n"), ("second", "two\n")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "left_out.txt").write_text(sources, encoding="utf-8")
        folders.append(str(folder))
    asked: list[tuple[str, str]] = []

    def read_photo(photo: LabelledPhoto, reader: str, *, set_given: bool) -> PhotoResult:
        asked.append((photo.path.name, reader))
        return PhotoResult(photo, hand("1|2"), "", 1, (), ())

    monkeypatch.setattr(Weights, "load", lambda folder=None: folder)
    monkeypatch.setattr(command, "Reader", lambda weights: getattr(weights, "name", "shipped"))
    monkeypatch.setattr(command, "read_photo", read_photo)
    assert command.main([str(tmp_path), "--cross-validate", *folders]) == 0
    assert asked == [("a.jpg", "first"), ("b.jpg", "second"), ("c.jpg", "second")]
    assert "saw none of its source" in capsys.readouterr().out
    (tmp_path / "second" / "left_out.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(ValueError, match="left out of several"):
        command.main([str(tmp_path), "--cross-validate", *folders])
