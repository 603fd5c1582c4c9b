"""The weights that are shipped: each has a card with its checksum, and they stay small."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from vision.common.network import shipped_weights
from vision.pip_dominoes.weights import Weights

NAMES = ("pip_locator", "pip_faces", "pip_halves")
MAX_BYTES = 3_000_000


@pytest.mark.parametrize("name", NAMES)
def test_the_card_names_the_weights_by_their_checksum(name: str) -> None:
    digest = hashlib.sha256((shipped_weights() / f"{name}.onnx").read_bytes()).hexdigest()
    card = (shipped_weights() / f"{name}.md").read_text(encoding="utf-8")
    assert f"SHA-256 `{digest}`" in " ".join(card.split())


def test_the_three_stay_small() -> None:
    assert sum((shipped_weights() / f"{name}.onnx").stat().st_size for name in NAMES) < MAX_BYTES


def test_weights_are_looked_for_in_the_folder_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path)
