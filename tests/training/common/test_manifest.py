"""The manifest notices each file that is not as it says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from training.common.manifest import MANIFEST, card_of, faults, load_manifest, note, write_cards
from training.common.recipe import load_recipes
from vision.common.network import shipped_weights

RECIPES = load_recipes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped_weights(), tmp_path / "models"))


def test_a_file_that_changed_is_missing_or_is_not_entered(folder: Path) -> None:
    (folder / "mirrored.onnx").write_bytes(b"other")
    (folder / "squares.json").unlink()
    (folder / "stray.onnx").write_bytes(b"stray")
    found = "\n".join(faults(folder, RECIPES))
    assert "mirrored.onnx: expected SHA-256" in found
    assert "squares.json: in the manifest, but not there" in found
    assert "stray.onnx: not in the manifest" in found


def test_a_card_that_was_edited_by_hand_is_noticed(folder: Path) -> None:
    card = folder / "locator.md"
    card.write_text(card.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    assert faults(folder, RECIPES) == ["locator.md: not what the recipe and the manifest say"]
    write_cards(folder, [RECIPES["locator"]])
    assert faults(folder, RECIPES) == []


def test_a_network_made_by_its_recipe_says_so(folder: Path) -> None:
    recipe = RECIPES["mirrored"]
    entry = {
        "made": "2026-01-02", "commit": "0123456789", "minutes": 3.5,
        "machine": "a processor", "figures": {"loss": 0.25},
    }  # fmt: skip
    (folder / "mirrored.onnx").write_bytes(b"made")
    note(folder / MANIFEST, recipe, entry)
    manifest = load_manifest(folder / MANIFEST)
    card = card_of(recipe, manifest)
    assert "Made so on 2026-01-02 at commit 0123456789 in 3.5 minutes" in card
    assert "loss 0.25" in card
    assert manifest["files"]["mirrored.onnx"]["sha256"] in card
    assert "by hand" not in card
    # What is noted of the others stays.
    assert manifest["files"].keys() == load_manifest(shipped_weights() / MANIFEST)["files"].keys()
