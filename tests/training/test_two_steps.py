"""Every recipe trains: two steps on small drawn examples give files that the readers can use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.training.kingdomino.drawn_tiles import drawn_tiles
from training.common.recipe import Recipe, load_recipes
from vision.common.network import Network
from vision.domino_duell.weights import FEATURES, OUTPUTS, POSITION_FEATURES
from vision.kingdomino.result import OUTPUTS as SQUARES
from vision.kingdomino.search import MAP_CHANNELS
from vision.pip_dominoes.weights import (
    FACE_OTHERS,
    FACE_PX,
    HALF_CLASSES,
    HALF_PX,
    LOCATOR_CHANNELS,
    PIP_MAP_PX,
    PIP_MAPS,
)

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from tests.training.sources import source_of
from training.common.loop import train
from training.common.onnx_files import check, save_onnx
from training.common.task import Task, task_class
from training.domino_duell import classifier as boards
from training.kingdomino import classifier, locator, mirror
from training.pip_dominoes import faces
from training.pip_dominoes import locator as pip_locator
from training.pip_dominoes.corpus import draw_stored
from training.pip_dominoes.scenes.scene import SceneSettings

RECIPES = load_recipes()
FACE_ROW = PIP_MAPS * PIP_MAP_PX[0] * PIP_MAP_PX[1] + FACE_OTHERS


def small(recipe: Recipe) -> Recipe:
    """The recipe with two steps of two examples, from the smallest stock."""
    options = {**recipe.options, **dict.fromkeys(task_class(recipe).stocks, 2)}
    if recipe.game == "kingdomino" and "scenes" in options:
        options["scenes"] = {"size_px": 128, "square_px": [20.0, 40.0], "thing_share": 0.5}
    schedule = replace(recipe.schedule, steps=2, batch=2, warm_share=0.75)
    return replace(recipe, schedule=schedule, options=options, stages=())


def of_pips(kind: type[faces.OfScenes]) -> Callable[[Recipe, Path], Task]:
    def task(recipe: Recipe, folder: Path) -> Task:
        scenes = draw_stored(folder / "data", folder, SceneSettings(size_px=320), 3, 1)
        task = kind(source_of(folder), recipe.options)
        task.scenes = scenes
        return task

    return task


def of_mirrored(recipe: Recipe, folder: Path) -> Task:
    squares = {label: some[0] for label, some in drawn_tiles().squares.items()}
    known = mirror.SquareBank(tuple((picture, label) for label, picture in squares.items()), 1.0)
    unknown = mirror.SquareBank(known.squares, 1.0, of_the_game=False)
    return mirror.Mirrored(source_of(folder), recipe.options, [known, unknown])


TASKS: dict[str, Callable[[Recipe, Path], Task]] = {
    "mirrored": of_mirrored,
    "squares": lambda recipe, folder: classifier.Squares(
        source_of(folder), recipe.options, drawn_tiles()
    ),
    "second_opinion": lambda recipe, folder: classifier.SecondOpinion(
        source_of(folder), recipe.options, drawn_tiles()
    ),
    "locator": lambda recipe, folder: locator.Locator(
        source_of(folder), recipe.options, drawn_tiles()
    ),
    "domino_duell": lambda recipe, folder: boards.Reading(source_of(folder), recipe.options),
    "pip_locator": of_pips(pip_locator.Locator),
    "pip_faces": of_pips(faces.Faces),
    "pip_halves": of_pips(faces.Halves),
}
INPUTS = {
    "mirrored.onnx": ((3, 3, 48, 48), (3, 1)),
    "squares.onnx": ((3, 3, 64, 64), (3, len(SQUARES))),
    "second_opinion.onnx": ((3, 3, 64, 64), (3, len(SQUARES))),
    "locator.onnx": ((1, 3, 64, 96), (1, MAP_CHANNELS, 16, 24)),
    "domino_duell.onnx": ((3, 3, 32, 32), (3, OUTPUTS + FEATURES)),
    "domino_duell_board.onnx": (
        (1, 40, OUTPUTS + FEATURES + POSITION_FEATURES), (1, 40, OUTPUTS),
    ),
    "pip_locator.onnx": ((1, 3, 64, 96), (1, LOCATOR_CHANNELS, 16, 24)),
    "pip_faces.onnx": ((2, 3, FACE_PX[1], FACE_PX[0]), (2, FACE_ROW)),
    "pip_halves.onnx": ((2, 3, HALF_PX, HALF_PX), (2, HALF_CLASSES)),
}  # fmt: skip


def test_every_recipe_is_tried() -> None:
    assert set(TASKS) == set(RECIPES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TASKS)
def test_two_steps_give_what_the_reader_reads(name: str, tmp_path: Path) -> None:
    recipe = small(RECIPES[name])
    task = TASKS[name](recipe, tmp_path)
    network, curve, _ = train(task, recipe, tmp_path)
    assert all(np.isfinite(value) for row in curve for value in row.values())
    exports = task.exports(network)
    assert {e.file for e in exports} == {n for n, how in recipe.files.items() if not how.of}
    for export in exports:
        path = save_onnx(export, tmp_path)
        check(path, export.example.numpy())
        taken, given = INPUTS[export.file]
        assert Network(path.read_bytes())(np.zeros(taken, np.float32)).shape == given
