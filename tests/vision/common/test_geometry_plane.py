"""Planes from drawn quadrilaterals of which the truth is known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.common.geometry import Plane, fit_plane, project, rectify_plane

Floats = NDArray[np.float64]
Generator = np.random.Generator

SIZE = (1600, 1200)


def camera(
    tilt_deg: float, turn_deg: float = 0.0, focal: float = 1400.0, away: float = 30.0
) -> Floats:
    """A homography from the table (units of a short side, the camera looks at 0, 0) to pixels."""
    tilt, turn = np.deg2rad((tilt_deg, turn_deg))
    rz = np.array([(np.cos(turn), -np.sin(turn), 0), (np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    rx = np.array([(1, 0, 0), (0, np.cos(tilt), -np.sin(tilt)), (0, np.sin(tilt), np.cos(tilt))])
    rotation = rx @ rz
    flat = np.column_stack([rotation[:, 0], rotation[:, 1], (0, 0, away)])
    return np.asarray(np.diag((focal, focal, 1)) @ flat) + np.outer(
        (SIZE[0] / 2, SIZE[1] / 2, 0), flat[2]
    )


def rectangles(
    rng: Generator, count: int, aspect: float = 2.0, reach: float = 9.0, scale: float = 1.0
) -> Floats:
    """Corners (count, 4, 2) of rectangles anyhow on the table."""
    box = np.array([(-aspect, -1), (aspect, -1), (aspect, 1), (-aspect, 1)]) / 2 * scale
    turns = rng.uniform(0, np.pi, count)
    turned = [box @ np.array([(np.cos(t), np.sin(t)), (-np.sin(t), np.cos(t))]) for t in turns]
    return np.stack(turned) + rng.uniform(-reach, reach, (count, 1, 2))


def seen_by(
    view: Floats, boxes: Floats, noise_px: float = 0.0, rng: Generator | None = None
) -> Floats:
    quads = project(boxes.reshape(-1, 2), view).reshape(-1, 4, 2)
    return quads if rng is None else quads + rng.normal(0, noise_px, quads.shape)


def worst_distortion(plane: Plane, view: Floats) -> float:
    """How many times a grid over the table is longer in one direction than in another."""
    both = plane.homography @ view
    spots = np.array([(x, y) for x in (-6.0, 0, 6) for y in (-6.0, 0, 6)])
    jacobians = np.stack(
        [
            (project(spots + d, both) - project(spots - d, both)) / 0.02
            for d in ((0.01, 0), (0, 0.01))
        ],
        -1,
    )
    sizes = np.linalg.svd(jacobians, compute_uv=False)
    return float(sizes[:, 0].max() / sizes[:, 1].min())


@pytest.mark.parametrize("tilt_deg", [0, 30, 50, 65])
@pytest.mark.parametrize("aspect", [1.0, 2.0])
def test_plane_rectifies(tilt_deg: float, aspect: float) -> None:
    rng = np.random.default_rng(int(tilt_deg + 10 * aspect))
    for turn in (0, 40, 200):
        view = camera(tilt_deg, turn)
        plane = fit_plane(seen_by(view, rectangles(rng, 12, aspect)), aspect)
        assert worst_distortion(plane, view) < 1.02
        assert plane.residuals.max() < 0.01


def test_second_edge_is_the_unit() -> None:
    view = camera(40)
    quads = seen_by(view, rectangles(np.random.default_rng(1), 8))
    plane = fit_plane(quads, 2.0)
    flat = project(quads.reshape(-1, 2), plane.homography).reshape(-1, 4, 2)
    np.testing.assert_allclose(np.linalg.norm(flat[:, 2] - flat[:, 1], axis=1), 1, atol=0.02)
    np.testing.assert_allclose(plane.sizes(quads), np.sqrt(2), atol=0.02)
    # Neither turned nor mirrored.
    right = project(np.array([(800.0, 600), (801, 600), (800, 601)]), plane.homography)
    assert right[1, 0] > right[0, 0]
    assert right[2, 1] > right[0, 1]


@pytest.mark.parametrize("seed", range(6))
def test_noise_and_outliers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    view = camera(rng.uniform(20, 60), rng.uniform(0, 360))
    quads = seen_by(view, rectangles(rng, 16), 1.0, rng)
    # Five are something else: of another size, another shape, or anything.
    quads[0] = seen_by(view, rectangles(rng, 1, scale=0.6))[0]
    quads[1] = seen_by(view, rectangles(rng, 1, aspect=1.2))[0]
    quads[2] = seen_by(view, rectangles(rng, 1, scale=1.7))[0]
    quads[3:5] = rng.uniform(0, 1200, (2, 4, 2))
    plane = fit_plane(quads, 2.0)
    assert worst_distortion(plane, view) < 1.12
    assert plane.residuals[5:].max() < 0.15 < plane.residuals[:5].min()


def test_mixed_aspects_and_weights() -> None:
    rng = np.random.default_rng(5)
    view = camera(45, 20)
    boxes = np.concatenate([rectangles(rng, 6, 2.0), rectangles(rng, 6, 1.0, scale=np.sqrt(2))])
    quads = seen_by(view, boxes)
    plane = fit_plane(quads, [2.0] * 6 + [1.0] * 6)
    assert worst_distortion(plane, view) < 1.02
    # What has no weight says nothing.
    quads[6:] = rng.uniform(0, 1200, (6, 4, 2))
    plane = fit_plane(quads, 2.0, np.array([1.0] * 6 + [0.0] * 6))
    assert worst_distortion(plane, view) < 1.05


def test_few_are_not_overstretched() -> None:
    # One domino seen from above, its corners off by a pixel, tilts the table by little.
    rng = np.random.default_rng(3)
    quads = seen_by(camera(0), rectangles(rng, 1), 1.0, rng)
    assert worst_distortion(fit_plane(quads, 2.0), camera(0)) < 1.6
    with pytest.raises(ValueError, match="expected shape"):
        fit_plane(np.zeros((0, 4, 2)))


@pytest.mark.parametrize("shrink", [1, 3])
def test_rectified_picture(shrink: int) -> None:
    rng = np.random.default_rng(2)
    view = np.diag((shrink, shrink, 1)) @ camera(55, 30)
    quads = seen_by(view, rectangles(rng, 10, reach=7))
    rgb = np.full((SIZE[1] * shrink, SIZE[0] * shrink, 3), 40, np.uint8)
    middle = quads[3].mean(0)
    x, y = middle.round().astype(int)
    rgb[y - 3 * shrink : y + 3 * shrink, x - 3 * shrink : x + 3 * shrink] = 250
    plane = fit_plane(quads, 2.0)
    picture, shown = rectify_plane(rgb, plane, 40, quads)
    spot = project(np.array([middle]), shown)[0].round().astype(int)
    assert picture[spot[1], spot[0]].min() > 200
    flat = project(quads.reshape(-1, 2), shown)
    assert (flat > -0.5).all()
    assert (flat < np.array(picture.shape[1::-1])).all()
    sides = np.linalg.norm(np.diff(flat.reshape(-1, 4, 2)[:, 1:3], axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(sides, 40, rtol=0.03)


@pytest.mark.parametrize("side_px", [13, 6.5], ids=["two in one", "four in one"])
def test_what_is_seen_smaller_is_averaged(side_px: float) -> None:
    """Black and white pixels by turns, of which twenty go to a unit of the plane."""
    x, y = np.meshgrid(np.arange(240), np.arange(200))
    rgb = np.repeat(((x + y) % 2 * 255).astype(np.uint8)[..., None], 3, axis=2)
    plane = Plane(np.diag((1 / 20, 1 / 20, 1.0)), np.zeros(1))
    quads = np.array([[(60.0, 60), (140, 60), (140, 100), (60, 100)]])
    picture, _ = rectify_plane(rgb, plane, side_px, quads, margin=0)
    np.testing.assert_allclose(picture, 128, atol=2)


def test_rectified_picture_is_bounded() -> None:
    rng = np.random.default_rng(2)
    # Near the horizon a pixel covers much of the table.
    view = camera(78, 0, away=16)
    quads = seen_by(view, rectangles(rng, 10, reach=4))
    plane = fit_plane(quads, 2.0)
    picture, _ = rectify_plane(
        np.zeros((*SIZE[::-1], 3), np.uint8), plane, 40, quads, max_side_px=300
    )
    assert max(picture.shape[:2]) <= 301
    beyond = np.array([[(0.0, y), (1, y), (1, y + 1), (0, y + 1)] for y in (-9e4, 9e4)])
    with pytest.raises(ValueError, match="horizon"):
        rectify_plane(np.zeros((*SIZE[::-1], 3), np.uint8), plane, 40, beyond)
