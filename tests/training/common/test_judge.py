"""A new network is judged on a page, and shipped if it is as good."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.training.common.test_answers import answers
from training.common.manifest import MANIFEST, card_of, faults, load_manifest, note
from training.common.recipe import load_recipes
from vision.common.network import shipped_weights

pytest.importorskip("torch", reason="training needs the extra 'train'")
onnx = pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common import judge  # noqa: E402
from training.common.answers import compare, read_answers, write_answers  # noqa: E402
from training.domino_duell import readings  # noqa: E402

RECIPES = load_recipes()
RECIPE = RECIPES["mirrored"]
OLD, WORSE, BETTER = (answers(5000, range(n)) for n in (100, 200, 20))
ENTRY = {
    "made": "2026-01-02", "commit": "0123456789", "minutes": 3.5,
    "machine": "a processor", "figures": {"loss": 0.25},
}  # fmt: skip


def test_tables_alone_can_forbid_but_not_allow() -> None:
    as_good, worse = compare(OLD, OLD), compare(OLD, WORSE)
    few = compare(answers(20, range(1)), answers(20, range(2)))
    better = compare(OLD, BETTER)
    assert judge.verdict_of([as_good, few]) == "as good"
    assert judge.verdict_of([better, worse]) == "worse"
    assert judge.verdict_of([better, as_good]) == "better"
    assert judge.verdict_of([few, better]) == "too few to tell"


def test_the_page_has_figures_and_what_changed() -> None:
    changed = [replace(each, kind="castles") for each in WORSE]
    pairs = {"squares": (OLD, changed), "tables": (OLD[:50], OLD[:50])}
    verdict, page = judge.page_of(RECIPE, pairs, OLD[:10], seen=True, made=ENTRY)
    assert verdict == "worse"
    assert "**Worse**, next to what was shipped before." in page
    assert "commit 0123456789" in page
    assert "Both networks have seen the pictures" in page
    assert "| all | by the recipe | 10 | 10 |" in page
    assert "| all | shipped | 5000 | 100 |" in page
    assert "| all | new | 5000 | 200 |" in page
    assert "0 were wrong and are right, 100 the other way round" in page
    assert "| q100 | w | w | **f** |" in page
    assert "and 60 more." in page


def test_what_is_as_good_is_shipped_with_all_that_tells_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped, new, judged = (tmp_path / name for name in ("models", "new", "judged"))
    shutil.copytree(shipped_weights(), shipped)
    (new / "judged").mkdir(parents=True)
    (new / "mirrored.onnx").write_bytes(b"made")
    (new / "mirrored.judged.md").write_text("page")
    write_answers(OLD[:3], new / "judged" / "mirrored.csv")
    note(new / MANIFEST, RECIPE, ENTRY)
    monkeypatch.setattr(judge, "JUDGED", judged)
    for verdict in ("worse", "too few to tell"):
        with pytest.raises(ValueError, match=verdict):
            judge.ship(RECIPE, new, shipped, verdict)
    assert faults(shipped, RECIPES) == []
    judge.ship(RECIPE, new, shipped, "as good")
    assert (shipped / "mirrored.onnx").read_bytes() == b"made"
    assert faults(shipped, RECIPES) == []
    card = card_of(RECIPE, load_manifest(shipped / MANIFEST))
    assert "As good: see `benchmarks/judged/mirrored.md`." in card
    assert (judged / "mirrored.md").read_text() == "page"
    assert read_answers(judged / "mirrored.csv") == OLD[:3]


@pytest.mark.slow
def test_what_is_shipped_is_as_good_as_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = RECIPES["domino_duell"]
    recipe = replace(recipe, options={**recipe.options, "asked": 12})
    monkeypatch.setattr(readings, "SCENES", 1)
    new = Path(shutil.copytree(shipped_weights(), tmp_path / "new"))
    verdict, page = judge.judge(recipe, new, shipped_weights(), tmp_path, device="cpu", workers=0)
    assert verdict == "as good"
    text = page.read_text(encoding="utf-8")
    assert "0 were wrong and are right, 0 the other way round" in text
    assert text.endswith("## What changed\n\nNothing.\n")
    # With worse weights for one of its two networks it is worse.
    weights = onnx.load(str(new / "domino_duell.onnx"))
    for stored in weights.graph.initializer:
        values = onnx.numpy_helper.to_array(stored)
        if values.ndim == 4:
            stored.CopyFrom(onnx.numpy_helper.from_array(values * np.float32(0.5), stored.name))
    onnx.save(weights, str(new / "domino_duell.onnx"))
    verdict, _ = judge.judge(recipe, new, shipped_weights(), tmp_path, device="cpu", workers=0)
    assert verdict == "worse"
