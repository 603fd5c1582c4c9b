from __future__ import annotations

from vision.kingdomino.refit import sample_folder, sample_labels


def test_every_labelled_sample_is_there_and_none_without_a_label() -> None:
    pictures = {path.name for path in sample_folder().iterdir() if path.suffix == ".jpg"}
    assert pictures == sample_labels().keys()
    assert len(pictures) >= 8


def test_the_samples_show_what_people_meet() -> None:
    kingdoms = list(sample_labels().values())
    assert None in kingdoms
    sizes = {(kingdom.height, kingdom.width) for kingdom in kingdoms if kingdom}
    assert (5, 5) in sizes
    assert (7, 7) in sizes
    holes = [
        kingdom
        for kingdom in kingdoms
        if kingdom and any(square.is_empty for _, square in kingdom.items())
    ]
    assert holes
