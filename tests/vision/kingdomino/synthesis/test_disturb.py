"""Disturbed patches: what is hidden loses its label, what can be told keeps it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from training.kingdomino.scenes.occluders import draw_occluder
from training.kingdomino.scenes.patches import (
    Disturbance,
    Disturber,
    blur_badly,
    drain_colours,
    label_of_hidden,
    lay_over,
    see_through_glass,
    squeeze,
)

NOTHING = Disturbance(occluded=0, glass=0, squeezed=0, blurred=0, dimmed=0, grey=0)


def noise(seed: int = 1) -> np.ndarray:
    """A patch of colourful noise."""
    return np.random.default_rng(seed).integers(0, 256, (64, 64, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("label", "hidden", "known"),
    [
        ("w1", 0.0, "w1"),
        ("w1", 0.45, "w1"),
        ("w1", 0.46, None),
        ("w1", 0.74, None),
        ("w1", 0.75, "."),
        ("c:blue", 1.0, "."),
        (".", 0.6, "."),
    ],
)
def test_the_label_of_a_square_hidden_in_part(label: str, hidden: float, known: str | None) -> None:
    assert label_of_hidden(label, hidden) == known


def test_what_is_said_to_be_hidden_was_painted_over() -> None:
    rng = np.random.default_rng(2)
    near, away = [], []
    for _ in range(60):
        thing = draw_occluder(rng, ())
        patch = noise()
        target = float(rng.uniform(0.05, 0.45))
        out, hidden = lay_over(patch, thing, target, rng)
        assert out.shape == (64, 64, 3)
        assert out.dtype == np.uint8
        # Shadows darken evenly; only what is painted over loses the grain of the patch.
        grain = out.astype(float).std(2) / np.maximum(out.mean(2), 1)
        before = patch.astype(float).std(2) / np.maximum(patch.mean(2), 1)
        lost = float((np.abs(grain - before) > 0.15).mean())
        near.append(lost - hidden)
        away.append(abs(hidden - target))
    assert abs(float(np.median(near))) < 0.1
    assert np.median(away) < 0.04


def test_nearly_all_of_a_square_can_be_hidden() -> None:
    rng = np.random.default_rng(3)
    hidden = [lay_over(noise(), draw_occluder(rng, ()), 1.0, rng)[1] for _ in range(60)]
    assert np.mean(np.array(hidden) > 0.9) > 0.3


def test_clear_glass_hides_nothing_and_a_full_one_what_it_covers() -> None:
    rng = np.random.default_rng(4)
    hidden = []
    for _ in range(80):
        out, share = see_through_glass(noise(), rng)
        assert out.shape == (64, 64, 3)
        assert (out != noise()).any()
        hidden.append(share)
    assert np.mean(np.array(hidden) == 0) > 0.3
    assert max(hidden) > 0.6


def test_an_aslant_square_loses_resolution_along_one_direction() -> None:
    rng = np.random.default_rng(5)
    ratios = []
    for _ in range(40):
        out = squeeze(noise(), rng).astype(float)
        assert out.shape == (64, 64, 3)
        assert abs(out.mean() - noise().mean()) < 4
        power = np.abs(np.fft.fft2(out.mean(2) - out.mean())) ** 2
        y, x = np.meshgrid(*[np.fft.fftfreq(64)] * 2, indexing="ij")
        left = power / power.sum()
        spread = np.array([[(left * y * y).sum(), (left * x * y).sum()],
                           [(left * x * y).sum(), (left * x * x).sum()]])  # fmt: skip
        small, large = np.linalg.eigvalsh(spread)
        ratios.append(small / large)
    assert np.median(ratios) < 0.4


def test_bad_blur_takes_the_detail_and_keeps_the_colour() -> None:
    rng = np.random.default_rng(6)
    left = []
    for _ in range(60):
        out = blur_badly(noise(), rng)
        assert out.shape == (64, 64, 3)
        np.testing.assert_allclose(out.mean((0, 1)), noise().mean((0, 1)), atol=12)
        left.append(out.std() / noise().std())
    assert max(left) < 0.65
    assert min(left) < 0.1


def test_drained_patches_are_grey_or_of_one_tint() -> None:
    rng = np.random.default_rng(7)
    plain = 0
    for _ in range(40):
        out = drain_colours(noise(), rng).astype(float)
        plain += bool((np.ptp(out, axis=2) == 0).all())
        assert out.std() > 5
        # Where channels differ, it is by one factor for the whole patch.
        dark = out.max(2) < 200
        lit = out[dark & (out.min(2) > 40)]
        if len(lit):
            assert np.ptp(lit[:, 0] / lit[:, 2]) < 0.1
    assert plain > 20


def test_nothing_is_disturbed_that_is_not_to_be() -> None:
    disturb = Disturber([], np.random.default_rng(8), NOTHING)
    for label in ("w", ".", "c:pink"):
        out, known = disturb(noise(), label)
        np.testing.assert_array_equal(out, noise())
        assert known == label


def test_occluded_squares_keep_their_label_or_are_empty_and_hardly_any_is_left_open() -> None:
    disturb = Disturber([noise()], np.random.default_rng(9), Disturbance(1, 0, 0, 0, 0))
    found = Counter(disturb(noise(), "s2")[1] for _ in range(500))
    assert found["s2"] > 0.6 * 500
    assert 0.05 * 500 < found["."] < 0.25 * 500
    assert set(found) <= {"s2", ".", None}
    assert {disturb(noise(), ".")[1] for _ in range(100)} == {"."}


def test_the_colour_of_a_grey_castle_is_unknown() -> None:
    disturb = Disturber([], np.random.default_rng(10), replace(NOTHING, grey=1))
    assert disturb(noise(), "c:blue")[1] == "c"
    assert disturb(noise(), "m3")[1] == "m3"


def test_what_was_taken_in_dim_light_is_bright_again_and_grainy() -> None:
    patch = np.full((64, 64, 3), 200, np.uint8)
    disturb = Disturber([], np.random.default_rng(3), replace(NOTHING, dimmed=1))
    dimmed = [disturb(patch, "w")[0].astype(float) for _ in range(20)]
    assert all(60 < one.mean() < 256 for one in dimmed)
    assert np.median([one.std() for one in dimmed]) > 2
