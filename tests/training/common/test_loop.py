"""The training loop: it learns, the same recipe gives the same weights, also after a pause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.loop import draw_curve, train  # noqa: E402
from training.common.onnx_files import check, save_onnx  # noqa: E402
from training.common.recipe import Card, Recipe, Schedule, Stage  # noqa: E402
from training.common.task import Batch, Export, Task, as_input, predict  # noqa: E402
from vision.common.network import Network  # noqa: E402

PLAN = Schedule(steps=240, batch=16, seed=3, rate=1e-2, chapter=80)
RECIPE = Recipe(
    "bright", "none", "none", {}, PLAN, {}, Card("", "", "", ""), {"grey": 60},
    (Stage(0.5, {"grey": 70}),),
)  # fmt: skip


class BrightOrDark(Task):
    """Endless pictures of one grey, labelled 1 where they are bright; it stops after a while."""

    def __init__(self, stops_after: int = 10**9) -> None:
        self.left, self.greys = stops_after, set[int]()

    def network(self) -> Any:
        return torch.nn.Sequential(
            torch.nn.Conv2d(3, 4, 3, 2), torch.nn.ReLU(), torch.nn.Flatten(),
            torch.nn.Dropout(0.1), torch.nn.Linear(36, 2),
        )  # fmt: skip

    def examples(
        self, rng: np.random.Generator, options: Mapping[str, Any]
    ) -> Iterator[tuple[Any, ...]]:
        self.greys.add(options["grey"])
        while True:
            label = int(rng.integers(2))
            grey = options["grey"] + 130 * label + int(rng.integers(-40, 40))
            yield np.full((3, 8, 8), grey, np.uint8), label

    def loss(self, network: Any, batch: Batch) -> tuple[Any, dict[str, Any]]:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        pictures, labels = batch
        loss = torch.nn.functional.cross_entropy(predict(network, as_input(pictures)), labels)
        return loss, {"loss": loss}

    def exports(self, network: Any) -> list[Export]:
        return [Export("bright.onnx", network, torch.zeros(1, 3, 8, 8))]

    def answers(self, folder: Path) -> Iterator[Any]:
        yield from ()


def weights(folder: Path, recipe: Recipe = RECIPE, *, workers: int = 0) -> bytes:
    task = BrightOrDark()
    network, curve, _ = train(task, recipe, folder, workers=workers)
    assert curve[-1]["step"] == recipe.schedule.steps
    (export,) = task.exports(network)
    return save_onnx(export, folder).read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_what_was_learnt_is_read_and_comes_again(tmp_path: Path) -> None:
    first = weights(tmp_path / "first")
    batch = np.full((2, 3, 8, 8), -0.3, np.float32)
    batch[1] = 0.3
    assert Network(first)(batch).argmax(1).tolist() == [0, 1]
    check(tmp_path / "first" / "bright.onnx", batch)
    assert weights(tmp_path / "again") == first
    other = replace(RECIPE, schedule=replace(PLAN, seed=4))
    assert weights(tmp_path / "other", other) != first


@pytest.mark.filterwarnings("ignore")
def test_the_number_of_processes_changes_no_weight(tmp_path: Path) -> None:
    short = replace(RECIPE, schedule=replace(PLAN, steps=40, chapter=20))
    assert weights(tmp_path / "none", short) == weights(tmp_path / "two", short, workers=2)
    with pytest.raises(ValueError, match="divisor of 8, got 3"):
        weights(tmp_path / "three", short, workers=3)


@pytest.mark.filterwarnings("ignore")
def test_a_training_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = weights(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(BrightOrDark(stops_after=200), RECIPE, tmp_path / "broken")
    checkpoint = tmp_path / "broken" / f"{RECIPE.name}.checkpoint"
    torch.save(torch.load(checkpoint) | {"seconds": 1000.0}, checkpoint)
    assert weights(tmp_path / "broken") == whole
    # What it took before counts.
    assert train(BrightOrDark(), RECIPE, tmp_path / "broken")[2] >= 1000
    # Nothing is left to be done: the same once more.
    assert weights(tmp_path / "broken") == whole


def test_a_checkpoint_of_another_recipe_is_refused(tmp_path: Path) -> None:
    short = replace(RECIPE, schedule=replace(PLAN, steps=30))
    train(BrightOrDark(), short, tmp_path)
    with pytest.raises(ValueError, match="made by another recipe"):
        train(BrightOrDark(), replace(short, options={"grey": 50}), tmp_path)
    # How the weights are stored, and what people say of them, makes no other weights.
    words = replace(RECIPE.card, does="Other words.")
    train(BrightOrDark(), replace(short, files={}, card=words), tmp_path)


def test_a_later_stage_has_its_own_options(tmp_path: Path) -> None:
    task = BrightOrDark()
    train(task, RECIPE, tmp_path)
    assert task.greys == {60, 70}
    assert RECIPE.options_at(0.4)["grey"] == 60
    assert RECIPE.options_at(0.5)["grey"] == 70


def test_the_curve_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "curve.png"
    draw_curve([{"step": 50.0, "loss": 1.0}, {"step": 100.0, "loss": 0.5}], path)
    assert path.read_bytes().startswith(b"\x89PNG")
