from __future__ import annotations

import numpy as np
import pytest

from vision.kingdomino.reader import default_reader
from vision.kingdomino.samples import sample_folder, sample_labels
from vision.photo import PhotoError


def test_a_frame_that_fits_reads_what_the_photo_holds() -> None:
    path, reader = sample_folder() / "complete-5x5.jpg", default_reader()
    found = reader.read(path).kingdoms[0]
    framed = reader.read_frame(path, found.corners.tolist(), 5, 5)
    assert framed.kingdom == sample_labels()["complete-5x5.jpg"]
    assert framed.lattice_certain
    np.testing.assert_allclose(framed.corners, found.corners, atol=0.5)
    assert framed.castle_colour == found.castle_colour


def test_a_part_of_the_kingdom_in_a_frame_of_its_own() -> None:
    path, reader = sample_folder() / "complete-5x5.jpg", default_reader()
    found = reader.read(path).kingdoms[0]
    corners = found.points([(1, 1), (4, 1), (4, 4), (1, 4)])
    framed = reader.read_frame(path, corners.tolist(), 3, 3)
    expected = [[str(found.kingdom[r, c]) for c in (1, 2, 3)] for r in (1, 2, 3)]
    assert [[str(square) for square in row] for row in framed.kingdom.rows] == expected


def test_a_frame_on_the_bare_table_holds_no_kingdom() -> None:
    path = sample_folder() / "no-kingdom.jpg"
    corners = [[10, 10], [60, 10], [60, 60], [10, 60]]
    with pytest.raises(PhotoError, match="no_kingdom"):
        default_reader().read_frame(path, corners, 2, 2)


def test_corners_without_an_area_are_refused() -> None:
    with pytest.raises(ValueError, match="corners"):
        default_reader().read_frame(sample_folder() / "complete-5x5.jpg", [[5, 5]] * 4, 5, 5)
