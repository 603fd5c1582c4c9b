"""What networks and whole readers of boards are asked, and by which files they answer."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from scorer.domino_duell import STONES
from tests.training.sources import source_of
from training.common.answers import FLAGGED, SURE
from training.common.arrays import Image
from training.domino_duell import classifier, readings
from training.domino_duell.classifier import TOKENS, Reading
from training.domino_duell.scenes import HARSH, OTHER_MATERIALS, Boards, Light, board_patches
from vision.common.network import shipped_weights
from vision.domino_duell import BoardReading, read_board
from vision.domino_duell.weights import HALF_BOARD_STEPS, Weights
from vision.photo import PhotoError

CALM = Light((0.0, 0.0), 0.0, 0.0, (0.1, 0.2))
OPTIONS = {"boards": 1, "calibrated": 1, "asked": 2}


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What boards were drawn by; each is the same."""
    found, board = list[tuple[Any, ...]](), board_patches(3, 0)

    def noted(*given: Any) -> Boards:
        found.append(given)
        return board

    monkeypatch.setattr(classifier, "board_patches", noted)
    return found


def test_hollows_of_other_boards_than_it_was_trained_with_are_asked_for(
    drawn: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    task = Reading(source_of(), OPTIONS)
    found = list(task.answers(shipped_weights()))
    (first, _, calm, other), (again, _, harsh, _) = drawn
    assert first == again != task.source.seed
    assert other is OTHER_MATERIALS
    assert calm.casts[1] < harsh.casts[1] == HARSH.casts[1]
    assert len({each.question for each in found}) == len(found) == 2 * 102
    assert {each.kind for each in found if int(each.truth) < len(STONES)} == {"stones"}
    assert {each.kind for each in found if int(each.truth) >= len(STONES)} == {"no stones"}
    assert np.mean([each.right for each in found]) > 0.95
    with pytest.raises(FileNotFoundError):
        list(task.answers(tmp_path))


def test_the_temperature_is_that_of_boards_in_harsher_light(
    drawn: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    task = Reading(source_of(), OPTIONS)
    temperature, count = task.temperature(shipped_weights(), 17)
    assert drawn == [(17, 0, HARSH)]
    assert count == 102
    assert 0.2 < temperature < 3.0
    with pytest.raises(FileNotFoundError):
        task.temperature(tmp_path, 17)


def test_each_patch_is_shown_with_its_own_place_and_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    patches, truth, places = board_patches(3, 0)
    numbered = np.broadcast_to(
        np.arange(len(patches), dtype=np.uint8)[:, None, None, None], patches.shape
    )
    task = Reading(source_of(), OPTIONS)
    task.boards = Boards(numbered[None], truth[None], places[None])
    monkeypatch.setattr(classifier, "relit", lambda shown, *_: shown)
    shown, positions, told = next(task.examples(np.random.default_rng(2), OPTIONS))
    numbers = ((shown[:, 0, 16, 16] + 0.5) * 255).round().int().numpy()
    assert len(set(numbers.tolist())) == TOKENS
    np.testing.assert_array_equal(told, truth[numbers])
    # However the board is turned, its places are as far apart as they were.
    turned, lying = positions[:, :2] * HALF_BOARD_STEPS, places[numbers]
    np.testing.assert_allclose(
        np.linalg.norm(turned[:, None] - turned, axis=2),
        np.linalg.norm(lying[:, None] - lying, axis=2), atol=1e-4,
    )  # fmt: skip


def test_a_board_is_drawn_of_the_materials_that_are_asked_for() -> None:
    """On white ones there is little to be seen."""
    white = (250.0, 250.0, 250.0)
    pale = replace(OTHER_MATERIALS, woods=(white,), grain=(0.0, 0.1))
    own, other = (board_patches(3, 0, CALM, each).patches.mean() for each in (None, pale))
    assert other > own + 30


def test_each_hollow_of_a_table_is_read_by_the_weights_of_each_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the second weights no board is found."""
    monkeypatch.setattr(readings, "SCENES", 1)
    other = Path(shutil.copytree(shipped_weights(), tmp_path / "other"))
    (other / "domino_duell.json").write_text(json.dumps({"temperature": 100.0}))

    def read(rgb: Image, weights: Weights) -> BoardReading:
        if weights.temperature == 100:
            raise PhotoError("no_board")
        return read_board(rgb, weights=weights)

    monkeypatch.setattr(readings, "read_board", read)
    found = list(readings.read_tables((shipped_weights(), other), tmp_path, "domino_duell"))
    assert len({first.question for first, _ in found}) == len(found) == 102
    assert {first.kind for first, _ in found} == {"trained light"}
    assert np.mean([first.right for first, _ in found]) > 0.95
    assert np.mean([first.probability == SURE for first, _ in found]) > 0.8
    assert {(second.said, second.probability) for _, second in found} == {("no board", FLAGGED)}
