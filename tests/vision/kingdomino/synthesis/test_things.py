"""Things on the table: the mask is what they cover."""

import numpy as np
import pytest

from training.kingdomino.scenes.things import ThingSettings, put_thing

VIEW = np.array([[40.0, 0, 200], [0, 40.0, 150], [0, 0, 1]])
TABLE = (20.0, 200.0, 20.0)


@pytest.mark.parametrize("kind", ["sheet", "disc", "strip", "figure"])
def test_what_the_mask_covers_was_painted_over(kind: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(8):
        table = np.full((300, 400, 3), TABLE, np.float32)
        mask, opaque = put_thing(
            table, VIEW, np.zeros(2), np.array([3.0, -9.0], np.float32), [], rng,
            ThingSettings(shares=((kind, 1.0),)),
        )  # fmt: skip
        assert mask.shape == (300, 400)
        assert 0.0005 < float(mask.mean()) < 0.6
        changed = np.abs(table - TABLE).max(2) > 1
        assert changed[mask > 0.99].mean() > 0.9 or not opaque
        # Far from the thing and its shadow the table stays as it is.
        assert not changed.all()
        assert mask[150, 200] > 0.5 or kind == "figure"


def test_only_glasses_are_seen_through() -> None:
    rng = np.random.default_rng(5)
    found = {}
    for kind in ("sheet", "disc", "strip", "figure"):
        opaque = [
            put_thing(
                np.full((120, 120, 3), TABLE, np.float32), np.diag([20.0, 20, 1]),
                np.array([3.0, 3]), np.zeros(2, np.float32), [], rng,
                ThingSettings(shares=((kind, 1.0),)),
            )[1]
            for _ in range(30)
        ]  # fmt: skip
        found[kind] = sum(opaque)
    assert found["sheet"] == found["strip"] == found["figure"] == 30
    assert 5 < found["disc"] < 30


def test_a_thing_beyond_the_horizon_covers_nothing() -> None:
    table = np.full((100, 100, 3), TABLE, np.float32)
    far = np.array([[1e6, 0, 0], [0, 1e6, 0], [0, 0, 1.0]])
    mask, _ = put_thing(
        table, far, np.array([1.0, 1]), np.zeros(2, np.float32), [], np.random.default_rng(1),
        ThingSettings(shares=(("sheet", 1.0),)),
    )  # fmt: skip
    assert not mask.any()
    np.testing.assert_array_equal(table, np.full((100, 100, 3), TABLE, np.float32))
