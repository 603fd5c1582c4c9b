"""The pictures to learn from: labels, samples and printed crowns; and calibration."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import Kingdom, Square, Verdict, box_check, problems
from training.__main__ import main
from training.kingdomino import samples
from training.kingdomino.corpus import Corpus, LabelledKingdom, LabelledSquare, read_labels
from training.kingdomino.render.tiles import render_square
from training.kingdomino.samples import SAMPLES, Sample, encode_jpeg, render_sample
from training.kingdomino.tiles import Crown, CrownStamp, add_two_crowns
from vision.photo import decode


def test_kingdoms_with_their_scene(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(
        'file,scene,kingdom\na.jpg,"den, lamp",c w1/. w\nb.jpg,x,\n'
    )
    first, second = read_labels(tmp_path)
    assert isinstance(first, LabelledKingdom)
    assert (str(first.kingdom), first.group) == ("c w1/. w", "den, lamp")
    assert isinstance(second, LabelledKingdom)
    assert second.kingdom is None


def test_what_people_export_is_more_squares(tmp_path: Path) -> None:
    assert Corpus(tmp_path).squares() == []
    for folder, label in (("squares", "w1"), ("squares/mine", "f")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        table = f"file,label,source_photo,session\n{label}/a.png,{label},p,s{label}\n"
        (tmp_path / folder / "labels.csv").write_text(table)
    found = Corpus(tmp_path).squares()
    assert [(s.label, s.session) for s in found] == [("w1", "sw1"), ("f", "sf")]
    assert found[1].path == tmp_path / "squares" / "mine" / "f" / "a.png"


def test_pictures_that_came_mirrored_say_so(tmp_path: Path) -> None:
    table = "file,kingdom_group,mirrored,kingdom\na.jpg,1,1,c w\nb.jpg,1,0,c w\n"
    (tmp_path / "labels.csv").write_text(table)
    found = [each for each in read_labels(tmp_path) if isinstance(each, LabelledKingdom)]
    assert [(each.mirrored, each.size, each.labels[0, 1]) for each in found] == [
        (True, (2, 1), "w"), (False, (2, 1), "w"),
    ]  # fmt: skip


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


FOLDER = Path(__file__).parents[3] / "sample_images"
BY_NAME = {sample.name: sample for sample in SAMPLES}
WITH_KINGDOM = [sample for sample in SAMPLES if sample.kingdom]


def test_labels_are_those_of_the_samples() -> None:
    with (FOLDER / "labels.csv").open(newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert rows == [
        {
            "file": f"{sample.name}.jpg",
            "kingdom": sample.kingdom,
            "castle_colour": sample.castle_colour,
            "note": sample.note,
        }
        for sample in SAMPLES
    ]
    assert {path.name for path in FOLDER.glob("*.jpg")} == {row["file"] for row in rows}


@pytest.mark.parametrize("sample", SAMPLES, ids=BY_NAME)
def test_pictures_are_small_files_of_the_size_that_the_sample_says(sample: Sample) -> None:
    path = FOLDER / f"{sample.name}.jpg"
    assert path.stat().st_size < 500_000
    photo = decode(path)
    assert (photo.width, photo.height) == (sample.view.width, sample.view.height)


@pytest.mark.parametrize("sample", WITH_KINGDOM, ids=lambda sample: sample.name)
def test_kingdoms_are_legal_ones_from_the_box(sample: Sample) -> None:
    kingdom = Kingdom.parse(sample.kingdom)
    assert problems(kingdom) == ()
    assert box_check(kingdom).verdict is Verdict.LEGAL


def test_the_set_shows_what_readers_meet() -> None:
    kingdoms = {sample.name: Kingdom.parse(sample.kingdom) for sample in WITH_KINGDOM}
    full = {name for name, kingdom in kingdoms.items() if "." not in str(kingdom)}
    views = [sample.view for sample in SAMPLES]
    assert len(SAMPLES) >= 8
    assert len(SAMPLES) == len(WITH_KINGDOM) + 1
    assert {(k.height, k.width) for k in kingdoms.values()} == {(5, 5), (7, 7), (3, 3)}
    assert 0 < len(full) < len(kingdoms)
    assert max(view.tilt_deg for view in views) >= 40
    assert max(view.turn_deg for view in views) == 30
    assert any(view.castle_stands for view in views)
    assert {view.castle_colour for view in views} == {"pink", "yellow", "green", "blue", "brown"}


def test_drawn_again_a_sample_is_the_committed_picture() -> None:
    sample = BY_NAME["begun"]
    drawn, committed = (
        decode(encode_jpeg(render_sample(sample))).rgb,
        decode(FOLDER / "begun.jpg").rgb,
    )
    assert np.abs(drawn.astype(int) - committed).mean() < 0.5


def test_the_command_writes_pictures_and_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(BY_NAME["begun"].view, width=160, height=120, square_px=24.0)
    written = replace(BY_NAME["begun"], view=small)
    monkeypatch.setattr(samples, "SAMPLES", [written])
    assert main(["samples", "kingdomino", str(tmp_path / "new")]) == 0
    assert decode(tmp_path / "new" / "begun.jpg").rgb.shape == (120, 160, 3)
    lines = (tmp_path / "new" / "labels.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "file,kingdom,castle_colour,note"
    assert lines[1].startswith("begun.jpg,w1 f f/s1 c l1/g . .,brown,")


def test_a_picture_that_does_not_fit_is_refused() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 300, 3), np.uint8)
    assert len(encode_jpeg(noise, 100_000)) <= 100_000
    with pytest.raises(ValueError, match="max_bytes"):
        encode_jpeg(noise, 1_000)


SIDE = 96


def drawn(label: str, seed: int = 4) -> NDArray[np.uint8]:
    return render_square(Square.parse(label), SIDE, np.random.default_rng(seed))


def white(picture: NDArray[np.uint8], crown: Crown, centre: tuple[float, float]) -> float:
    """How white the picture is around ``centre`` (x, y) of the turned square."""
    x, y = (round(at) for at in centre)
    turned = np.rot90(picture, crown.turns)
    return float(turned[max(y - 10, 0) : y + 10, max(x - 12, 0) : x + 12].min(2).mean())


@pytest.fixture(scope="module")
def stamp() -> CrownStamp:
    return CrownStamp([upright_lake(seed) for seed in range(3)], SIDE)


def upright_lake(seed: int) -> NDArray[np.uint8]:
    """A drawn lake with its crown at the upper left, as all of the box's lie on their dominoes."""
    lake = drawn("l1", seed)
    to_the_left = lake[:36, :48].min(2).mean() > lake[:36, 48:].min(2).mean()
    return lake if to_the_left else np.ascontiguousarray(lake[:, ::-1])


@pytest.mark.parametrize("label", ["w1", "f1", "l1"])
@pytest.mark.parametrize("turns", range(4))
def test_the_second_crown_lies_beside_the_first(stamp: CrownStamp, label: str, turns: int) -> None:
    picture = np.rot90(drawn(label, turns), turns).copy()
    crown = stamp.find(picture)
    assert crown is not None
    x, y = crown.centre
    # Drawn crowns lie 0.275 of a square apart, from the outer corner inwards.
    beside = (x + 0.275 * SIDE * (1 if x < SIDE / 2 else -1), y)
    two = stamp.add(picture, crown)
    assert white(two, crown, beside) > white(picture, crown, beside) + 25
    np.testing.assert_allclose(white(two, crown, crown.centre), white(picture, crown, (x, y)), 0.1)
    lower = np.rot90(two, crown.turns)[SIDE // 2 :]
    np.testing.assert_array_equal(lower, np.rot90(picture, crown.turns)[SIDE // 2 :])


@pytest.mark.parametrize("label", ["w1", "f1", "l1"])
def test_a_moved_crown_is_still_one(stamp: CrownStamp, label: str) -> None:
    picture = drawn(label)
    crown = stamp.find(picture)
    assert crown is not None
    x, y = crown.centre
    moved = stamp.move(picture, crown)
    assert white(moved, crown, (SIDE - 1 - x, y)) > white(picture, crown, (SIDE - 1 - x, y)) + 25
    assert white(moved, crown, (x, y)) < white(picture, crown, (x, y)) - 25


def test_decoys_keep_the_crown_and_change_the_place_beside_it(stamp: CrownStamp) -> None:
    picture = drawn("l1")
    crown = stamp.find(picture)
    assert crown is not None
    corner = np.s_[4:26, 8:26] if crown.centre[0] < SIDE / 2 else np.s_[4:26, -26:-8]
    for seed in range(6):
        decoy = stamp.add_decoy(picture, crown, np.random.default_rng(seed))
        assert (decoy != picture).any()
        assert np.abs(decoy[corner].astype(int) - picture[corner]).mean() < 25


@pytest.mark.parametrize("label", ["w", "f", "l", "g", "s"])
def test_squares_without_a_crown_have_none(stamp: CrownStamp, label: str) -> None:
    assert stamp.find(drawn(label)) is None


def test_what_the_giants_have_is_made_from_the_squares_at_hand(stamp: CrownStamp) -> None:
    labels = {
        "19": ("w1", "f"), "24": ("f1", "w"), "30": ("l1", "w"), "36": ("w", "g1"),
        "49": ("w2", "f1"), "50": ("f2", "l1"), "51": ("l2", "g1"),
    }  # fmt: skip
    lake = upright_lake(0)
    parts = {"w1": drawn("w1"), "f1": drawn("f1"), "l1": lake} | {k: drawn(k) for k in "wf"}
    parts["g1"] = drawn("g1")
    dominoes = {
        number: [np.hstack([parts[left], parts[right]])] * 2
        for number, (left, right) in labels.items()
        if int(number) < 49
    }
    squares = {"w1": [drawn("w1", seed) for seed in range(5, 9)]}
    add_two_crowns(labels, dominoes, squares, np.random.default_rng(1))
    # Two halves of dominoes, and the squares at hand: those that are held out are not among them.
    assert {label: len(squares[label]) for label in ("w2", "f2", "l2")} == {
        "w2": 6, "f2": 2, "l2": 2,
    }  # fmt: skip
    assert [len(dominoes[number]) for number in ("49", "50", "51")] == [2, 2, 2]
    # The crown of a right half lies to the right.
    for number in ("49", "50"):
        crown = stamp.find(np.ascontiguousarray(dominoes[number][0][:, SIDE:]))
        assert crown is not None
        assert crown.centre[0] > SIDE / 2
