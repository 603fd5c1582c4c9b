from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from scorer.domino_duell import JOKER, Stone
from vision.domino_duell.refit import PIECES, read_folder


def test_the_labels_are_those_that_are_kept() -> None:
    assert len(PIECES) == 66
    assert PIECES["rcw"] == Stone.parse("rcw")
    assert PIECES["joker"] is JOKER
    assert PIECES["."] is None


def test_pictures_become_patches_of_the_reader(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), (200, 30, 30)).save(tmp_path / "red.png")
    table = "file,label,source_photo,session\n"
    table += "red.png,rcw,p,a\nred.png,joker,p,a\nred.png,.,p,b\nred.png,w1,p,b\n"
    (tmp_path / "labels.csv").write_text(table, encoding="utf-8")
    found = read_folder(tmp_path)
    assert found.labels == ("rcw", "joker", ".")
    assert found.sessions == ("a", "a", "b")
    assert found.left_out == 1
    assert found.patches.shape == (3, 32, 32, 3)
    np.testing.assert_array_equal(found.patches[0, 7, 7], (200, 30, 30))
