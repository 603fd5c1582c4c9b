"""What is measured of parts of a recipe: variants change what they name, and differences show."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from benchmarks.recipe_parts import VARIANTS, WHOLE, table_of, variant_of
from training.common.answers import Answer
from training.common.recipe import Recipe, load_recipes

RECIPES = load_recipes()


@pytest.mark.parametrize(("name", "part"), [(n, p) for n in VARIANTS for p in VARIANTS[n]])
def test_each_variant_is_another_recipe_by_no_more_than_its_part(name: str, part: str) -> None:
    recipe, change = RECIPES[name], VARIANTS[name][part]
    whole, variant = variant_of(recipe, {}, 100), variant_of(recipe, change, 100)
    assert variant.trained_sha256 != whole.trained_sha256
    assert whole.options == recipe.options
    assert whole.stages == recipe.stages
    for share in (0.0, 0.5):
        old, new = whole.options_at(share), variant.options_at(share)
        differing = {option for option in old if old[option] != new[option]}
        assert differing <= {*change, *(("scenes",) if "stages" in change else ())}
        for option in differing & change.keys():
            if isinstance(change[option], dict):
                assert new[option] == old[option] | change[option]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_short_training_is_in_its_last_stage_for_as_much_of_it_as_the_whole_one(
    name: str,
) -> None:
    def share_of_last(recipe: Recipe) -> float:
        plan = recipe.schedule
        starts = [step / plan.steps for step in range(0, plan.steps, plan.chapter)]
        last = recipe.options_at(1)
        return sum(recipe.options_at(at) == last for at in starts) / len(starts)

    short, whole = variant_of(RECIPES[name], {}, 1000), RECIPES[name]
    assert share_of_last(short) == pytest.approx(share_of_last(whole), abs=0.05)


def test_a_part_that_answers_rest_on_stands_out_in_its_kind_alone() -> None:
    def answers(wrong: int, kind: str) -> list[Answer]:
        return [
            Answer(f"{kind} {k}", f"{kind} {k}", kind, "w", "g" if k < wrong else "w", 0.9)
            for k in range(200)
        ]

    whole = answers(20, "plain") + answers(40, "grey")
    without = answers(21, "plain") + answers(90, "grey")
    better = answers(20, "plain") + answers(10, "grey")
    *_, first, second, third = table_of({WHOLE: whole, "a": without, "b": better}).splitlines()
    assert first == f"| {WHOLE} | 10.00 % | 20.00 % |"
    assert second == "| a | 10.50 % | **45.00 %** |"
    assert third == "| b | 10.00 % | *5.00 %* |"
