"""The data sheet names each row that is wrong, with table and line."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from training.__main__ import main
from training.data_sheet import faults_of, read_rows, sheet_of
from training.kingdomino.render.scene import draw_surface

Image = NDArray[np.uint8]


def picture(seed: int) -> Image:
    rng = np.random.default_rng(seed)
    return np.asarray(draw_surface("stone", (64, 64), 40, rng), np.uint8)


def write(path: Path, rgb: Image, quality: int = 95) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), rgb, [cv2.IMWRITE_JPEG_QUALITY, quality])


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "squares"
    rows = ["file,label,session"]
    for k in range(6):
        write(folder / f"{k}.jpg", picture(k))
        rows.append(f"{k}.jpg,{('w', 'f1')[k % 2]},s{k // 2}")
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def add(data: Path, row: str) -> list[str]:
    with (data / "squares" / "labels.csv").open("a") as table:
        table.write(row + "\n")
    return [str(fault) for fault in faults_of(list(read_rows(data)))]


def test_nothing_is_wrong_with_good_data(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(read_rows(data))
    assert faults_of(rows) == []
    sheet = sheet_of(rows, [])
    assert "| squares/labels.csv | 6 | 3 |" in sheet
    assert "Labels: w 3, f1 3." in sheet
    assert "Pictures of the parts that are held out: 2, 2, 2." in sheet
    assert main(["sheet", str(data)]) == 0
    assert "Nothing." in capsys.readouterr().out


def test_a_missing_picture_and_one_that_is_none(data: Path) -> None:
    (data / "squares" / "text.jpg").write_text("no picture")
    assert add(data, "gone.jpg,w,s9\ntext.jpg,w,s9") == [
        "squares/labels.csv:8: no picture gone.jpg",
        "squares/labels.csv:9: text.jpg is no picture",
    ]


def test_an_unknown_label(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(data / "squares" / "new.jpg", picture(20))
    (said,) = add(data, "new.jpg,w9,s0")
    assert said.startswith("squares/labels.csv:8: unknown label 'w9'")
    assert main(["sheet", str(data)]) == 2
    assert said in capsys.readouterr().out


def test_the_same_picture_in_two_groups_or_with_two_labels(data: Path) -> None:
    for name in ("again.jpg", "other.jpg", "fine.jpg"):
        write(data / "squares" / name, picture(0))
    assert add(data, "again.jpg,w,s2\nother.jpg,f,s0\nfine.jpg,w,s0")[:2] == [
        "squares/labels.csv:8: the same picture as squares/labels.csv:2, in another group",
        "squares/labels.csv:8: nearly the same picture as squares/labels.csv:2, in another group",
    ]


def test_a_near_copy_in_another_group(data: Path) -> None:
    board = cv2.resize(picture(3), (400, 400), interpolation=cv2.INTER_CUBIC)
    lighter = np.clip(board.astype(np.float32) * 1.1 + 4, 0, 255).astype(np.uint8)
    write(data / "squares" / "board.jpg", np.asarray(board, np.uint8))
    write(data / "squares" / "near.jpg", lighter, quality=80)
    assert add(data, "board.jpg,f1,s9\nnear.jpg,f1,s0") == [
        "squares/labels.csv:9: nearly the same picture as squares/labels.csv:8, in another group"
    ]


def test_kingdoms_and_tiles_have_labels_of_their_own(data: Path) -> None:
    write(data / "photos" / "a.jpg", picture(30))
    (data / "photos" / "labels.csv").write_text("file,scene,kingdom\na.jpg,x,c w/z .\n")
    write(data / "pips" / "tiles" / "b.jpg", picture(31))
    (data / "pips" / "tiles.csv").write_text("file,tile,group\nb.jpg,3|99,x\n")
    said = [str(fault) for fault in faults_of(list(read_rows(data)))]
    assert [line.partition(": ")[0] for line in said] == ["photos/labels.csv:2", "pips/tiles.csv:2"]


def test_a_table_without_labels_is_refused(data: Path) -> None:
    (data / "squares" / "labels.csv").write_text("file,name\na.jpg,b\n")
    with pytest.raises(ValueError, match="expected columns file and one of"):
        list(read_rows(data))
