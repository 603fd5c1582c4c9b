"""What is trained without a part of the sessions has seen nothing of them, and is asked of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from scorer.kingdomino import Kingdom

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.answers import Answer
from training.common.arrays import Image
from training.common.recipe import load_recipes
from training.common.task import Source
from training.kingdomino import classifier, corpus, mirror, tiles
from training.kingdomino.classifier import Asked, Squares
from training.kingdomino.corpus import Corpus, LabelledKingdom, LabelledSquare
from training.kingdomino.locator import Locator
from training.kingdomino.mirror import Mirrored
from training.kingdomino.scenes import compose
from training.kingdomino.scenes.compose import Scene, SeenSquare

# Every picture is grey all over: its tens tell the folder, its ones the session.
FOLDERS = {"squares": 110, "boards": 120, "photos": 130}
SESSIONS = range(3)
HIDDEN = 1


def grey(path: Path) -> Image:
    return np.full((100, 100, 3), int(path.stem), np.uint8)


def square_in(pixels: Image) -> Scene:
    corners = np.array([(10, 10), (90, 10), (90, 90), (10, 90)], np.float32)
    return Scene(pixels, [SeenSquare(corners, "w1", 0, (0, 0))], [])


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder with a picture of each of three sessions in each of its folders."""

    def kingdoms(name: str) -> list[LabelledKingdom]:
        paths = (Path(name, f"{FOLDERS[name] + k}.jpg") for k in SESSIONS)
        return [LabelledKingdom(path, Kingdom.parse("w1 w1"), path.stem) for path in paths]

    squares = [LabelledSquare(Path(f"{110 + k}.jpg"), "w1", f"s{k}") for k in SESSIONS]
    monkeypatch.setattr(Corpus, "squares", lambda _: squares)
    monkeypatch.setattr(Corpus, "boards", lambda _: kingdoms("boards"))
    monkeypatch.setattr(Corpus, "photos", lambda _: kingdoms("photos"))
    for module in (corpus, tiles, compose, classifier, mirror):
        monkeypatch.setattr(module, "read_rgb", grey)
    monkeypatch.setattr(compose, "load_photo_scene", lambda _, photo: square_in(grey(photo.path)))
    # What is drawn takes long and has no session.
    monkeypatch.setattr(tiles, "render_domino", lambda *_: np.zeros((96, 192, 3), np.uint8))
    monkeypatch.setattr(tiles, "render_square", lambda *_: np.zeros((96, 96, 3), np.uint8))
    monkeypatch.setattr(tiles, "load_surfaces", lambda *_: [])
    monkeypatch.setattr(mirror, "draw_squares", lambda *_: {})


def source(held_out: tuple[int, int] | None) -> Source:
    return Source(Path("nowhere"), Path("nowhere"), 1, held_out)


def squares(held_out: tuple[int, int] | None) -> Squares:
    return Squares(source(held_out), {**load_recipes()["squares"].options, "two_crowns": False})


def seen_by(name: str, held_out: tuple[int, int] | None) -> Iterator[Image]:
    if name == "squares":
        of_squares = squares(held_out)
        yield from of_squares.tiles.squares["w1"]
        yield from (scene.rgb for scene in of_squares.photographed)
    elif name == "locator":
        yield from Locator(source(held_out), load_recipes()[name].options).tiles.squares["w1"]
    else:
        shown = Mirrored(source(held_out), load_recipes()[name].options)
        yield from (picture for bank in shown.banks for picture, _ in bank.squares)


@pytest.mark.parametrize("name", ["squares", "locator", "mirrored"])
def test_nothing_of_a_held_out_session_is_learnt(name: str) -> None:
    learnt = FOLDERS if name != "locator" else ("squares", "boards")
    every = {FOLDERS[each] + k for each in learnt for k in SESSIONS}
    assert {int(each.max()) for each in seen_by(name, None)} == every
    rest = {number for number in every if number % 10 != HIDDEN}
    assert {int(each.max()) for each in seen_by(name, (HIDDEN, 3))} == rest


def test_ranges_of_8_bits_are_not_chosen_by_held_out_squares() -> None:
    (batch,) = squares((HIDDEN, 3)).calibration("squares.int8.onnx", 1, 0)
    assert sorted(np.round(255 * (batch.max((1, 2, 3)) + 0.5)).tolist()) == [110, 112]


def test_a_network_is_asked_about_what_it_was_not_shown_and_is_as_sure_as_it_was_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "relative_to", lambda path, _: path)
    asked = dict[str, tuple[set[int], float]]()

    def answers_to(some: Sequence[Asked], file: Path, heat: float) -> Iterator[Answer]:
        asked[file.name] = {int(patch.max()) for *_, patch in some}, heat
        return iter(())

    monkeypatch.setattr(classifier, "answers_to", answers_to)
    monkeypatch.setattr(classifier, "WAYS", ())
    (tmp_path / "squares.json").write_text(json.dumps({"temperature": 1.75}))
    options = {**load_recipes()["squares"].options, "two_crowns": False, "asked": 0}
    list(Squares(source((HIDDEN, 3)), options).answers(tmp_path))
    assert asked == {"squares.onnx": ({111, 121}, 1.75), "squares.int8.onnx": ({111, 121}, 1.75)}
