"""Settling: the integer program, and the box that mends what was seen badly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import Any

import highspy
import numpy as np
import pytest
from numpy.typing import NDArray

from scorer.kingdomino import BASE_DOMINOES, Position
from vision.kingdomino.result import LABELS
from vision.kingdomino.settling import IntegerProgram, SettleSettings, settle


def triangle(prices: tuple[float, float, float]) -> IntegerProgram:
    """Three choices of which any two exclude each other: the relaxation takes half of each."""
    program = IntegerProgram()
    ab, bc, ca = (program.row(key, 0, 1) for key in ("ab", "bc", "ca"))
    for price, rows in zip(prices, ([ab, ca], [ab, bc], [bc, ca]), strict=True):
        program.choice(price, rows)
    return program


def test_whole_choices_where_the_relaxation_takes_halves() -> None:
    taken = triangle((-3.0, -4.0, -3.5)).solve(10.0)
    assert taken is not None
    np.testing.assert_array_equal(taken, [0, 1, 0])


def test_a_choice_is_taken_once_at_most() -> None:
    program = IntegerProgram()
    program.choice(-1.0, [program.row("free", 0, 5)])
    np.testing.assert_array_equal(program.solve(10.0), [1])


def test_a_row_keeps_its_first_bounds_and_its_number() -> None:
    program = IntegerProgram()
    assert [program.row("a", 1, 1), program.row("b", 0, 1), program.row("a", 0, 9)] == [0, 1, 0]
    program.choice(5.0, [0])
    program.choice(3.0, [0, 1])
    np.testing.assert_array_equal(program.solve(10.0), [0, 1])


def test_no_time_no_answer() -> None:
    assert triangle((-1.0, -1.0, -1.0)).solve(0.0) is None


def test_time_that_runs_out_between_relaxation_and_search(monkeypatch: pytest.MonkeyPatch) -> None:
    program = triangle((-3.0, -4.0, -3.5))
    clock = iter([0.0, 0.0, 100.0])
    monkeypatch.setattr("vision.kingdomino.settling.time.monotonic", lambda: next(clock))
    assert program.solve(10.0) is None


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_cheaper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices = rng.normal(0, 3, 8).round(2)
    rows = rng.random((4, 8)) < 0.5
    lows, highs = rng.integers(0, 2, 4), rng.integers(1, 3, 4)
    program = IntegerProgram()
    numbers = [program.row(k, int(lows[k]), int(highs[k])) for k in range(4)]
    for column, price in enumerate(prices):
        program.choice(float(price), [numbers[k] for k in range(4) if rows[k, column]])
    every = np.array(list(product((0, 1), repeat=8)))
    counts = every @ rows.T
    allowed = every[((counts >= lows) & (counts <= highs)).all(1)]
    taken = program.solve(10.0)
    if not len(allowed):
        assert taken is None
        return
    assert taken is not None
    assert taken @ prices == pytest.approx((allowed @ prices).min())


def test_the_solver_may_not_stop_short_of_the_cheapest(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object]] = []

    class Recorded(highspy.Highs):  # type: ignore[misc]
        def setOptionValue(self, name: str, value: object) -> Any:
            asked.append((name, value))
            return super().setOptionValue(name, value)

    monkeypatch.setattr("highspy.Highs", Recorded)
    assert triangle((-3.0, -4.0, -3.5)).solve(10.0) is not None
    assert ("mip_rel_gap", 1e-6) in asked


def test_costs_without_some_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    program = IntegerProgram()
    row = program.row("a", 1, 1)
    for price in (1.0, 2.0, 4.0):
        program.choice(price, [row])
    assert program.costs_without([[0], [1], [0, 1], [], [0, 1, 2]]) == [2, 1, 4, 1, np.inf]
    # What was not solved says nothing.
    monkeypatch.setattr("highspy.Highs.run", lambda _: None)
    assert program.costs_without([[0]]) == [-np.inf]


def test_the_solver_writes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output is that of the command: JSON, for one."""
    assert triangle((-3.0, -4.0, -3.5)).solve(10.0) is not None
    assert capfd.readouterr() == ("", "")


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
                least = min(least, (4 - 2 * count) * settings.odd_price)
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
    places[(0, 1)] = seen(("w", 0.5), ("l", 0.5))
    (kingdom,) = settle([{**places, (0, 2): "m3"}])
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


def test_three_mines_in_one_row_get_one_partner_each() -> None:
    """The partner may lie on any of the four sides."""
    for places in ([(0, 0), (0, 1), (0, 2)], [(0, 0), (1, 0), (2, 0)]):
        kingdom = {place: seen((label, 0.99)) for place, label in zip(places, "cww", strict=True)}
        (settled,) = settle([kingdom])
        assert not settled.unpaired
        (settled,) = settle([{place: kingdom[place] for place in reversed(places)}])
        assert not settled.unpaired


def test_a_castle_costs_nothing_and_is_no_half_of_a_domino() -> None:
    (kingdom,) = settle([{(0, 0): seen(("c", 0.99))}])
    assert kingdom.labels == {(0, 0): "c"}
    assert not kingdom.unpaired


def test_a_second_castle_is_kept_where_it_is_plain() -> None:
    (kingdom,) = settle([row("c", "w", "w", "c")])
    assert list(kingdom.labels.values()) == ["c", "w", "w", "c"]
    assert not kingdom.unpaired
    other = row("c", "w", "w")
    # Its price is e⁸, more than that of a square without a partner, e⁶, and of the odds.
    other[(0, 3)] = seen(("c", 0.7), ("w", 0.3))
    assert settle([other])[0].labels[(0, 3)] == "w"


def test_each_kingdom_has_a_castle_of_its_own() -> None:
    first, second = settle([row("c", "w", "w"), row("c", "f", "f")])
    assert first.labels[(0, 0)] == second.labels[(0, 0)] == "c"
    assert first.solved
    assert second.solved


def test_corrections_go_with_their_kingdom() -> None:
    first, second = settle([row("c", "w", "w"), {**row("c", "f", "f"), (0, 1): "l"}])
    assert first.labels[(0, 1)] == "w"
    assert second.labels[(0, 1)] == "l"
    many = {(r, c): seen(("w", 0.4), ("f", 0.3), ("l", 0.3)) for r in range(7) for c in range(7)}
    (late,) = settle([{**many, (0, 1): "l"}], SettleSettings(time_limit_s=0))
    assert [place for place, label in late.labels.items() if label != "w"] == [(0, 1)]
    assert late.labels[(0, 1)] == "l"
    assert late.solved is False
    assert not late.unpaired


def test_a_kingdom_without_any_place_is_settled_beside_others() -> None:
    nothing, kingdom = settle([{}, row("c", "w", "w")])
    assert nothing.labels == {}
    assert nothing.solved
    assert kingdom.solved


def shares(first: str, second: str, log_odds: float) -> Floats:
    """Two labels of which the first is e to the ``log_odds`` as probable."""
    return seen((first, 1.0), (second, float(np.exp(-log_odds))))


@pytest.mark.parametrize(("log_odds", "label"), [(5.9, "."), (6.1, "m3")])
def test_the_price_of_a_square_without_a_partner(log_odds: float, label: str) -> None:
    places = row("c", "w", "w")
    places[(0, 4)] = shares("m3", ".", log_odds)
    assert settle([places])[0].labels[(0, 4)] == label


@pytest.mark.parametrize(("log_odds", "label"), [(5.9, "c"), (6.1, ".")])
def test_the_price_of_a_kingdom_without_a_castle(log_odds: float, label: str) -> None:
    places = row("w", "w")
    places[(0, 3)] = shares(".", "c", log_odds)
    assert settle([places])[0].labels[(0, 3)] == label


@pytest.mark.parametrize(("hidden", "label"), [([(1, 0), (1, 1)], "m3"), ([], "c")])
def test_a_castle_that_may_lie_hidden_is_not_read_elsewhere(
    hidden: list[Position], label: str
) -> None:
    places = {(0, 0): seen(("m3", 0.99), ("c", 0.01))}
    (kingdom,) = settle([places], hidden=[hidden])
    assert kingdom.labels[(0, 0)] == label


@pytest.mark.parametrize(("log_odds", "label"), [(7.9, "."), (8.1, "c")])
def test_the_price_of_a_second_castle(log_odds: float, label: str) -> None:
    places = row("c", "w", "w")
    places[(0, 4)] = shares("c", ".", log_odds)
    assert settle([places])[0].labels[(0, 4)] == label


@pytest.mark.parametrize(("probability", "label"), [(1.95e-4, "s"), (2.05e-4, "w")])
def test_labels_too_improbable_are_never_considered(probability: float, label: str) -> None:
    """The only partner of a mine with three crowns is wheat."""
    places = row("c", ".", "m3")
    found = np.zeros(len(LABELS))
    found[LABELS.index("s")], found[LABELS.index("w")] = 1 - probability, probability
    places[(0, 1)] = found
    settings = SettleSettings(odd_price=20.0)
    (kingdom,) = settle([places], settings)
    assert kingdom.labels[(0, 1)] == label


@pytest.mark.parametrize(("one", "other"), [("w", "f"), ("f", "w")])
def test_a_square_without_partner_keeps_its_more_probable_label(one: str, other: str) -> None:
    places = row("c") | {(0, 2): seen((one, 0.7), (other, 0.3))}
    (kingdom,) = settle([places])
    assert kingdom.labels[(0, 2)] == one
    assert kingdom.unpaired == {(0, 2)}


def test_nothing_to_settle_is_settled() -> None:
    (kingdom,) = settle([{}])
    assert (kingdom.labels, kingdom.unpaired, kingdom.solved) == ({}, frozenset(), True)
    assert settle([]) == []


def test_the_dominoes_of_the_expansion_are_in_the_box_where_it_is_played() -> None:
    places = row("c", "g2", "s1")
    (without,) = settle([places])
    (with_giants,) = settle([places], SettleSettings(giants=True))
    assert without.unpaired
    assert with_giants.unpaired == frozenset()
    assert list(with_giants.labels.values()) == ["c", "g2", "s1"]


def test_a_doubtful_castle_is_no_second_one_of_another_kingdom() -> None:
    places = row("c", "f1", "w") | {(0, 0): seen(("c", 0.6), ("w", 0.4))}
    other = row("c", "m3", "w") | {(0, 0): seen(("c", 0.6), ("w", 0.4))}
    one, two = settle([places, other])
    assert (one.labels[0, 0], two.labels[0, 0]) == ("c", "c")


def test_a_doubtful_first_half_is_read_by_the_second() -> None:
    places = row("c", "s", "s")
    places[(0, 1)] = seen(("m1", 0.6), ("m2", 0.4))
    (kingdom,) = settle([places])
    assert kingdom.labels[(0, 1)] == "m2"


def test_an_improbable_label_is_worth_a_second_search_while_it_may_be_cheaper() -> None:
    """Without wheat, which a mine with three crowns needs, the mine would be no square."""
    places = row("c")
    places[(0, 2)] = seen((".", 0.331), ("s", 0.33), ("l", 0.33), ("w", 0.009))
    places[(0, 3)] = seen(("m3", 0.985), (".", 0.015))
    (kingdom,) = settle([places])
    assert (kingdom.labels[(0, 2)], kingdom.labels[(0, 3)]) == ("w", "m3")


def test_a_second_castle_costs_its_own_improbability_too() -> None:
    places = row("c", "w", "w")
    others = [(label, 0.068) for label in ("w1", "f1", "l1", "g1", "s1", "m1")]
    places[(0, 4)] = seen(("c", 0.59), *others, (".", 2.05e-4))
    assert settle([places])[0].labels[(0, 4)] == "."


def test_a_second_search_without_time_leaves_the_first_answer_unsolved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = row("c", "s")
    places[(0, 2)] = seen(("m1", 0.995), ("m2", 0.005))
    real, calls = IntegerProgram.solve, []

    def once(program: IntegerProgram, time_limit_s: float) -> Any:
        calls.append(program)
        return real(program, time_limit_s) if len(calls) == 1 else None

    monkeypatch.setattr(IntegerProgram, "solve", once)
    (kingdom,) = settle([places])
    assert len(calls) == 2
    assert (kingdom.labels[(0, 2)], kingdom.solved) == ("m1", False)
    assert kingdom.unpaired == {(0, 1), (0, 2)}


def test_what_the_box_has_just_as_it_was_seen_needs_no_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(IntegerProgram, "solve", lambda *_: None)
    (kingdom,) = settle([row("c", "f1", "w", ".")])
    assert list(kingdom.labels.values()) == ["c", "f1", "w", "."]
    assert kingdom.solved
    assert not settle([row("c", "f1", "m3")])[0].solved


def test_each_kingdom_may_have_its_castle_where_the_box_lacks_something() -> None:
    doubtful = {(0, 0): seen(("c", 0.6), ("w", 0.4))}
    one, two = settle([row("c", "f1", "w") | doubtful, row("c", ".", "m3") | doubtful])
    assert (one.labels[0, 0], two.labels[0, 0]) == ("c", "c")


def test_a_half_beside_a_hidden_cell_has_its_other_half_there() -> None:
    places = row("c", "f1", "w", "m3")
    places[(0, 3)] = seen(("m3", 0.86), (".", 0.14))
    places[(0, 2)] = seen((".", 0.99))
    (alone,) = settle([places])
    assert alone.labels[(0, 3)] == "."
    (kingdom,) = settle([places], hidden=[[(1, 3), (1, 1)]])
    assert kingdom.labels[(0, 3)] == "m3"
    assert kingdom.hidden == {(1, 3), (1, 1)}
    assert not kingdom.unpaired


def test_a_half_without_any_other_half_has_it_in_a_hole() -> None:
    places = row("c", "f1", "w", "m3")
    places[(0, 2)] = seen((".", 0.99))
    (alone,) = settle([places])
    assert alone.unpaired == {(0, 1), (0, 3)}
    (kingdom,) = settle([places], holes=[[(0, 2), (1, 1)]])
    assert {cell: kingdom.labels[cell] for cell in places} == {
        (0, 0): "c", (0, 1): "f1", (0, 2): ".", (0, 3): "m3"
    }  # fmt: skip
    assert kingdom.hidden == {(0, 2), (1, 1)}
    assert not kingdom.unpaired


def test_what_is_seen_of_a_square_counts_more_than_a_hole() -> None:
    places = row("c", "f", "m3")
    places[(0, 1)] = seen(("f", 0.9), ("w", 0.1))
    (kingdom,) = settle([places], holes=[[(1, 1), (1, 2)]])
    assert kingdom.labels[(0, 1)] == "w"
    (hidden,) = settle([places], hidden=[[(1, 1), (1, 2)]])
    assert hidden.labels[(0, 1)] == "f"


def test_a_hidden_cell_holds_one_other_half_alone() -> None:
    places = {(0, 0): seen(("c", 0.99)), (1, 0): seen(("m3", 0.99)), (1, 2): seen(("m3", 0.99))}
    (kingdom,) = settle([places], hidden=[[(1, 1)]])
    assert kingdom.hidden == {(1, 1)}
    assert len(kingdom.unpaired) == 1


def test_a_hidden_cell_that_shows_a_square_after_all_hides_no_other() -> None:
    places = row("c", "m3", "w")
    places[(0, 2)] = seen(("w", 0.9), (".", 0.1))
    (kingdom,) = settle([places], hidden=[[(0, 2)]])
    assert kingdom.labels[(0, 2)] == "w"
    assert kingdom.hidden == set()
    # Not both: an empty place with the other half of the mine below, or wheat.
    places[(0, 2)] = seen(("f", 0.4), (".", 0.6))
    (kingdom,) = settle([places], hidden=[[(0, 2)]])
    assert kingdom.labels[(0, 2)] == "."
    assert kingdom.hidden == {(0, 2)}


def test_a_hidden_cell_beside_no_half_asks_for_nothing() -> None:
    places = {
        (0, 0): seen(("c", 0.999999)),
        (0, 1): seen((".", 0.999999)),
        (1, 0): seen(("w", 0.9)),
    }
    (kingdom,) = settle([places], hidden=[[(0, 2), (-1, 0)]])
    assert kingdom.labels[0, 0] == "c"
    assert kingdom.hidden == set()
