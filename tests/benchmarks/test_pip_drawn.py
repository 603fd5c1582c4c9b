"""Drawn hands come with their labels, and the same seed draws the same ones."""

from __future__ import annotations

from pathlib import Path

from benchmarks.pip_drawn import draw_hands
from training.pip_dominoes.corpus import read_photo_labels


def test_the_same_seed_draws_the_same_hands(tmp_path: Path) -> None:
    drawn = []
    for name in ("one", "other"):
        folder = tmp_path / name
        folder.mkdir()
        draw_hands(tmp_path, folder, 2, 7, plain=False)
        photos = read_photo_labels(folder)
        assert len(photos) == 2
        assert all(photo.tiles and photo.set in (6, 9, 12) for photo in photos)
        assert all(b <= photo.set for photo in photos for _, b in photo.tiles)
        drawn.append([photo.path.read_bytes() for photo in photos])
    assert drawn[0] == drawn[1]


def test_sets_as_new_are_other_sets(tmp_path: Path) -> None:
    folders = [tmp_path / "plain", tmp_path / "lived"]
    for folder, plain in zip(folders, (True, False), strict=True):
        folder.mkdir()
        draw_hands(tmp_path, folder, 2, 7, plain=plain)
    pictures = [sorted(path.read_bytes() for path in folder.glob("*.jpg")) for folder in folders]
    assert pictures[0] != pictures[1]
