"""Make and judge networks, look at data: ``python -m training make NAME --data DATA --out OUT``."""

from __future__ import annotations

import argparse
import csv
import importlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.common.manifest import MANIFEST, note_fits, write_cards
from training.common.recipe import Recipe, RecipeError, load_recipes
from training.data_sheet import faults_of, read_rows, sheet_of

MODELS = Path(__file__).parents[1] / "models"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 2 where what was typed or the data is wrong, 1 where one is not the same."""
    recipes = load_recipes()
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    making = verbs.add_parser("make", help="from nothing to what is shipped; goes on where it was")
    names = f"{', '.join(recipes)}, all, or the file of a recipe of your own"
    making.add_argument("name", nargs=1, help=names)
    making.add_argument("--out", type=Path, required=True, help="where files, cards and work lie")
    making.add_argument("--hold-out", type=_part, metavar="PART/PARTS", help="sessions left out")
    judging = verbs.add_parser("judge", help="compare a new network with what is shipped")
    judging.add_argument("name", help="as of make, but all")
    judging.add_argument("new", type=Path, help="the folder that make wrote")
    judging.add_argument("--parts", type=int, metavar="N", help="train for the first N parts only")
    judging.add_argument("--ship", action="store_true", help="if as good or better, ship it")
    same = verbs.add_parser("same", help="whether this code begins as that which made the networks")
    same.add_argument("name", nargs="*", default=["all"], help="as of make")
    same.add_argument("--note", action="store_true", help="enter digests where there are none")
    for each in (making, judging, same):
        each.add_argument("--data", type=Path, required=True, help="the data folder")
    processes = "processes that make examples: 0, 1, 2, 4 or 8"
    for each in (making, judging):
        each.add_argument("--device", default="cpu", help="cpu or cuda")
        each.add_argument("--workers", type=int, default=1, help=processes)
    sheet = verbs.add_parser("sheet", help="what is in a data folder, and what is wrong with it")
    sheet.add_argument("data", type=Path)
    samples = verbs.add_parser("samples", help="draw the sample pictures of a game")
    samples.add_argument("game", choices=("kingdomino", "pip_dominoes"))
    samples.add_argument("folder", type=Path, help="where pictures and labels.csv are written")
    cards = verbs.add_parser("cards", help="write the model cards and note fitted files")
    for each in (same, cards):
        each.add_argument("--folder", type=Path, default=MODELS, help="where the manifest lies")
    chosen = parser.parse_args(argv)
    if chosen.verb == "cards":
        note_fits(chosen.folder / MANIFEST)
        write_cards(chosen.folder, recipes.values())
        return 0
    if chosen.verb == "sheet":
        rows = list(read_rows(chosen.data))
        faults = faults_of(rows)
        print(sheet_of(rows, faults))
        return 2 if faults else 0
    if chosen.verb == "samples":
        _write_samples(importlib.import_module(f"training.{chosen.game}.samples"), chosen.folder)
        return 0
    # Torch takes seconds to load.
    from training.common.judge import judge, ship
    from training.common.make import compare_drawn, make

    if chosen.verb == "judge":
        how = {"device": chosen.device, "workers": chosen.workers, "parts": chosen.parts}
        recipe = _recipe(chosen.name, recipes)
        verdict, page = judge(recipe, chosen.new, MODELS, chosen.data, **how)
        print(f"{verdict}: {page}")
        if chosen.ship:
            ship(recipe, chosen.new, MODELS, verdict)
        return 0
    at_work = ""
    try:
        typed = recipes if "all" in chosen.name else chosen.name
        wanted = [_recipe(name, recipes) for name in typed]
        if chosen.verb == "same":
            table, all_same = compare_drawn(wanted, chosen.data, chosen.folder, note=chosen.note)
            print(table, end="")
            return 0 if all_same else 1
        how = {"device": chosen.device, "workers": chosen.workers, "held_out": chosen.hold_out}
        for recipe in wanted:
            at_work = f"{recipe.name}: "
            make(recipe, chosen.data, chosen.out, **how)
            if chosen.hold_out is None:
                write_cards(chosen.out, [recipe])
    except (OSError, ValueError) as error:
        print(f"{at_work}{error}", file=sys.stderr)
        return 2
    return 0


def _write_samples(game: Any, folder: Path) -> None:
    """Draw the pictures of a module of samples into a folder, which may be missing, with labels."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [["file", *game.COLUMNS]]
    for sample in game.SAMPLES:
        jpeg, labels = game.draw_labelled(sample)
        rows.append([f"{sample.name}.jpg", *labels])
        (folder / rows[-1][0]).write_bytes(jpeg)
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as table:
        csv.writer(table, lineterminator="\n").writerows(rows)


def _recipe(name: str, recipes: Mapping[str, Recipe]) -> Recipe:
    """The recipe of that name or in that file; RecipeError where there is none."""
    if name not in recipes and not Path(name).is_file():
        raise RecipeError(f"{name}: expected one of {', '.join(recipes)}, all, or a file")
    return recipes.get(name) or Recipe.load(Path(name))


def _part(text: str) -> tuple[int, int]:
    """Such as "0/3": part 0 of 3. ValueError for another text."""
    part, parts = (int(number) for number in text.split("/"))
    if not 0 <= part < parts:
        raise ValueError(f"expected a part of {parts}, got {part}")
    return part, parts


if __name__ == "__main__":
    raise SystemExit(main())
