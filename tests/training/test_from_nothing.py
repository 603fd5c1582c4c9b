"""The smallest network is made from nothing by its recipe, and is what is shipped, or as good."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from training.common.manifest import MANIFEST, digest, load_manifest
from training.common.recipe import load_recipes
from vision.common.network import shipped_weights

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.answers import compare
from training.common.make import make
from training.common.task import Source, task_of

DATA = Path(os.environ.get("KINGDOMINO_DATA", "nowhere")) / "data"
NAME = "mirrored"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not DATA.is_dir(), reason="KINGDOMINO_DATA names no data folder")
def test_the_smallest_network_comes_again(tmp_path: Path) -> None:
    recipe, shipped = load_recipes()[NAME], shipped_weights()
    entry = make(recipe, DATA, tmp_path, workers=1)
    noted = load_manifest(shipped / MANIFEST)["networks"][NAME]
    if noted.get("recipe_sha256") == recipe.sha256:
        assert entry["data"] == noted["data"]
        if (entry["machine"], entry["versions"]) == (noted["machine"], noted["versions"]):
            assert digest(tmp_path / f"{NAME}.onnx") == digest(shipped / f"{NAME}.onnx")
            return
    # Elsewhere other numbers are rounded otherwise, which 1,800 steps make visible.
    task = task_of(recipe, Source(DATA, tmp_path, recipe.schedule.seed))
    found = compare(task.answers(shipped), task.answers(tmp_path))
    assert found.verdict in ("better", "as good"), found
