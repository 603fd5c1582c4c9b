"""What squares in the same light tell of each other's terrains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.kingdomino.small_grids import SIDE, block, grid_of, lattice_at
from vision.common.network import shipped_weights
from vision.kingdomino.cells import median_colours, weigh_by_light
from vision.kingdomino.result import CASTLE_AT, EMPTY_AT, FOREIGN_AT, LABELS
from vision.kingdomino.weights import TERRAINS, LightModel

Floats = NDArray[np.float64]
SPREAD = np.eye(2) * 25.0
MODEL = LightModel(np.array([SPREAD] * len(TERRAINS)), np.eye(2) * 900.0, 0.2)
# a* and b* of squares.
WHEAT, GRASS = (8.0, 70.0), (-20.0, 50.0)


def seen(**shares: float) -> Floats:
    """Probabilities of labels by name; ``none`` is no square."""
    found = np.full(len(LABELS), 1e-4)
    for label, share in shares.items():
        found[LABELS.index("." if label == "none" else label)] = share
    return np.asarray(found / found.sum())


def told(found: list[Floats], colours: list[tuple[float, float]], model: LightModel) -> list[str]:
    weighed = model.probabilities(np.array(found), np.array(colours))
    return [LABELS[k] for k in weighed.argmax(1)]


def test_a_square_is_named_as_those_of_its_colour() -> None:
    found = [seen(w=0.99)] * 3 + [seen(g=0.99)] * 3 + [seen(w=0.6, g=0.4)]
    for colour, label in ((WHEAT, "w"), (GRASS, "g")):
        colours = [WHEAT] * 3 + [GRASS] * 3 + [colour]
        assert told(found, colours, MODEL)[-1] == label
        assert told(found, colours, replace(MODEL, weight=0.0))[-1] == "w"


def test_crowns_stay_and_the_terrain_changes() -> None:
    found = [seen(w=0.99)] * 3 + [seen(g=0.99)] * 3 + [seen(w1=0.6, g1=0.39)]
    assert told(found, [WHEAT] * 3 + [GRASS] * 4, MODEL)[-1] == "g1"


def test_what_is_no_terrain_keeps_its_probability() -> None:
    found = np.array([seen(w=0.9), seen(g=0.9), seen(w=0.5, g=0.2, none=0.1, c=0.1, x=0.1)])
    weighed = MODEL.probabilities(found, np.array([WHEAT, GRASS, GRASS]))
    kept = [EMPTY_AT, CASTLE_AT, FOREIGN_AT]
    np.testing.assert_allclose(weighed[:, kept], found[:, kept])
    np.testing.assert_allclose(weighed.sum(1), 1)
    assert weighed[2, LABELS.index("g")] > found[2, LABELS.index("g")]


def test_a_strange_colour_takes_nothing_away() -> None:
    sure = [np.eye(len(LABELS))[LABELS.index(label)] for label in ("w", "w", "g", "g", "w")]
    colours = [WHEAT, WHEAT, GRASS, GRASS, (900.0, -900.0)]
    weighed = replace(MODEL, weight=1.0).probabilities(np.array(sure), np.array(colours))
    np.testing.assert_allclose(weighed, sure)


def test_how_much_the_squares_of_a_terrain_differ_counts() -> None:
    """A colour between two terrains is that of the one whose squares differ more."""
    within = np.array([SPREAD] * len(TERRAINS))
    within[TERRAINS.index("g")] *= 12
    found = [seen(w=0.99)] * 4 + [seen(g=0.99)] * 4 + [seen(w=0.5, g=0.5)]
    between = tuple(np.mean([WHEAT, GRASS], 0).tolist())
    colours = [WHEAT] * 4 + [GRASS] * 4 + [between]
    assert told(found, colours, replace(MODEL, within=within))[-1] == "g"


def test_one_square_alone_is_told_nothing() -> None:
    found = np.array([seen(w=0.6, g=0.4)])
    weighed = MODEL.probabilities(found, np.array([GRASS]))
    np.testing.assert_allclose(weighed, found, atol=1e-9)


def test_what_the_network_does_not_recognise_says_little_by_its_colour() -> None:
    """It is covered, as a rule, and its colour is that of what covers it."""
    others = [seen(w=0.99), seen(g=0.99)]
    wavering = seen(w=0.2, g=0.1, **dict.fromkeys("flsmcx", 0.1))
    odds = []
    for asked in (seen(w=0.6, g=0.3), wavering):
        weighed = MODEL.probabilities(np.array([*others, asked]), np.array([WHEAT, GRASS, GRASS]))
        of_label = dict(zip(LABELS, weighed[2] / asked, strict=True))
        odds.append(np.log(of_label["g"] / of_label["w"]))
    assert 0 < odds[1] < odds[0] / 2


def test_the_shipped_model_has_a_spread_of_each_terrain() -> None:
    model = LightModel.load(shipped_weights() / "light.json")
    assert model.within.shape == (len(TERRAINS), 2, 2)
    assert 0 < model.weight < 1
    assert (np.linalg.eigvalsh(model.within) > 0).all()
    assert (np.linalg.eigvalsh(model.between) > 0).all()


# Yellow, and a green that a network may take for it.
YELLOW, GREEN, BLUE = (230, 200, 40), (170, 190, 60), (30, 90, 200)


def painted() -> NDArray[np.uint8]:
    """Squares of a kingdom of two rows: yellow above, green below."""
    rgb = np.full((round(2 * SIDE), round(4 * SIDE), 3), YELLOW, np.uint8)
    rgb[round(SIDE) :] = GREEN
    return rgb


def test_cells_are_weighed_by_the_picture() -> None:
    rgb, lattice = painted(), lattice_at(block(2, 4))
    labels = {(0, c): seen(w=0.99) for c in range(4)} | {(1, c): seen(g=0.99) for c in range(3)}
    grid = grid_of(lattice, {**labels, (1, 3): seen(w=0.6, g=0.4)})
    weighed = weigh_by_light(rgb, grid, MODEL)
    assert LABELS[weighed.probabilities[1, 3].argmax()] == "g"
    assert weighed.occupied == grid.occupied


def test_what_the_picture_cuts_off_is_told_nothing_and_tells_nothing() -> None:
    rgb = painted()[:, : round(3.5 * SIDE)]
    assert np.isnan(median_colours(rgb, lattice_at(), [(1, 3)])).all()
    grid = grid_of(lattice_at(block(2, 4)), {(1, 3): seen(w=0.6, g=0.4)})
    weighed = weigh_by_light(rgb, grid, MODEL)
    np.testing.assert_array_equal(weighed.probabilities[1, 3], grid.probabilities[1, 3])


def test_the_colour_of_a_cell_is_that_of_most_of_it() -> None:
    rgb = painted()
    rgb[:20, :20] = BLUE
    (colour,) = median_colours(rgb, lattice_at(), [(0, 0)])
    np.testing.assert_allclose(colour, median_colours(rgb, lattice_at(), [(0, 2)])[0], atol=0.5)


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_seen_changes_nothing(count: int) -> None:
    grid = grid_of(lattice_at(block(1, count), left=-500.0))
    assert weigh_by_light(painted(), grid, MODEL) is grid
