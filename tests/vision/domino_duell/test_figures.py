"""What each stage of the reader hands over for drawn boards, held against ``figures.txt``.

See ``tests.vision.figures``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from scorer.domino_duell import DEFAULT_SHAPE, Shape
from tests.vision.domino_duell.boards import few_known
from tests.vision.domino_duell.test_detect import board_at
from tests.vision.figures import Stage, check_figures
from training.domino_duell.scenes import Scene, SceneSettings, draw_scene
from vision.common import refit as common_refit
from vision.common.geometry import project
from vision.common.refit import LabelledSquares, RefitSettings
from vision.domino_duell import classify, detect, judge
from vision.domino_duell.classify import Evidence
from vision.domino_duell.detect import LatticeSettings, grow_lattices, place_board, places_of
from vision.domino_duell.draw import annotate
from vision.domino_duell.judge import read_hollows
from vision.domino_duell.reader import BoardSettings, read_board
from vision.domino_duell.refit import hollow_patches, label_of, labelled_crops, read_known, refit
from vision.domino_duell.weights import Weights, position_features

TABLE = Path(__file__).with_name("figures.txt")
STAGES: tuple[Stage, ...] = (
    common_refit.missing_to_margin, common_refit.ridge_change, detect.find_middles,
    detect.grow_lattices, detect.place_board, classify.local_step, classify.cut_patches,
    classify.nothing_at, classify.combine, classify.look_into, classify.burnt_shares,
    position_features, judge.settle, judge.margins_of, judge.least_margins, judge.read_hollows,
    read_known,
)  # fmt: skip


def check(name: str, case: Callable[[], object]) -> None:
    check_figures(TABLE, name, STAGES, case)


@cache
def weights() -> Weights:
    return Weights.load()


@cache
def scene(seed: int, light: float) -> Scene:
    return draw_scene(np.random.default_rng(seed), SceneSettings(light=light))


@pytest.mark.parametrize(("seed", "light"), [(4_000_004, 0.3), (4_100_001, 1.2)])
def test_a_board(seed: int, light: float) -> None:
    rgb, networks = scene(seed, light).rgb, weights()

    def case() -> dict[str, object]:
        reading = read_board(rgb, weights=networks)
        crops = labelled_crops(hollow_patches(rgb, reading), reading, reading.position)
        return {
            "reading": reading,
            "asked": (reading.middles, reading.doubtful),
            "drawn": annotate(rgb, reading),
            "crops": crops[:9],
        }

    check(f"board-{seed}", case)


def test_a_small_board_at_the_edge() -> None:
    rgb = np.ascontiguousarray(scene(4_000_004, 0.3).rgb[::2, ::2])
    settings = BoardSettings(long_sides_px=(480,), least_seen=0.0, least_margin_nats=-100.0)
    networks = weights()
    check("small", lambda: read_board(rgb, settings, weights=networks))


@pytest.mark.parametrize("shape", [DEFAULT_SHAPE, Shape.parse("o o o o\n o x o\no o o o\n o o o")])
def test_a_lattice_and_its_placings(shape: Shape) -> None:
    """Points that are a little off, others beside them, and places that look more or less so."""
    rng = np.random.default_rng(11)
    tilted = board_at(23, shape) + np.array([[0, 0, 0], [0, 0, 0], [4e-4, -7e-4, 0.0]])
    middles = project(places_of(shape), tilted)
    points = np.concatenate(
        [middles + rng.normal(0, 1.2, middles.shape), rng.uniform(0, 800, (30, 2))]
    )

    def case() -> list[object]:
        found: list[object] = []
        for lattice in grow_lattices(points, LatticeSettings(least=8)):

            def nothing(places: np.ndarray, at: np.ndarray = lattice.homography) -> np.ndarray:
                near = np.linalg.norm(project(places, at)[:, None] - middles[None], axis=2).min(1)
                return np.asarray(1 - np.exp(-near / 20) * 0.95)

            found += [lattice, place_board(lattice, points, shape, (900, 700), nothing)]
        return found

    check(f"lattice-{len(shape.hollows)}", case)


@pytest.mark.parametrize("certain", [True, False])
def test_hollows_in_doubt(certain: bool) -> None:
    rng = np.random.default_rng(17)
    logits = rng.normal(0, 2.5, (3, len(DEFAULT_SHAPE.hollows), 16))
    logits = logits[:1] + 0.3 * logits
    evidence = Evidence.of(logits, np.asarray(rng.uniform(0, 1, logits.shape[1])))
    check(f"doubt-{certain}", lambda: read_hollows(evidence, DEFAULT_SHAPE, certain))


def test_a_layer_of_ones_own() -> None:
    ((held, *_), (other, *_)) = few_known()
    chosen = range(0, 102, 3)
    labels = tuple(label_of(other.pieces[k]) for k in chosen)
    sessions = tuple(f"game {k % 2}" for k in chosen)
    hollows = LabelledSquares(other.patches[::3], labels, sessions)
    settings = RefitSettings(folds=2, penalties=(100.0,))
    networks = weights()
    check("layer", lambda: refit(networks, "a" * 64, hollows, ([held], [other]), settings))
