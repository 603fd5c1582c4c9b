from __future__ import annotations

import pytest

from vision.kingdomino.reader import OutlineSettings, default_reader, find_outlines
from vision.kingdomino.samples import sample_folder, sample_labels
from vision.photo import PhotoSettings, decode

SMALL = PhotoSettings(target_long_side_px=512)


@pytest.mark.parametrize("name", sorted(sample_labels()))
def test_each_sample_has_as_many_outlines_as_kingdoms(name: str) -> None:
    photo = decode((sample_folder() / name).read_bytes(), SMALL)
    found = find_outlines(photo, default_reader())
    assert len(found) == (0 if sample_labels()[name] is None else 1)
    for outline in found:
        assert outline.shape == (4, 2)
        assert (outline > -0.1).all()
        assert (outline < 1.1).all()


def test_small_groups_are_no_kingdoms() -> None:
    photo = decode((sample_folder() / "begun.jpg").read_bytes(), SMALL)
    settings = OutlineSettings(min_squares=20)
    assert find_outlines(photo, default_reader(), settings) == []
