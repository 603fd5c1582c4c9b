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
from training.kingdomino.render.scene import SceneView, render_scene
from vision.common import geometry, network
from vision.common import refit as common_refit
from vision.common.geometry import project
from vision.common.network import Network, shipped_weights
from vision.common.refit import LabelledSquares, RefitSettings
from vision.kingdomino import (
    cells,
    doubt,
    groups,
    lattice,
    passes,
    reader,
    search,
    settling,
    warn,
    weights,
)
from vision.kingdomino.draw import draw_reading
from vision.kingdomino.groups import (
    RegroupSettings,
    divide_grid,
    drop_loose_domino,
    find_hanging_dominoes,
    rank_dividing_lines,
    regroup,
)
from vision.kingdomino.lattice import Detections, LatticeSettings, find_lattices, measure_gaps
from vision.kingdomino.passes import find_taken_cells
from vision.kingdomino.reader import Reader, propose_long_sides
from vision.kingdomino.refit import refit
from vision.kingdomino.resettling import settle_together
from vision.kingdomino.result import (
    LABELS,
    KingdomReading,
    PhotoReading,
    alternatives,
)
from vision.kingdomino.settling import (
    JudgeSettings,
    Observation,
    SettleSettings,
    judge,
)
from vision.kingdomino.together import combine_photos
from vision.kingdomino.warn import ApartSettings, find_detached_squares
from vision.kingdomino.weights import SquareClassifier, Weights
from vision.photo import Photo, decode

Floats = NDArray[np.float64]

TABLE = Path(__file__).with_name("figures.txt")
SAMPLES = Path(__file__).parents[3] / "sample_images"
STAGES: tuple[Stage, ...] = (
    geometry.fit_plane, geometry.fit_homography, geometry.measure_stretch, geometry.cut_squares,
    network.find_peaks, network.decode_frames, common_refit.missing_to_margin,
    common_refit.ridge_change, common_refit.judged, search.locate, search.locate_in_preview,
    search.find_detections, search.fit_table,
    search.measure_slant, search.view_from_above, search.drop_off_scale, lattice.find_lattices,
    lattice.fit_lattice, lattice.measure_offset, lattice.measure_rotations,
    lattice.part_at_squeezed, lattice.group_by_contact, cells.read_members, cells.grow,
    cells.find_candidates, cells.classify_cells, cells.weigh_by_light, cells.find_covered,
    cells.measure_seam, cells.find_free_cells, cells.doubt_table_like,
    cells.nth_distances, groups.regroup, groups.divide_grid, groups.find_hanging_dominoes,
    groups.drop_loose_domino, groups.find_doubtful_dominoes, passes.form_kingdoms,
    passes.choose_kingdoms, passes.select_lattices, passes.make_reading, passes.run_pass,
    passes.find_taken_cells,
    settling.judge, settling.with_hidden_edges, doubt.measure_border,
    doubt.find_cut_off, doubt.find_hidden_cells, doubt.gather_evidence, doubt.flag_doubtful,
    warn.measure_quality, warn.quality_codes, warn.explain_by_light,
    warn.find_detached_squares, warn.find_unread_groups, warn.find_beside, warn.judge_squares,
    warn.sum_evidence, warn.brighten, reader.confidence, reader.choose_pass,
    weights.features_of,
)  # fmt: skip


def check(name: str, case: Callable[[], object]) -> None:
    check_figures(TABLE, name, STAGES, case)


@cache
def plain_reader() -> Reader:
    """One whose networks run in full precision, which differs little from processor to another."""

    def plain(name: str) -> Network:
        return Network((shipped_weights() / f"{name}.onnx").read_bytes())

    squares = SquareClassifier(plain("squares"), 0.72, plain("second_opinion"))
    locator, mirror = plain("locator"), plain("mirrored")
    whole = Weights.load()
    return Reader(replace(whole, locator=locator, classifier=squares, mirror=mirror, quick=None))


@cache
def sample(name: str, side_px: int = 800) -> NDArray[np.uint8]:
    rgb = cv2.imread(str(SAMPLES / f"{name}.jpg"), cv2.IMREAD_COLOR_RGB)
    assert rgb is not None
    factor = side_px / max(rgb.shape[:2])
    return np.asarray(cv2.resize(rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))


def all_of(reading: PhotoReading) -> dict[str, object]:
    """A reading, and what can be asked of it."""
    asked = [
        (each.corners, each.doubtful, each.square_corners((1, 1)), alternatives(each))
        for each in reading.kingdoms
    ]
    return {"reading": reading, "asked": asked}


@pytest.mark.parametrize("name", ["begun", "castle-standing", "glare", "dark", "turned-30"])
def test_a_photograph(name: str) -> None:
    rgb, reader = sample(name), plain_reader()
    check(name, lambda: all_of(reader.read(rgb)))


def test_a_photograph_in_too_little_light() -> None:
    """It is read anew with normal exposure."""
    dark = (sample("complete-5x5") * 0.2 + np.arange(3) + 2).astype(np.uint8)
    reader = plain_reader()
    check("too-dark", lambda: all_of(reader.read(dark)))


class InEightBits(Network):
    """The locator, taken for the quick one."""

    runs_in_8_bits = True


def test_a_file_is_searched_while_it_is_decoded() -> None:
    quick = InEightBits((shipped_weights() / "locator.onnx").read_bytes())
    reader = Reader(replace(plain_reader().weights, quick=quick))
    photo = (SAMPLES / "complete-5x5.jpg").read_bytes()
    check("quick", lambda: all_of(reader.read(photo)))


def test_a_photograph_at_a_slant() -> None:
    """It is seen from above as well."""
    kingdom = Kingdom.parse("l l g f/l c g f/l g g w/f f m w")
    view = SceneView(width=800, height=600, square_px=80, tilt_deg=62, azimuth_deg=20)
    rgb = render_scene(kingdom, view, np.random.default_rng(0)).rgb
    reader = Reader(replace(plain_reader().weights, mirror=None))
    check("slanted", lambda: all_of(reader.read(rgb, anyway=True)))


@pytest.mark.parametrize("gap_px", [4, 9])
def test_a_domino_that_hangs_on_a_kingdom(gap_px: int) -> None:
    """The picture is drawn apart between the third and the fourth column."""
    kingdom = Kingdom.parse("l l g ./l c g ./l g g w/f f m w")
    view = SceneView(width=640, height=560, square_px=90)
    scene = render_scene(kingdom, view, np.random.default_rng(0)).rgb
    table = np.repeat(scene[:, 12:13], gap_px, axis=1)
    rgb = np.concatenate([scene[:, :410], table, scene[:, 410:]], axis=1)
    reader = Reader(replace(plain_reader().weights, mirror=None))
    check(f"gap-{gap_px}", lambda: all_of(reader.read(rgb, anyway=True)))


def test_a_small_kingdom_in_a_large_picture() -> None:
    small, reader = sample("begun", 330), plain_reader()
    rgb = np.full((900, 1200, 3), np.median(small[:4], axis=(0, 1)), np.uint8)
    rgb[-small.shape[0] :, -small.shape[1] :] = small
    check("small", lambda: all_of(reader.read(rgb)))


def test_a_frame_and_single_squares() -> None:
    rgb, reader = sample("duel-7x7"), plain_reader()

    def case() -> dict[str, object]:
        corners = [(205.0, 100.0), (602.0, 108.0), (598.0, 500.0), (201.0, 495.0)]
        frame = reader.read_frame(rgb, corners, 7, 7)
        return {
            "frame": frame,
            "squares": reader.classify([rgb[100:160, 200:260], rgb[300:350, 300:360]]),
            "sizes": propose_long_sides([frame], 0.8, reader.settings.locate),
        }

    check("frame", case)


def test_a_glance() -> None:
    photo, reader = decode(sample("complete-5x5", 480)), plain_reader()
    check("glance", lambda: reader.glance(Photo(photo.rgb, 480, 360)))


def test_a_layer_of_ones_own() -> None:
    """Fitted to patches in which there is nothing, so it isn't used."""
    rng = np.random.default_rng(9)
    patches = rng.integers(0, 255, (12, 4, 4, 3), np.uint8).repeat(16, 1).repeat(16, 2)
    labels = tuple("wfcg.s"[k % 6] for k in range(12))
    squares = LabelledSquares(patches, labels, tuple(f"game {k % 3}" for k in range(12)))
    known = LabelledSquares(patches[:3], labels[:3], squares.sessions[:3])
    model = (shipped_weights() / "squares.onnx").read_bytes()
    settings = RefitSettings(min_squares=10, folds=2, penalties=(10.0, 1000.0))
    check("layer", lambda: refit(model, 0.72, squares, known, settings))


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


@pytest.mark.parametrize(("seed", "gap"), [(1, 0.2), (2, 0.08), (3, -0.15)])
def test_lattices(seed: int, gap: float) -> None:
    """Two kingdoms, a domino that hangs on one of them, another askew, and one square apart."""
    rng = np.random.default_rng(seed)
    places = [*block(5, 4).values(), *block(4, 3, 5, gap=gap).values()]
    places += [(1.0, -1.05), (1.03, -2.05), (6.3, 1.2), (6.5, 2.1), (7.9, 7.0)]
    turns = [*rng.normal(0, 1.5, len(places) - 3), 12.0, 12.0, 30.0]
    detections = slanted(detected(places, turns), seed)

    def case() -> dict[str, object]:
        lattices = find_lattices(detections, LatticeSettings())
        gaps = [measure_gaps(detections, each) for each in lattices]
        return {
            "lattices": lattices,
            "gaps": gaps,
            "taken": find_taken_cells(detections, lattices[0], lattices[1:]),
            "lines": [
                rank_dividing_lines(each.members, apart, (min(each.members), max(each.members)))
                for each, apart in zip(lattices, gaps, strict=True)
            ],
            "hanging": [find_hanging_dominoes(grid_of(each)) for each in lattices],
        }

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

    def case() -> dict[str, object]:
        settings = RegroupSettings()
        divided = divide_grid(detections, grid, settings)
        dropped = [drop_loose_domino(detections, part, settings) for part in divided[0]]
        return {"divided": divided, "dropped": dropped}

    check(name, case)


def test_groups_on_lattices_of_their_own() -> None:
    near = {cell: (r + 0.02, c + 0.04) for cell, (r, c) in block(3, 2, left=3).items()}
    away = {cell: (r + 0.03, c + 0.3) for cell, (r, c) in block(2, 1, left=7).items()}
    detections, grids = laid_apart(
        (block(3, 3), {(1, 1): "c"}), (near, {(0, 3): "f", (1, 4): "g"}), (away, {})
    )

    def case() -> dict[str, object]:
        lights: list[tuple[tuple[str, ...], bool]] = [((), False), (("dark",), True)]
        detached = [
            find_detached_squares(
                detections, grids[0], grids[1:], light, covered, ApartSettings(), 2
            )
            for light, covered in lights
        ]
        joined = regroup(detections, grids, RegroupSettings())
        return {"joined": joined, "detached": detached}

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

    def case() -> dict[str, object]:
        # No figure hangs on how busy a machine is.
        patient = JudgeSettings(settle=SettleSettings(time_limit_s=60.0))
        with_giants = patient.with_giants()
        return {
            "box": judge([first, second, odd], patient),
            "boxless": judge([second], JudgeSettings(use_box=False)),
            "giants": judge([first, odd], with_giants),
        }

    check(f"settling-{sure}", case)


def unsure(reading: KingdomReading, seed: int) -> KingdomReading:
    """The reading with other probabilities for each square."""
    assert reading.probabilities is not None
    rng = np.random.default_rng(seed)
    other = rng.dirichlet(np.full(len(LABELS), 0.3), reading.probabilities.shape[:2])
    return replace(reading, probabilities=0.55 * reading.probabilities + 0.45 * other)


def test_settling_again() -> None:
    first = unsure(reading_of(WHOLE, {(0, 0): None, (3, 4): "hidden"}), 1)
    second = unsure(reading_of("c w w/s f f", {(1, 0): None}), 2)

    corrections = [{(0, 0): "s", (3, 4): "f"}, {(0, 1): "w"}]

    def case() -> dict[str, object]:
        return {
            "alone": settle_together([first, second]),
            "corrected": settle_together([first, second], corrections),
            "giants": settle_together([second], [{(1, 0): "s"}], giants=True),
        }

    check("again", case)


def test_several_photographs() -> None:
    hand = {(4, 4): "hidden", (3, 4): "hidden"}
    first = unsure(reading_of(with_label(WHOLE, (4, 4), "."), hand, warnings=("hidden",)), 3)
    second = unsure(reading_of(turned(WHOLE, 1), {(1, 1): None}, at=(310.0, 120.0)), 4)
    other = unsure(reading_of(OTHER, at=(550.0, 300.0)), 5)

    small = [reading_of("c w w/f . .", at=at) for at in ((90.0, 90.0), (300.0, 200.0))]

    cut = [photo_of(cut_at(4, left=False)), photo_of(cut_at(1, left=True))]

    def case() -> dict[str, object]:
        return {
            "two": combine_photos([photo_of(first, other), photo_of(second)]),
            "cut": combine_photos(cut),
            "small": combine_photos([*map(photo_of, small), photo_of(other)]),
        }

    check("several", case)


def test_drawing() -> None:
    grey = np.full((700, 900, 3), 128, np.uint8)
    first = reading_of(WHOLE, {(0, 0): None, (3, 4): "hidden"}, warnings=("hidden",))
    second = reading_of("c w w/f . s", at=(600.0, 60.0), lattice_certain=False)
    picture = PhotoReading((first, second), 900, 700, warnings=("other_squares",))
    check("drawing", lambda: draw_reading(grey, picture))
