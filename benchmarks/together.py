"""Two photographs of one kingdom read together, beside each for itself: ``python -m
benchmarks.together DATA``.

Each pair is composed twice of the same kingdom, at other places and angles and turned by quarters,
with something in the way in both. Pairs of different kingdoms show whether any are mixed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.table.measure import count_overlap, find_places, read_or_none
from training.common.synthetic import any_of
from training.kingdomino.table.conditions import (
    CONDITIONS,
    Photograph,
    PictureSource,
    coded,
    load_pictures,
)
from training.kingdomino.table.scenes import Truth
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading
from vision.kingdomino.together import combine_photos

CLEAN = "nothing in the way"
IN_THE_WAY = (
    "hand over 2 squares", "glare, one huge", "drinking glass", "playing card", "cut off by 35 %",
    "motion blur 40 %", "black and white", CLEAN,
)  # fmt: skip
DIFFERENT = "two different kingdoms"
HEAD = (
    "in the way", "pairs", "all kept", "bar", "kept", "wrong, not flagged: first", "second",
    "together", "flags: first", "second", "together", "one kingdom", "undecided", "refused",
)  # fmt: skip
# Of the pairs with a hand, glare, a glass or a third cut off.
BAR = (40, 42)
WITH_BAR = IN_THE_WAY[:5]


@dataclass(frozen=True)
class Told:
    """What a reading says of the squares of a kingdom: those right and not asked about.

    ``unflagged`` counts those wrong and not asked about, what it has too much among them.
    """

    right: frozenset[tuple[int, int]]
    unflagged: int
    flags: int


NOTHING = Told(frozenset(), 0, 0)


def tell(truth: Truth, reading: KingdomReading) -> Told:
    """What a reading says of the squares that lie there, seen or not."""
    places = find_places(truth, reading)
    unasked = {at: read.label for at, read in reading.by_position.items() if not read.doubtful}
    # What lies beyond the reading's extent or below a hand is counted where it is read.
    told = [(cell, unasked.get(place, "."), truth.labels[cell]) for cell, place in places.items()]
    right = frozenset(cell for cell, label, true in told if label == true)
    wrong = sum(label not in (".", true) for _, label, true in told)
    taken = set(places.values())
    added = sum(label != "." for place, label in unasked.items() if place not in taken)
    return Told(right, wrong + added, len(reading.doubtful))


def turned(photograph: Photograph, quarters: int) -> Photograph:
    """A photograph turned by quarters to the left."""
    for _ in range(quarters % 4):
        rgb = photograph.rgb
        move = np.array([[0, 1, 0], [-1, 0, rgb.shape[1] - 1], [0, 0, 1.0]])
        photograph = photograph.seen_as(np.rot90(rgb), move)
    return photograph


@dataclass(frozen=True)
class Pair:
    """What became of two photographs: each for itself, and both together.

    ``kingdoms`` is how many were read together, ``undecided`` whether it was told that some may be
    one, ``refused`` how many of the photographs were.
    """

    first: Told
    second: Told
    together: Told
    kingdoms: int
    undecided: bool
    refused: int

    @property
    def wanted(self) -> frozenset[tuple[int, int]]:
        """The squares that one of them shows right and not asked about."""
        return self.first.right | self.second.right


def _of(photograph: Photograph, kingdoms: Sequence[KingdomReading]) -> Told:
    (truth,) = photograph.truths
    best = max(kingdoms, key=partial(count_overlap, truth), default=None)
    return tell(truth, best) if best and count_overlap(truth, best) else NOTHING


def measure_pair(photographs: Sequence[Photograph], reader: Reader) -> Pair | None:
    """Two photographs of a kingdom each, read alone and together; None where both are refused."""
    readings = [read_or_none(reader, coded(each)) for each in photographs]
    if not any(readings):
        return None
    both = combine_photos(readings, reader.settings.judge, reader.settings.together)
    alone = [
        _of(photograph, reading.kingdoms) if reading else NOTHING
        for photograph, reading in zip(photographs, readings, strict=True)
    ]
    told = [
        _of(photograph, [each for each in both.kingdoms if each.photos[0] == number])
        for number, photograph in enumerate(photographs)
    ]
    undecided = any("maybe_same" in each.warnings for each in both.kingdoms)
    best = max(told, key=lambda each: len(each.right))
    refused = readings.count(None)
    return Pair(alone[0], alone[1], best, len(both.kingdoms), undecided, refused)


def _compose(name: str, bench: PictureSource, seed: int, number: int) -> list[Photograph]:
    place = (*IN_THE_WAY, DIFFERENT).index(name)
    compose = CONDITIONS[CLEAN if name == DIFFERENT else name]
    rng, sheets = np.random.default_rng([seed, place, number]), bench.kingdoms
    sheet = sheets[(7 * number + 3 * place) % len(sheets)]
    strangers = [each for each in sheets if each.session != sheet.session]
    other = any_of(strangers, rng) if name == DIFFERENT else sheet
    first, second = compose(bench, sheet, rng), compose(bench, other, rng)
    return [first, turned(second, int(rng.integers(4)))]


def make_row(name: str, measured: Sequence[Pair | None]) -> tuple[object, ...]:
    """The line of one condition."""
    pairs = [pair for pair in measured if pair is not None]
    kept = sum(pair.wanted <= pair.together.right for pair in pairs)
    wanted = sum(len(pair.wanted) for pair in pairs)
    found = sum(len(pair.wanted & pair.together.right) for pair in pairs)
    different = name == DIFFERENT
    told = [[getattr(pair, which) for pair in pairs] for which in ("first", "second", "together")]
    return (
        name,
        len(pairs),
        "–" if different else kept,
        f"{BAR[0]} of {BAR[1]}" if name in WITH_BAR else "–",
        "–" if different else f"{found} of {wanted}",
        *("–" if different else sum(each.unflagged for each in some) for some in told),
        *("–" if different else f"{np.mean([each.flags for each in some]):.2f}" for some in told),
        sum(pair.kingdoms == 1 for pair in pairs),
        sum(pair.undecided for pair in pairs),
        measured.count(None),
    )


LEGEND = """\
"Kept" are the squares that one of the two photographs shows right and unflagged, of which the
reading of both says the same, "all kept" the pairs that lose none. "One kingdom" are pairs that
were taken for one, "undecided" those told to be perhaps the same; of different kingdoms none should
be. "Refused" are pairs of which neither photograph could be read. The tiles, and pictures of the
tables, were among those of the training.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; keep it with ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.together", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("--count", type=int, default=42, help="pairs for each condition")
    parser.add_argument("--seed", type=int, default=71)
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    cv2.setNumThreads(1)
    bench, reader = load_pictures(chosen.data), Reader()
    rows = []
    for name in (*IN_THE_WAY, DIFFERENT):
        measured = [
            measure_pair(_compose(name, bench, chosen.seed, number), reader)
            for number in range(chosen.count)
        ]
        rows.append(make_row(name, measured))
    text = (
        f"# Two photographs together\n\n`python -m benchmarks.together DATA`, {provenance()}, "
        f"{chosen.count} pairs for each condition, seed {chosen.seed}.\n\n{LEGEND}\n"
    )
    show(text + markdown(HEAD, rows), chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
