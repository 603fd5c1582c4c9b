"""A correction changes nothing but what is in doubt; what the box says otherwise is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest

from scorer.kingdomino import BASE_DOMINOES, Position
from tests.companion.games.kingdomino.seen import seen_as
from vision.kingdomino.passes import ReadSettings
from vision.kingdomino.reader import default_reader
from vision.kingdomino.resettling import settle_together
from vision.kingdomino.result import LABELS, KingdomReading
from vision.kingdomino.settling import JudgeSettings

Corrections = Sequence[Mapping[Position, str]]


def labels_of(reading: KingdomReading) -> dict[Position, str]:
    return {(r, c): s.label for r, row in enumerate(reading.squares) for c, s in enumerate(row)}


def test_a_doubt_follows_the_correction_beside_it() -> None:
    """A mine without a crown lies beside wheat with one in the box, and nowhere else."""
    before = seen_as("c w m1", {(0, 1): {"w": 0.6, "w1": 0.4}, (0, 2): {"m1": 0.6, "m": 0.4}})
    (after,) = settle_together([before], [{(0, 2): "m"}])
    assert str(after.kingdom) == "c w1 m"
    square = after.squares[0][1]
    assert (square.doubtful, square.settled_from, square.runner_up) == (True, "w", "w")


def test_what_was_sure_stands_and_is_asked_about_with_the_correction() -> None:
    before = seen_as("c l m1", {(0, 2): {"m1": 0.5, "m3": 0.5}}, sure=0.99)
    (after,) = settle_together([before], [{(0, 2): "m3"}])
    assert str(after.kingdom) == "c l m3"
    lake, mine = after.squares[0][1:]
    assert (lake.doubtful, lake.runner_up) == (True, "w")
    assert (mine.doubtful, mine.runner_up) == (True, "m1")


@pytest.mark.parametrize("giants", [False, True])
def test_all_that_is_set_holds_whichever_box_it_is(giants: bool) -> None:
    """That Age of Giants is played leaves all other settings as they are."""
    before = seen_as("c w m1", {(0, 1): {"w": 0.6, "w1": 0.4}, (0, 2): {"m1": 0.6, "m": 0.4}})
    correction = [{(0, 2): "m"}]
    (asked,) = settle_together([before], correction, JudgeSettings(use_box=True), giants=giants)
    (as_seen,) = settle_together([before], correction, JudgeSettings(use_box=False), giants=giants)
    assert (str(asked.kingdom), str(as_seen.kingdom)) == ("c w1 m", "c w m")


@pytest.mark.parametrize(("giants", "settled"), [(True, "c l s1"), (False, "c g s1")])
def test_a_doubt_follows_by_the_box_that_is_played_with(giants: bool, settled: str) -> None:
    """In the base game no lake lies beside a swamp with a crown."""
    before = seen_as("c l s", {(0, 1): {"l": 0.6, "g2": 0.4}, (0, 2): {"s": 0.6, "s1": 0.4}})
    (after,) = settle_together([before], [{(0, 2): "s1"}], giants=giants)
    assert str(after.kingdom) == settled


def test_another_kingdom_is_asked_and_not_changed() -> None:
    first = seen_as("c w m1", {(0, 2): {"m1": 0.5, "m3": 0.5}})
    second = seen_as("c w m3", {(0, 2): {"m3": 0.6, "m1": 0.4}})
    changed, other = settle_together([first, second], [{(0, 2): "m3"}])
    assert str(changed.kingdom) == "c w m3"
    assert str(other.kingdom) == "c w m3"
    square = other.squares[0][2]
    assert (square.doubtful, square.runner_up) == (True, "m1")


def test_a_confirmed_square_asks_nothing() -> None:
    readings = [seen_as("c w m1/f f w1"), seen_as("c l l1/g g f")]
    for place in labels_of(readings[0]):
        corrections = [{place: labels_of(readings[0])[place]}]
        after = settle_together(readings, corrections)
        assert [each.doubtful for each in after] == [(), ()], place
        assert [each.kingdom for each in after] == [each.kingdom for each in readings]


def random_reading(rng: Random) -> KingdomReading:
    """Dominoes of the box in rows under a castle, some squares in doubt, some seen wrongly."""
    rows = [["c", "."]]
    for domino in rng.sample(BASE_DOMINOES, 3):
        rows.append([str(domino.left), str(domino.right)])
    seen = {}
    for row in range(1, 4):
        for column in range(2):
            if rng.random() < 0.4:
                label, other = rows[row][column], rng.choice(LABELS[2:16])
                if other != label:
                    seen[row, column] = {label: 0.55, other: 0.45}
            elif rng.random() < 0.1:
                rows[row][column] = rng.choice(LABELS[2:16])
    return seen_as("/".join(map(" ".join, rows)), seen, sure=rng.choice((0.9, 0.99, 0.999)))


def check_table(rng: Random) -> int:
    """The two rules on a random table; how many squares followed or were asked."""
    readings = [random_reading(rng) for _ in range(rng.choice((1, 2, 3)))]
    given: list[dict[Position, str]] = [{} for _ in readings]
    for _ in range(rng.randrange(1, 4)):
        number = rng.randrange(len(readings))
        place = (rng.randrange(4), rng.randrange(2))
        given[number][place] = rng.choice((*LABELS[:16], "w3"))
    after = settle_together(readings, given)
    seen = 0
    for before, now, corrected in zip(readings, after, given, strict=True):
        old, new = labels_of(before), labels_of(now)
        for place, label in new.items():
            if place in corrected:
                assert label == corrected[place]
            elif label != old[place]:
                assert corrected, "a square of a kingdom without corrections changed"
                assert place in before.doubtful, "a square that was sure changed"
                assert place in now.doubtful, "a square followed unseen"
            seen += place in now.doubtful and place not in before.doubtful
    alone = [
        settle_together([before], [corrected])[0].kingdom
        for before, corrected in zip(readings, given, strict=True)
    ]
    assert [each.kingdom for each in after] == alone
    return seen


def test_random_tables() -> None:
    rng = Random(5)
    assert sum(check_table(rng) for _ in range(8))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_random_tables(seed: int) -> None:
    rng = Random(100 + seed)
    assert sum(check_table(rng) for _ in range(50))


def test_a_doubt_that_follows_keeps_its_reason() -> None:
    before = seen_as("c w m1", {(0, 1): {"w": 0.6, "w1": 0.4}, (0, 2): {"m1": 0.6, "m": 0.4}})
    glare = replace(before.squares[0][1], reason="glare")
    (after,) = settle_together([before.with_squares({(0, 1): glare})], [{(0, 2): "m"}])
    assert (after.squares[0][1].label, after.squares[0][1].reason) == ("w1", "glare")


def test_a_square_that_loses_its_partner_is_asked_about_with_what_was_next_likely() -> None:
    before = seen_as("c s w", {(0, 2): {"w": 0.5, "m3": 0.5}}, sure=0.9999)
    next_likely = replace(before.squares[0][1], runner_up="s1")
    (after,) = settle_together([before.with_squares({(0, 1): next_likely})], [{(0, 2): "m3"}])
    swamp = after.squares[0][1]
    assert (swamp.label, swamp.doubtful, swamp.runner_up) == ("s", True, "s1")


def test_a_reader_settles_again_by_its_own_settings() -> None:
    before = seen_as("c w m1", {(0, 1): {"w": 0.6, "w1": 0.4}, (0, 2): {"m1": 0.6, "m": 0.4}})
    as_seen = ReadSettings(judge=JudgeSettings(use_box=False))
    for settings, settled in ((ReadSettings(), "c w1 m"), (as_seen, "c w m")):
        (after,) = replace(default_reader(), settings=settings).resettle([before], [{(0, 2): "m"}])
        assert str(after.kingdom) == settled


@pytest.mark.parametrize(
    ("notation", "others", "giants"),
    [
        ("c f1 w2/. . ./. l m1", {(0, 2): "w2"}, True),
        ("c f1 w2/. . ./. l m1", {(0, 2): "w2"}, False),
        ("c . ./. . ./. l m1", {(0, 1): "w", (0, 2): "w"}, False),
    ],
    ids=["of the expansion", "that bring it into play", "where nothing was seen"],
)
def test_of_several_corrections_those_are_asked_about_that_contradict_what_was_sure(
    notation: str, others: dict[Position, str], giants: bool
) -> None:
    before = seen_as(notation, {(2, 2): {"m1": 0.5, "m3": 0.5}})
    (after,) = settle_together([before], [{**others, (2, 2): "m3"}], giants=giants)
    assert after.doubtful == ((2, 1), (2, 2))
