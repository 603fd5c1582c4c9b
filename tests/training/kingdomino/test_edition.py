"""docs/adding_a_label.md in small: an edition of other colours is drawn, learnt and read."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, CASTLE, Square
from training.kingdomino.render.canvas import Style
from training.kingdomino.render.scene import draw_surface
from training.kingdomino.render.tiles import render_domino, render_square
from vision.common.geometry import PATCH_PX
from vision.common.network import MODELS, shipped_weights
from vision.kingdomino.result import LABELS
from vision.kingdomino.weights import Weights

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.__main__ import main

Image = NDArray[np.uint8]

PRINTED = sorted({str(s) for d in BASE_DOMINOES for s in (d.left, d.right)})
OTHER_HUE_DEG = 150.0
RECIPE = """
game = "kingdomino"
task = "classifier.Squares"

[data]
dominoes = "drawn dominoes"
squares = "drawn squares, of the standard edition and of another one"
backgrounds = "drawn tables"

[schedule]
steps = 1000
batch = 64
rate = 5e-3
warm_share = 0.2
weight_decay = 2e-2
mean_decay = 0.9

[options]
photo_share = 0.0
drawn_squares = 1
drawn_squares_share = 0.0
calibrated = 2
asked = 2
two_crowns = false

[options.scenes]
size_px = 256
square_px = [30.0, 70.0]

[options.disturbed]
occluded = 0.0
squeezed = 0.0
blurred = 0.0
dimmed = 0.0
grey = 0.0

[temperature]
file = "squares.json"
seed = 99

[files."squares.onnx"]

[card]
does = ""
trained_on = ""
use = ""
limits = ""
"""


def draw(label: str, other: bool, rng: np.random.Generator) -> Image:
    style = Style.random(rng)
    style = replace(style, hue_deg=OTHER_HUE_DEG) if other else style
    return render_square(Square.parse(label), PATCH_PX, rng, style=style)


def save(path: Path, rgb: Image) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR))


def draw_squares(folder: Path, other: bool, of_each: int, rng: np.random.Generator) -> None:
    """A folder as the app exports corrections: pictures and labels.csv."""
    rows = ["file,label,source_photo,session"]
    for label in PRINTED:
        for k in range(of_each):
            save(folder / label / f"{k}.png", draw(label, other, rng))
            rows.append(f"{label}/{k}.png,{label},photo{k % 4},{folder.name}{k % 2}")
    (folder / "labels.csv").write_text("\n".join(rows) + "\n")


def draw_data(data: Path) -> None:
    rng = np.random.default_rng(5)
    draw_squares(data / "squares", False, 12, rng)
    draw_squares(data / "squares" / "other_edition", True, 12, rng)
    for domino in BASE_DOMINOES:
        picture = render_domino(domino.left, domino.right, 128, rng)
        save(data / "dominoes" / "photo" / f"{int(domino.number):02d}.jpg", picture)
    save(data / "dominoes" / "start" / "start-B.jpg", render_square(CASTLE, 128, rng))
    for k, name in enumerate(("wood", "stone")):
        save(data / "backgrounds" / f"{k}.jpg", draw_surface(name, (255, 255), 60, rng))


def right_share(other: bool) -> float:
    """Of squares drawn anew the share that the weights at hand read right."""
    rng = np.random.default_rng(77)
    asked = [label for label in PRINTED for _ in range(8)]
    patches = np.stack([draw(label, other, rng) for label in asked])
    shares, _ = Weights.load().classifier.probabilities(patches)
    said = [LABELS[int(k)] for k in shares.argmax(1)]
    return float(np.mean([a == b for a, b in zip(said, asked, strict=True)]))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_an_edition_more_is_learnt_and_the_standard_one_is_not_harmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, out, models = tmp_path / "data", tmp_path / "out", tmp_path / "models"
    draw_data(data)
    before, unknown = right_share(other=False), right_share(other=True)
    assert unknown < 0.6
    recipe = tmp_path / "squares.toml"
    recipe.write_text(RECIPE)
    where = ["--data", str(data), "--out", str(out), "--workers", "1"]
    assert main(["make", str(recipe), *where]) == 0
    shutil.copytree(shipped_weights(), models)
    for name in ("squares.int8", "second_opinion", "second_opinion.int8"):
        (models / f"{name}.onnx").unlink()
    for name in ("squares.onnx", "squares.json"):
        shutil.copy(out / name, models)
    monkeypatch.setenv(MODELS, str(models))
    standard, other = right_share(other=False), right_share(other=True)
    print(f"before {before:.3f} and {unknown:.3f}, after {standard:.3f} and {other:.3f}")
    assert standard > 0.85
    assert other > 0.85
