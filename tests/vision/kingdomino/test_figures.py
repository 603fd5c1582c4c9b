"""What each stage of the reader hands over for drawn pictures and small positions.

Held against ``figures.txt``, see ``tests.vision.figures``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Kingdom, Position
from tests.vision.figures import Stage, check_figures
from tests.vision.kingdomino.small_grids import block, detected, grid_of, laid, laid_apart
from tests.vision.kingdomino.test_together import (
    OTHER,
    WHOLE,
    cut_at,
    photo_of,
    reading_of,
    turned,
    with_label,
)
from training.kingdomino.render import SceneView, render_scene
from vision.common.geometry import project
from vision.common.network import Network, shipped_weights
from vision.kingdomino import (
    cells,
    doubt,
    groups,
    lattice,
    passes,
    reader,
    resettling,
    search,
    settling,
    warn,
)
from vision.kingdomino.draw import draw_reading
from vision.kingdomino.groups import (
    RegroupSettings,
    count_unpaired_squares,
    divide_grid,
    drop_loose_domino,
    find_hanging_dominoes,
    rank_dividing_lines,
    regroup,
)
from vision.kingdomino.lattice import Detections, LatticeSettings, find_lattices, measure_gaps
from vision.kingdomino.passes import find_taken_cells
from vision.kingdomino.reader import Reader, propose_long_sides
from vision.kingdomino.result import LABELS, KingdomReading, PhotoReading
from vision.kingdomino.settling import JudgeSettings, Observation, SettleSettings, judge
from vision.kingdomino.together import combine_photos
from vision.kingdomino.warn import DetachedSettings, find_detached_squares
from vision.kingdomino.weights import SquareClassifier, Weights
from vision.photo import Photo, decode

Floats = NDArray[np.float64]

TABLE = Path(__file__).with_name("figures.txt")
SAMPLES = Path(__file__).parents[3] / "sample_images"
STAGES: tuple[Stage, ...] = (
    search.locate, search.fit_table, lattice.find_lattices, lattice.group_by_contact,
    cells.find_candidates, cells.classify_cells, cells.find_covered, cells.measure_seam,
    cells.find_free_cells, cells.doubt_table_like, groups.regroup, groups.divide_grid,
    groups.find_hanging_dominoes, groups.drop_loose_domino, passes.observe,
    passes.form_kingdoms, passes.choose_kingdoms, passes.make_reading, settling.settle,
    settling.judge, doubt.measure_border, doubt.find_cut_off, doubt.find_hidden_cells,
    doubt.gather_evidence, doubt.flag_doubtful, doubt.flag_missing_halves,
    warn.measure_quality, warn.find_detached_squares, warn.find_unread_groups,
    warn.find_warnings, warn.judge_squares, reader.confidence, reader.choose_pass,
    resettling.resettle,
)  # fmt: skip


def check(name: str, case: Callable[[], object]) -> None:
    check_figures(TABLE, name, STAGES, case)


@cache
def plain_reader() -> Reader:
    """One whose networks run in full precision, which differs little from processor to another."""

    def network(name: str) -> Network:
        return Network((shipped_weights() / f"{name}.onnx").read_bytes())

    squares = SquareClassifier(network("squares"), 0.72)
    return Reader(Weights(network("locator"), squares, network("mirrored")))


@cache
def sample(name: str, side_px: int = 800) -> NDArray[np.uint8]:
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    factor = side_px / max(rgb.shape[:2])
    return np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


@pytest.mark.parametrize("name", ["begun", "castle-standing", "glare", "dark", "turned-30"])
def test_a_photograph(name: str) -> None:
    rgb = sample(name)
    check(name, lambda: plain_reader().read(rgb))


def test_a_photograph_at_a_slant() -> None:
    """It is seen from above as well."""
    kingdom = Kingdom.parse("l l g f/l c g f/l g g w/f f m w")
    view = SceneView(width=800, height=600, square_px=80, tilt_deg=62, azimuth_deg=20)
    rgb = render_scene(kingdom, view, np.random.default_rng(0)).rgb
    reader = Reader(replace(plain_reader().weights, mirror=None))
    check("slanted", lambda: reader.read(rgb, anyway=True))


def test_a_small_kingdom_in_a_large_picture() -> None:
    small = sample("begun", 330)
    rgb = np.full((900, 1200, 3), np.median(small[:4], axis=(0, 1)), np.uint8)
    rgb[-small.shape[0] :, -small.shape[1] :] = small
    check("small", lambda: plain_reader().read(rgb))


def test_a_frame_and_single_squares() -> None:
    rgb = sample("duel-7x7")

    def case() -> None:
        reader = plain_reader()
        corners = [(205.0, 100.0), (602.0, 108.0), (598.0, 500.0), (201.0, 495.0)]
        frame = reader.read_frame(rgb, corners, 7, 7)
        photo = decode(rgb)
        picture = draw_reading(photo.rgb, PhotoReading((frame,), photo.width, photo.height))
        assert picture.shape == rgb.shape
        reader.classify([rgb[100:160, 200:260], rgb[300:350, 300:360]])
        propose_long_sides([frame], 0.8, reader.settings.locate)

    check("frame", case)


def test_a_glance() -> None:
    photo = decode(sample("complete-5x5", 480))
    check("glance", lambda: plain_reader().glance(Photo(photo.rgb, 480, 360)))


# Squares as a camera sees them that leans and is turned.
SLANTED = np.array([[52.0, 9, 120], [-6, 47, 140], [0.0002, 0.0005, 1]])


def slanted(detections: Detections, seed: int) -> Detections:
    """Squares of a plain table as a leaning camera sees them, each a little off its place."""
    rng = np.random.default_rng(seed)
    corners = detections.centres[:, None] + np.stack(
        [np.zeros_like(detections.centres), detections.edges[:, 0], detections.edges[:, 1]], 1
    )
    seen = project(corners.reshape(-1, 2) / 50, SLANTED).reshape(-1, 3, 2)
    count = len(seen)
    return replace(
        detections,
        centres=seen[:, 0] + rng.normal(0, 0.4, (count, 2)),
        edges=seen[:, 1:] - seen[:, :1] + rng.normal(0, 0.5, (count, 2, 2)),
        scores=rng.uniform(0.4, 0.99, count),
        grounds=rng.dirichlet(np.full(9, 0.3), count),
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_lattices(seed: int) -> None:
    """Two kingdoms, a domino that hangs on one of them, another askew, and one square apart."""
    rng = np.random.default_rng(seed)
    places = [*block(5, 4).values(), *block(4, 3, 5, gap=0.2).values()]
    places += [(1.0, -1.05), (1.03, -2.05), (6.3, 1.2), (6.5, 2.1), (7.9, 7.0)]
    turns = [*rng.normal(0, 1.5, len(places) - 3), 12.0, 12.0, 30.0]
    detections = slanted(detected(places, turns), seed)

    def case() -> None:
        settings = LatticeSettings()
        lattices = find_lattices(detections, settings)
        find_taken_cells(detections, lattices[0], lattices[1:])
        for each in lattices:
            find_hanging_dominoes(detections, grid_of(each))
            rank_dividing_lines(each.members, measure_gaps(detections, each), None)

    check(f"lattices-{seed}", case)


def unsure_labels(
    places: Iterable[Position], castles: list[Position], seed: int
) -> dict[Position, Floats]:
    rng = np.random.default_rng(seed)
    shares = {}
    for place in places:
        found = rng.dirichlet(np.full(len(LABELS), 0.15))
        found[LABELS.index("c") if place in castles else rng.integers(1, len(LABELS) - 1)] += 2.5
        shares[place] = found / found.sum()
    return shares


GROUPS: dict[str, tuple[dict[Position, tuple[float, float]], list[Position]]] = {
    "two-castles": ({**block(3, 3), **block(3, 3, 3, gap=0.07)}, [(1, 1), (1, 4)]),
    "too-wide": ({**block(4, 4), **block(4, 4, 4, gap=0.03)}, [(1, 1), (1, 6)]),
    "full": ({**block(5, 5), (1, 5): (1.0, 5.06), (1, 6): (1.0, 6.07)}, [(2, 2)]),
    "hanging": ({**block(3, 3), (1, 3): (1.0, 3.1), (2, 3): (2.0, 3.1)}, [(1, 1)]),
    "odd": ({**block(4, 4), (4, 1): (4.05, 1.1)}, [(1, 1)]),
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups(name: str) -> None:
    places, castles = GROUPS[name]
    rng = np.random.default_rng(7)
    off = {
        cell: (r + rng.normal(0, 0.01), c + rng.normal(0, 0.01)) for cell, (r, c) in places.items()
    }
    detections, grid = laid(off, unsure_labels(places, castles, 5))

    def case() -> None:
        settings = RegroupSettings()
        for part in divide_grid(detections, grid, settings).grids:
            drop_loose_domino(detections, part, settings)
            count_unpaired_squares(part, part.occupied)

    check(name, case)


def test_groups_on_lattices_of_their_own() -> None:
    near = {cell: (r + 0.02, c + 0.04) for cell, (r, c) in block(3, 2, left=3).items()}
    away = {cell: (r + 0.03, c + 0.3) for cell, (r, c) in block(2, 1, left=7).items()}
    detections, grids = laid_apart(
        (block(3, 3), {(1, 1): "c"}), (near, {(0, 3): "f", (1, 4): "g"}), (away, {})
    )

    def case() -> None:
        settings = DetachedSettings()
        regroup(detections, grids, RegroupSettings())
        for light, covered in (((), False), (("dark",), True)):
            find_detached_squares(detections, grids[0], grids[1:], light, covered, settings, 2)

    check("groups-apart", case)


def laid_kingdom(seed: int, rows: int, columns: int, sure: float) -> Observation:
    """A rectangle with a castle and random dominoes of the box, seen as surely as ``sure``."""
    rng = np.random.default_rng(seed)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    squares = [
        str(end)
        for domino in rng.permutation(np.array(BASE_DOMINOES, object))
        for end in (domino.left, domino.right)
    ]
    probabilities = {}
    for cell, label in zip(cells, ["c", *squares], strict=False):
        found = rng.dirichlet(np.full(len(LABELS), 0.2)) * (1 - sure)
        found[LABELS.index(label)] += sure
        probabilities[cell] = found
    return Observation(probabilities, tuple(cells))


@pytest.mark.parametrize("sure", [0.2, 0.45, 0.7])
def test_settling(sure: float) -> None:
    first, second = laid_kingdom(1, 5, 5, sure), laid_kingdom(2, 3, 5, sure)
    odd = replace(laid_kingdom(3, 4, 3, sure), hidden=frozenset({(0, 3)}), cut_off={(4, 0): 0.7})

    def case() -> None:
        judge([first, second, odd], JudgeSettings())
        judge([second], JudgeSettings(use_box=False))
        judge([first, odd], JudgeSettings(settle=SettleSettings(giants=True)))

    check(f"settling-{sure}", case)


def unsure(reading: KingdomReading, seed: int) -> KingdomReading:
    """The reading with other probabilities for each square."""
    assert reading.probabilities is not None
    rng = np.random.default_rng(seed)
    other = rng.dirichlet(np.full(len(LABELS), 0.3), reading.probabilities.shape[:2])
    return replace(reading, probabilities=0.55 * reading.probabilities + 0.45 * other)


def test_settling_again() -> None:
    first = unsure(reading_of(WHOLE, {(0, 0): None, (3, 4): "hidden"}), 1)
    second = unsure(reading_of("s m2 g/w c f", {(1, 2): None}), 2)

    def case() -> None:
        plain_reader().resettle([first, second])
        plain_reader().resettle([first, second], [{(0, 0): "w1", (3, 3): "m3"}, {(0, 1): "s"}])

    check("again", case)


def test_several_photographs() -> None:
    hand = {(4, 4): "hidden", (3, 4): "hidden"}
    first = unsure(reading_of(with_label(WHOLE, (4, 4), "."), hand, warnings=("hidden",)), 3)
    second = unsure(reading_of(turned(WHOLE, 1), {(1, 1): None}, at=(310.0, 120.0)), 4)
    other = unsure(reading_of(OTHER, at=(550.0, 300.0)), 5)

    def case() -> None:
        combine_photos([photo_of(first, other), photo_of(second)])
        combine_photos([photo_of(cut_at(4, left=False)), photo_of(cut_at(1, left=True))])
        small = [reading_of("c w w/f . .", at=at) for at in ((90.0, 90.0), (300.0, 200.0))]
        combine_photos([photo_of(small[0]), photo_of(small[1]), photo_of(other)])

    check("several", case)


def test_drawing() -> None:
    grey = np.full((700, 900, 3), 128, np.uint8)
    first = reading_of(WHOLE, {(0, 0): None, (3, 4): "hidden"}, warnings=("hidden",))
    second = reading_of("c w w/f . s", at=(600.0, 60.0), lattice_certain=False)
    picture = PhotoReading((first, second), 900, 700, warnings=("other_squares",))
    check("drawing", lambda: draw_reading(grey, picture))
