"""What a training begins with, as one number: whether today's code would make the same network is
told in a minute, and not by hours of training.
"""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.utils.data import default_collate

from training.common.loop import settle
from training.common.manifest import MANIFEST, load_manifest, write_manifest
from training.common.markdown import markdown
from training.common.recipe import Recipe
from training.common.task import Source, task_class

# How much is drawn ahead, the examples of each stage, and those of them that the loss is of.
STOCK, EXAMPLES, IN_LOSS = 4, 10, 4


def of_small_stocks(recipe: Recipe, options: Mapping[str, Any], count: int) -> dict[str, Any]:
    """These options of its task with ``count`` for everything that is drawn ahead."""
    return {**options, **dict.fromkeys(task_class(recipe).stocks, count)}


def drawn_sha256(recipe: Recipe, data: Path) -> str:
    """The SHA-256 of the first weights, the first examples of each stage, and their loss.

    Stocks are small, the loss is computed in 32 bits whatever the processor has. With the loop and
    the recipe's own digest that decides the weights. Comparable on one kind of processor alone:
    OpenCV and BLAS round otherwise elsewhere. FileNotFoundError for data that is not there.
    """
    for name in recipe.data:
        if not (data / name).exists():
            raise FileNotFoundError(f"{recipe.path}: data: there is no {name} in the data folder")
    plan, found = recipe.schedule, hashlib.sha256()

    def add(*values: Any) -> None:
        for value in map(np.asarray, values):
            found.update(f"{value.dtype} {value.shape} ".encode() + value.tobytes())

    settle(plan.seed)
    with tempfile.TemporaryDirectory() as cache:
        options = of_small_stocks(recipe, recipe.options, STOCK)
        task = task_class(recipe)(Source(data, Path(cache), plan.seed), options)
        network = task.network().train()
        add(*(value.numpy() for value in network.state_dict().values()))
        for part in network.modules():
            part.forward = torch.autocast("cpu", enabled=False)(part.forward)
        for share in (0.0, *(stage.begins for stage in recipe.stages)):
            options = of_small_stocks(recipe, recipe.options_at(share), STOCK)
            stream = task.examples(np.random.default_rng([plan.seed, round(100 * share)]), options)
            examples = list(itertools.islice(stream, EXAMPLES))
            add(*itertools.chain(*examples))
            loss, _ = task.loss(network, default_collate(examples[:IN_LOSS]))
            add(loss.detach())
    return found.hexdigest()


def compare_drawn(
    recipes: Iterable[Recipe], data: Path, folder: Path, *, note: bool = False
) -> tuple[str, bool]:
    """A table of the networks of a manifest in ``folder``, and whether all are drawn the same.

    Where a recipe or a digest is not the one that is noted, the network is another. With ``note``
    digests are entered for networks that have none, and no other.
    """
    manifest, rows = load_manifest(folder / MANIFEST), []
    for recipe in recipes:
        if (network := manifest["networks"].get(recipe.name)) is None:
            continue
        found = drawn_sha256(recipe, data)
        if note:
            network.setdefault("drawn_sha256", found)
        noted = network["recipe_sha256"], network.get("drawn_sha256")
        file = manifest["files"][next(iter(recipe.files))]["sha256"][:12]
        same = "same" if noted == (recipe.sha256, found) else "other"
        made = (network[name] for name in ("commit", "made", "machine", "minutes"))
        rows.append((recipe.name, *made, f"`{file}`", same))
    if note:
        write_manifest(folder / MANIFEST, manifest)
    head = ("recipe", "commit", "made", "machine", "minutes", "SHA-256", "drawn by this code")
    return markdown(head, rows), all(row[-1] == "same" for row in rows)
