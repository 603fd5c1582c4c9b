"""Readings: settled by the stones there are, checked, corrected and drawn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from scorer.domino_duell import DEFAULT_SHAPE, JOKERS, STONES, Board, Piece, Shape
from vision.domino_duell import BoardReading, HollowReading, labelled_crops
from vision.domino_duell.draw import DrawSettings, annotate
from vision.domino_duell.judge import EMPTY_COLUMN, JOKER_COLUMN, margins_of, settle


def test_results_check_themselves() -> None:
    with pytest.raises(ValueError, match=r"expected 0\.\.1, got 1\.5"):
        HollowReading("f6", None, 1.5, None)
    with pytest.raises(ValueError, match="expected those of the board, got 1"):
        BoardReading(Board.of(), (HollowReading("f6", None, 1.0, None),), np.eye(3), 10, 10)


def test_what_to_check() -> None:
    hollows = tuple(
        HollowReading(name, None, 1.0, None, doubtful=name in ("a1", "f6"))
        for name in DEFAULT_SHAPE.hollows
    )
    reading = BoardReading(Board.of(), hollows, np.diag([40.0, 40.0, 1.0]), 900, 700)
    assert reading.doubtful == ("a1", "f6")
    assert reading.tried_on == "drawn pictures only"
    np.testing.assert_allclose(reading.middles[1] - reading.middles[0], (40.0, 0.0))


def test_stones_and_doubts_are_ringed_and_nothing_else() -> None:
    names = DEFAULT_SHAPE.hollows
    hollows = tuple(
        HollowReading(
            name, STONES[3] if name == "f6" else None, 0.9, None, doubtful=name in ("a1", "i3")
        )
        for name in names
    )
    place = np.array([[50.0, 0, 350], [0, 50.0, 60], [0, 0, 1]])
    position = Board(DEFAULT_SHAPE, tuple(each.piece for each in hollows))
    reading = BoardReading(position, hollows, place, 900, 700)
    photo = np.full((700, 900, 3), 127, np.uint8)
    drawn = annotate(photo, reading)
    assert (photo == 127).all()
    changed = (drawn != photo).any(2)
    ringed = [reading.middles[names.index(name)] for name in ("a1", "f6", "i3")]
    for x, y in reading.middles:
        box = changed[round(y) - 20 : round(y) + 20, round(x) - 20 : round(x) + 20]
        away = min(float(np.hypot(x - mx, y - my)) for mx, my in ringed)
        if away > 110:
            assert not box.any()
    # What each may be is written within its ring, after a sure one too.
    for x, y in ringed:
        assert changed[round(y) - 6 : round(y) + 6, round(x) - 6 : round(x) + 6].any()
    settings = DrawSettings()
    for name, colour in (("f6", settings.sure), ("a1", settings.doubt)):
        x, y = reading.middles[names.index(name)]
        radius = settings.radius * 50
        assert tuple(drawn[round(y), round(x - radius)]) == colour, name
    for scale in (1.0, 0.5):
        whole = np.full((int(700 * scale), int(900 * scale), 3), 127, np.uint8)
        rows, columns = np.nonzero((annotate(whole, reading) == settings.sure).all(2))
        x, y = (reading.middles[names.index("f6")] + 0.5) * scale - 0.5
        # The ring is drawn about the middle, whatever the size of the picture.
        assert (columns.min() + columns.max()) / 2 == pytest.approx(x, abs=0.51)
        assert (rows.min() + rows.max()) / 2 == pytest.approx(y, abs=0.51)
    half = annotate(np.full((350, 450, 3), 127, np.uint8), reading)
    assert half.shape == (350, 450, 3)
    assert (half != 127).any()


def test_a_doubtful_hollow_bears_what_was_read_and_below_it_what_else_it_may_be() -> None:
    photo, name = np.full((700, 900, 3), 127, np.uint8), "f6"
    place = np.array([[50.0, 0, 350], [0, 50.0, 60], [0, 0, 1]])

    def drawn(piece: Piece, other: Piece | None) -> NDArray[np.uint8]:
        board = Board.of().with_piece(name, piece)
        hollows = tuple(
            HollowReading(each, board[each], 0.9, other, doubtful=each == name)
            for each in DEFAULT_SHAPE.hollows
        )
        reading = BoardReading(board, hollows, place, 900, 700)
        y = round(float(reading.middles[DEFAULT_SHAPE.index[name], 1]))
        return np.asarray(annotate(photo, reading)[y - 20 : y + 20])

    plain = drawn(STONES[3], STONES[9])
    for changed, above, below in (
        (drawn(STONES[20], STONES[9]), True, False),
        (drawn(STONES[3], None), False, True),
    ):
        differs = (changed != plain).any((1, 2))
        assert (differs[:12].any(), differs[-12:].any()) == (above, below)


def test_only_a_position_of_the_same_board() -> None:
    hollows = tuple(HollowReading(name, None, 1.0, None) for name in DEFAULT_SHAPE.hollows)
    reading = BoardReading(Board.of(), hollows, np.diag([20.0, 20.0, 1.0]), 400, 300)
    with pytest.raises(ValueError, match="got another board"):
        labelled_crops(
            np.zeros((102, 32, 32, 3), np.uint8), reading, Board.of({}, Shape.parse("o o"))
        )


def contents(*rows: dict[int, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    found = np.full((len(rows), len(STONES) + 3), 1e-6)
    for row, given_row in zip(found, rows, strict=True):
        for column, probability in given_row.items():
            row[column] = probability
    return found


def test_a_stone_that_two_hollows_claim_goes_where_it_is_surer() -> None:
    found = settle(contents({5: 0.6, 7: 0.4}, {5: 0.9, 9: 0.1}, {EMPTY_COLUMN: 1.0}))
    assert found.tolist() == [7, 5, EMPTY_COLUMN]


def test_no_more_jokers_than_there_are() -> None:
    rows = [{JOKER_COLUMN: 0.9, EMPTY_COLUMN: 0.1}] * 5 + [{JOKER_COLUMN: 0.6, 3: 0.4}]
    found = settle(contents(*rows)).tolist()
    assert found.count(JOKER_COLUMN) == JOKERS
    assert found[-1] == 3


@given(st.integers(0, 2**32), st.floats(0.1, 8.0))
def test_each_stone_once_whatever_is_seen(seed: int, sharpness: float) -> None:
    rng = np.random.default_rng(seed)
    raised = np.exp(sharpness * rng.standard_normal((102, len(STONES) + 3)))
    found = settle(raised / raised.sum(1, keepdims=True))
    stones = found[found < len(STONES)]
    assert len(set(stones.tolist())) == len(stones)
    assert (found == JOKER_COLUMN).sum() <= JOKERS


def test_the_margin_is_what_the_next_best_board_costs() -> None:
    seen = contents({5: 0.6, 7: 0.4}, {5: 0.9, 9: 0.1}, {EMPTY_COLUMN: 1.0})
    margins = margins_of(seen, settle(seen), 50.0)
    # The other way round: 5 in the first hollow, 9 in the second.
    other = np.log(0.4 * 0.9 / (0.6 * 0.1))
    np.testing.assert_allclose(margins[:2], [other, other], rtol=1e-6)
    assert margins[2] > 10


def test_a_stone_is_sure_where_the_others_are_elsewhere() -> None:
    """White or grey? The white one lies elsewhere for sure, so it is the grey one."""
    seen = contents({5: 0.5, 7: 0.5}, {5: 1.0})
    chosen = settle(seen)
    assert chosen.tolist() == [7, 5]
    assert margins_of(seen, chosen, 50.0)[0] > 10


@given(st.integers(0, 2**32), st.floats(0.1, 3.0))
def test_margins_are_those_of_trying_everything(seed: int, sharpness: float) -> None:
    rng = np.random.default_rng(seed)
    seen = np.full((4, len(STONES) + 3), 1e-9)
    columns = [0, 1, 2, EMPTY_COLUMN, JOKER_COLUMN]
    raised = np.exp(sharpness * rng.standard_normal((4, len(columns))))
    seen[:, columns] = raised / raised.sum(1, keepdims=True)
    chosen = settle(seen)
    margins = margins_of(seen, chosen, 1e9)
    costs = {}
    for picked in itertools.product(columns, repeat=4):
        stones = [each for each in picked if each < len(STONES)]
        if len(set(stones)) == len(stones):
            costs[picked] = -float(np.log(seen[np.arange(4), picked]).sum())
    best = min(costs.values())
    for hollow in range(4):
        others = [cost for picked, cost in costs.items() if picked[hollow] != chosen[hollow]]
        assert abs(margins[hollow] - (min(others) - best)) < 1e-6
    bounded = margins_of(seen, chosen, 1.0)
    assert ((bounded >= 1.0) | np.isclose(bounded, margins)).all()
