"""What each part of a recipe adds: ``python -m benchmarks.recipe_parts NAME DATA --work FOLDER``.

The whole recipe and each variant of it are trained from nothing for the same few steps, without a
part of the sessions, and answer the same questions of what they have not seen.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.markdown_tables import markdown, provenance, show
from training.common.answers import LEVEL, Answer, compare, read_answers, write_answers
from training.common.make import make
from training.common.recipe import Conversion, Recipe, Stage, load_recipes
from training.common.task import Source, task_of
from training.kingdomino.classifier import WAYS, Squares, answers_to
from training.kingdomino.locator import Locator

WHOLE = "the whole recipe"
# Options that a variant changes, also in each stage of the recipe; "stages" are when these begin.
VARIANTS: dict[str, dict[str, dict[str, Any]]] = {
    "squares": {
        "nothing drawn": {"scenes": {"drawn_share": 0.0}, "drawn_squares_share": 0.0},
        "no photographs as scenes": {"photo_share": 0.0},
        "nothing lies over scenes": {"scenes": {"thing_share": 0.0}},
        "no patch disturbed": {"disturbed": dict.fromkeys(WAYS, 0.0)},
        "no patch reflects the sky": {"disturbed": {"reflecting": 0.0}},
        "fewer of them grey, dim and blurred": {
            "disturbed": {"grey": 0.04, "dimmed": 0.05, "blurred": 0.04}
        },
    },
    "locator": {
        "each scene shown once": {"shown": 1},
        "easy scenes throughout": {"stages": []},
        "hard scenes throughout": {"stages": [0.0]},
        "nothing lies over scenes": {"scenes": {"thing_share": 0.0}},
        "no steep views": {"scenes": {"steep_share": 0.0}},
    },
}
# The part of the sessions that no variant sees; scenes composed of it, or drawn, that are asked of.
HELD_OUT, SCENES, ASKED_SEED = (0, 3), 60, 700_000
MARKS = {"better": "*", "worse": "**"}


def variant_of(recipe: Recipe, change: Mapping[str, Any], steps: int) -> Recipe:
    """The recipe with a part changed and a shorter schedule, its files in 32 bits alone."""
    begins = change.get("stages", [stage.begins for stage in recipe.stages])
    stages = tuple(
        Stage(at, _changed(stage.options, change))
        for at, stage in zip(begins, recipe.stages, strict=False)
    )
    plan = recipe.schedule
    # A stage begins with a chapter.
    chapter = max(1, plan.chapter * steps // plan.steps)
    return replace(
        recipe,
        schedule=replace(plan, steps=steps, chapter=chapter),
        options=_changed(recipe.options, change),
        stages=stages,
        files={name: Conversion() for name, how in recipe.files.items() if not how.of},
        temperature=None,
    )


def _changed(options: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Those options of a change that are there already, replaced; those of tables one by one."""
    return {
        name: {**old, **new} if isinstance(new := change.get(name, old), dict) else new
        for name, old in options.items()
    }


def ask(recipe: Recipe, source: Source, folder: Path) -> Iterator[Answer]:
    """What the network in ``folder`` answers to the questions of the whole recipe."""
    task = task_of(recipe, source)
    if isinstance(task, Squares):
        squares = list(task.asked(SCENES, ASKED_SEED))
        for some in squares, *(task.disturbed(squares, way) for way in WAYS):
            yield from answers_to(list(some), folder / task.file)
    elif isinstance(task, Locator):
        for name, options in ("easy", recipe.options), ("hard", recipe.options_at(1)):
            asked = Locator(source, {**options, "asked": SCENES}, task.tiles)
            for each in asked.answers_of(folder / asked.file):
                kind = f"{name}: {each.kind}"
                yield replace(each, question=f"{name}, {each.question}", kind=kind)


def measure(recipe: Recipe, data: Path, work: Path, steps: int, variant: str) -> Path:
    """Train a variant, ask it, and give the file with its answers; what is there is taken."""
    folder = work / recipe.name / f"{steps}" / variant.replace(" ", "_")
    path = folder / "answers.csv"
    if not path.exists():
        changed = variant_of(recipe, VARIANTS[recipe.name].get(variant, {}), steps)
        make(changed, data, folder, held_out=HELD_OUT)
        source = Source(data, folder / "work" / "drawn", recipe.schedule.seed, HELD_OUT)
        write_answers(list(ask(recipe, source, folder)), path)
    return path


def table_of(answers: Mapping[str, list[Answer]]) -> str:
    """The share of wrong answers by kind, marked where it differs from that of the whole recipe."""
    whole = answers[WHOLE]
    kinds = list(dict.fromkeys(answer.kind for answer in whole))
    counts = [sum(answer.kind == kind for answer in whole) for kind in kinds]
    rows: list[tuple[object, ...]] = [("questions", *counts)]
    for name, mine in answers.items():
        shown = []
        for kind in kinds:
            old, new = ([a for a in each if a.kind == kind] for each in (whole, mine))
            told, wrong = compare(old, new), sum(not answer.right for answer in new)
            mark = MARKS.get(told.verdict, "")
            shown.append(f"{mark}{100 * wrong / len(new):.2f} %{mark}")
        rows.append((name, *shown))
    return markdown(("trained by", *kinds), rows)


def main() -> None:
    """Measure all variants of a recipe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(VARIANTS))
    parser.add_argument("data", type=Path)
    parser.add_argument("--work", type=Path, required=True, help="goes on from what is there")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2, help="so many variants at once")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    recipe = load_recipes()[chosen.name]
    names = [WHOLE, *VARIANTS[recipe.name]]
    one = partial(measure, recipe, chosen.data, chosen.work, chosen.steps)
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("spawn")) as pool:
        answers = {n: read_answers(p) for n, p in zip(names, pool.map(one, names), strict=True)}
    text = (
        f"# What each part of the recipe of `{recipe.name}` adds\n\n{provenance()}; "
        f"{chosen.steps:,} of {recipe.schedule.steps:,} steps each, without a third of the "
        "sessions.\nThe share of wrong answers to what none of them has seen; bold where "
        "significantly more than by the whole recipe,\nitalic where fewer (McNemar's exact test by "
        f"group, p < {1 - LEVEL:.2f}).\n\n{table_of(answers)}"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
