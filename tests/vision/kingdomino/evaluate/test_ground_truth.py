"""Label files of kingdoms, of squares, of nothing."""

from pathlib import Path

import pytest

from training.kingdomino.corpus import LabelledKingdom, LabelledSquare, read_labels


def test_kingdoms_with_their_scene(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(
        'file,scene,kingdom\na.jpg,"den, lamp",c w1/. w\nb.jpg,x,\n'
    )
    first, second = read_labels(tmp_path)
    assert isinstance(first, LabelledKingdom)
    assert (str(first.kingdom), first.group) == ("c w1/. w", "den, lamp")
    assert isinstance(second, LabelledKingdom)
    assert second.kingdom is None


def test_squares_with_their_session(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("file,label,session\nw/a b.jpg,w1,s7\n")
    assert read_labels(tmp_path) == [LabelledSquare(tmp_path / "w/a b.jpg", "w1", "s7")]


def test_a_folder_without_kingdoms_needs_no_labels(tmp_path: Path) -> None:
    (tmp_path / "b.PNG").touch()
    (tmp_path / "notes.txt").touch()
    (found,) = read_labels(tmp_path, without_kingdom=True)
    assert found == LabelledKingdom(tmp_path / "b.PNG", None, "no kingdom")


def test_what_has_no_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_labels(tmp_path)
    (tmp_path / "labels.csv").write_text("file,colour\na.jpg,red\n")
    with pytest.raises(ValueError, match="kingdom or label"):
        read_labels(tmp_path)


def test_other_crops_of_a_board_belong_to_its_session() -> None:
    tight = LabelledKingdom(Path("data/boards/a.jpg"), None, "7")
    loose = LabelledKingdom(Path("data/boards_loose/b.jpg"), None, "7")
    assert tight.session == loose.session == "boards 7"
