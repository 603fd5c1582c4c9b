"""Recipes are read strictly, and those of the project are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.common.manifest import WEIGHTS, faults, files_of, load_fits
from training.common.recipe import Recipe, RecipeError, load_recipes
from vision.common.network import shipped_weights

RECIPES = load_recipes()
LEAST = """
task = "mirror.Mirrored"

[data]

[schedule]
steps = 10
batch = 2

[files."a.onnx"]

[card]
does = ""
trained_on = ""
use = ""
limits = ""
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "some_game" / "recipes" / "some.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_least_that_a_recipe_needs(tmp_path: Path) -> None:
    recipe = Recipe.load(written(tmp_path, LEAST))
    assert (recipe.name, recipe.game) == ("some", "some_game")
    assert recipe.schedule.rate == 3e-3
    assert files_of(recipe) == ["a.onnx"]
    assert load_recipes(tmp_path) == {"some": recipe}


def test_a_digest_is_of_what_decides_the_weights_or_the_files(tmp_path: Path) -> None:
    def digests(old: str, new: str) -> tuple[str, str]:
        recipe = Recipe.load(written(tmp_path, LEAST.replace(old, new)))
        return recipe.trained_sha256, recipe.sha256

    weights, files = digests("", "")
    assert digests('does = ""', 'does = "Other words."') == (weights, files)
    kept, others = digests('[files."a.onnx"]', '[files."a.onnx"]\nbits = 16')
    assert kept == weights
    assert others != files
    assert digests("[schedule]", "[options]\nasked = 2\n[schedule]")[0] == weights
    for old, new in (
        ("steps = 10", "steps = 11"),
        ("mirror.", "locator."),
        ("[data]", "[data]\na = ''"),
        ("[schedule]", "[options]\nshown = 2\n[schedule]"),
    ):
        learnt, stored = digests(old, new)
        assert learnt != weights
        assert stored != files


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("steps = 10", "steps = 10\nstep = 10", "some.toml: schedule: step: expected one of"),
        ("steps = 10", "", "some.toml: schedule: steps is missing"),
        ("steps = 10", "steps = 'ten'", "steps: expected int, got 'ten'"),
        ("steps = 10", "steps = ten", "some.toml: "),
        ("[data]", "[dota]", "some.toml: dota: expected one of"),
        ('[files."a.onnx"]', '[files."a.onnx"]\nbits = 8', "files.a.onnx: expected 8 bits of"),
        ('[files."a.onnx"]', '[files."a.onnx"]\nbits = 12', "files.a.onnx: expected 8 bits of"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_named(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(RecipeError, match=said):
        Recipe.load(written(tmp_path, LEAST.replace(old, new)))


def test_every_shipped_file_is_made_by_one_recipe_or_fitted_by_a_command() -> None:
    made = [name for recipe in RECIPES.values() for name in files_of(recipe)]
    assert len(made) == len(set(made))
    here = {p.name for p in shipped_weights().iterdir() if p.suffix in WEIGHTS}
    assert set(made) | load_fits().keys() == here - {"manifest.json"}


def test_the_manifest_and_the_cards_are_those_of_what_is_shipped() -> None:
    assert faults(shipped_weights(), RECIPES) == []
