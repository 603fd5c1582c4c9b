"""Settling: the box mends what was seen badly and leaves alone what was seen well."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Position
from vision.kingdomino.labels import LABELS
from vision.kingdomino.settle.program import SettleSettings, settle

Floats = NDArray[np.float64]


def seen(*shares: tuple[str, float]) -> Floats:
    """Probabilities with the given shares, the rest spread evenly."""
    found = np.full(len(LABELS), 1e-6)
    for label, share in shares:
        found[LABELS.index(label)] = share
    return np.asarray(found / found.sum())


def row(*labels: str) -> dict[Position, Floats]:
    return {(0, column): seen((label, 0.99)) for column, label in enumerate(labels)}


def test_a_kingdom_of_the_box_stays_as_it_was_seen() -> None:
    (kingdom,) = settle([row("c", "f1", "w", "m3", "w")])
    assert kingdom.solved
    assert list(kingdom.labels.values()) == ["c", "f1", "w", "m3", "w"]
    assert not kingdom.unpaired


def test_a_doubtful_half_is_read_by_its_partner() -> None:
    places = row("c", "f1", "w")
    # The box has a mine with two crowns beside wheat, none with one beside a swamp.
    places[(1, 1)] = seen(("s", 0.99))
    places[(1, 2)] = seen(("m1", 0.6), ("m2", 0.4))
    (kingdom,) = settle([places])
    assert kingdom.labels[(1, 2)] == "m2"


def test_a_very_improbable_label_is_found_where_nothing_else_fits() -> None:
    places = row("c", "s")
    places[(0, 2)] = seen(("m1", 0.995), ("m2", 0.005))
    (kingdom,) = settle([places])
    assert kingdom.labels[(0, 2)] == "m2"


def cost_of(labels: dict[Position, str], places: dict[Position, Floats]) -> float:
    """The least price of labels around a castle, of all ways to pair them by the box."""
    settings = SettleSettings()
    price = -sum(float(np.log(places[c][LABELS.index(label)])) for c, label in labels.items())
    box = Counter(frozenset({str(d.left), str(d.right)}) for d in BASE_DOMINOES)
    beside = [
        pair for pair in combinations([c for c in labels if labels[c] != "c"], 2)
        if abs(pair[0][0] - pair[1][0]) + abs(pair[0][1] - pair[1][1]) == 1
    ]  # fmt: skip
    least = np.inf
    for count in range(3):
        for pairs in combinations(beside, count):
            used = Counter(frozenset(labels[c] for c in pair) for pair in pairs)
            apart = len({c for pair in pairs for c in pair}) == 2 * count
            if apart and all(box[pair] >= n for pair, n in used.items()):
                least = min(least, (4 - 2 * count) * settings.unpaired_price)
    return price + float(least)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_more_probable_than_what_is_settled(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = row("c")
    cells = [(0, 1), (0, 2), (1, 1), (1, 2)]
    choices = []
    for cell in cells:
        options = rng.choice(["w", "s", "m1", "m2", "m3", "s2", "g2"], 4, replace=False)
        shares = rng.dirichlet([0.3] * 4) + 1e-3
        places[cell] = seen(*zip(options.tolist(), shares.tolist(), strict=True))
        choices.append(options.tolist())
    (kingdom,) = settle([places])
    best = min(
        (
            {(0, 0): "c", **dict(zip(cells, labels, strict=True))}
            for labels in product(*choices)
        ),
        key=lambda labels: cost_of(labels, places),
    )  # fmt: skip
    assert cost_of(kingdom.labels, places) == pytest.approx(cost_of(best, places))


def test_what_the_box_lacks_is_kept_and_named() -> None:
    (kingdom,) = settle([row("c", "m3", "m3")])
    assert list(kingdom.labels.values()) == ["c", "m3", "m3"]
    assert kingdom.unpaired == {(0, 1), (0, 2)}


def test_a_domino_lies_in_one_kingdom_only() -> None:
    other = row("c", "w", "m3")
    other[(0, 2)] = seen(("m3", 0.55), ("m2", 0.45))
    first, second = settle([row("c", "w", "m3"), other])
    assert first.labels[(0, 2)] == "m3"
    assert second.labels[(0, 2)] == "m2"


def test_a_correction_is_certain_and_mends_its_partner() -> None:
    places = row("c", "w")
    places[(0, 2)] = seen(("g1", 0.6), ("m3", 0.4))
    places[(0, 1)] = seen(("w", 0.5), ("l", 0.5))
    (kingdom,) = settle([places], fixed=[{(0, 2): "m3"}])
    assert kingdom.labels[(0, 2)] == "m3"
    assert kingdom.labels[(0, 1)] == "w"


def test_without_time_the_plain_reading_stands() -> None:
    places = {(r, c): seen(("w", 0.4), ("f", 0.3), ("l", 0.3)) for r in range(7) for c in range(7)}
    (kingdom,) = settle([places], SettleSettings(time_limit_s=0.0))
    assert set(kingdom.labels.values()) == {"w"}
    assert not kingdom.solved


def test_a_kingdom_has_one_castle() -> None:
    places = row("w", "m3")
    places[(0, 2)] = seen((".", 0.6), ("c", 0.3), ("s", 0.1))
    (kingdom,) = settle([places])
    assert kingdom.labels[(0, 2)] == "c"
    places[(0, 3)] = seen((".", 0.5), ("c", 0.5))
    (kingdom,) = settle([places])
    assert list(kingdom.labels.values()).count("c") == 1


def test_where_no_castle_can_be_none_is_invented() -> None:
    (kingdom,) = settle([row("w", "m3")])
    assert list(kingdom.labels.values()) == ["w", "m3"]


def test_nothing_seen_nothing_settled() -> None:
    assert settle([]) == []
    assert settle([{}])[0].labels == {}
