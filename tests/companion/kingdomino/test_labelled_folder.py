from __future__ import annotations

from pathlib import Path

from PIL import Image

from vision.kingdomino.refit import read_folder


def test_labels_and_patches_are_those_of_the_reader(tmp_path: Path) -> None:
    Image.new("RGB", (80, 80), (200, 30, 30)).save(tmp_path / "red.png")
    table = "file,label,source_photo,session\nred.png,w1,p,a\nred.png,rcw,p,a\n"
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    found = read_folder(tmp_path)
    assert found.labels == ("w1",)
    assert found.left_out == 1
    assert found.patches.shape == (1, 64, 64, 3)
