"""Things that lie over squares: every kind is painted where its mask is, with a shadow beside."""

import numpy as np

from training.kingdomino.scenes.occluders import CANVAS_PX, draw_occluder

PICTURES = [np.random.default_rng(0).integers(0, 255, (120, 150, 3), dtype=np.uint8)]


def test_things_differ_in_size_and_fall_into_the_canvas() -> None:
    rng = np.random.default_rng(4)
    shares, colours = [], []
    for _ in range(120):
        thing = draw_occluder(rng, PICTURES)
        assert thing.paint.shape == (CANVAS_PX, CANVAS_PX, 3)
        assert thing.mask.shape == thing.shadow.shape == (CANVAS_PX, CANVAS_PX)
        assert thing.paint.dtype == thing.mask.dtype == thing.shadow.dtype == np.uint8
        covered = thing.mask > 127
        shares.append(covered.mean())
        colours.append(thing.paint[covered].mean(0))
    # From pencils to sheets that hide nearly all, in all colours.
    assert np.min(shares) > 0.001
    assert np.quantile(shares, 0.2) < 0.08
    assert np.quantile(shares, 0.9) > 0.25
    assert (np.std(colours, 0) > 40).all()


def test_the_shadow_reaches_beyond_the_thing() -> None:
    rng = np.random.default_rng(5)
    things = [draw_occluder(rng, PICTURES) for _ in range(40)]
    beside = [((t.shadow > 20) & (t.mask == 0)).mean() for t in things]
    assert np.mean(np.array(beside) > 0.002) > 0.8


def test_without_pictures_things_are_drawn_all_the_same() -> None:
    rng = np.random.default_rng(6)
    assert all((draw_occluder(rng, ()).mask > 0).any() for _ in range(40))


def test_the_same_numbers_draw_the_same_thing() -> None:
    one, two = (draw_occluder(np.random.default_rng(7), PICTURES) for _ in range(2))
    np.testing.assert_array_equal(one.paint, two.paint)
    np.testing.assert_array_equal(one.mask, two.mask)
