"""The weights that are shipped: each has a card with its checksum, and they stay small."""

import hashlib
import json
from pathlib import Path

import pytest

MODELS = Path(__file__).parent.parent / "models"
MAX_BYTES = 12_000_000


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("domino_duell", ""),
        ("domino_duell", "_board"),
        ("locator", ""),
        ("locator", ".int8"),
        ("mirrored", ""),
        ("second_opinion", ""),
        ("second_opinion", ".int8"),
        ("squares", ""),
        ("squares", ".int8"),
    ],
)
def test_the_card_names_the_weights_by_their_checksum(name: str, kind: str) -> None:
    digest = hashlib.sha256((MODELS / f"{name}{kind}.onnx").read_bytes()).hexdigest()
    card = (MODELS / f"{name}.md").read_text(encoding="utf-8")
    assert f"SHA-256 `{digest}`" in " ".join(card.split())


def test_the_card_names_the_model_of_presence_by_its_checksum() -> None:
    digest = hashlib.sha256((MODELS / "pip_presence.json").read_bytes()).hexdigest()
    assert f"SHA-256 `{digest}`" in (MODELS / "pip_presence.md").read_text(encoding="utf-8")


def test_all_weights_together_stay_small() -> None:
    assert 0 < sum(path.stat().st_size for path in MODELS.glob("*.onnx")) < MAX_BYTES


def test_the_weights_of_the_kingdomino_reader_stay_small() -> None:
    names = ("locator", "mirrored", "second_opinion", "squares")
    paths = [path for name in names for path in MODELS.glob(f"{name}*.onnx")]
    assert sum(path.stat().st_size for path in paths) < 6_000_000


def test_what_each_training_began_with_is_noted() -> None:
    manifest = json.loads((MODELS / "manifest.json").read_text(encoding="utf-8"))
    lacking = [n for n, made in manifest["networks"].items() if not made.get("drawn_sha256")]
    assert manifest["networks"]
    assert lacking == []
