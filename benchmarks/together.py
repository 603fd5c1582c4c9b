"""Two photographs of one kingdom read together, beside each for itself: ``python -m
benchmarks.together DATA``.

Each pair is composed twice of the same kingdom, at other places and angles and turned by quarters,
with something in the way in both. Pairs of different kingdoms show whether any are mixed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.table.measure import count_overlap, find_places, read_or_none
from training.kingdomino.table.conditions import (
    CONDITIONS,
    Photograph,
    PictureSource,
    coded,
    load_pictures,
)
from training.kingdomino.table.scenes import Sheet, Truth
from vision.kingdomino.reader import Reader
from vision.kingdomino.result import KingdomReading, PhotoReading
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
    height, width = reading.kingdom.height, reading.kingdom.width
    right = set()
    unflagged = 0
    for cell, (row, column) in places.items():
        inside = 0 <= row < height and 0 <= column < width
        square = reading.squares[row][column] if inside else None
        if square and square.label == truth.labels[cell] and not square.doubtful:
            right.add(cell)
        # What lies beyond the reading's extent or below a hand is counted where it is read.
        unflagged += (
            square is not None
            and square.label not in (".", truth.labels[cell])
            and (not square.doubtful)
        )
    taken = set(places.values())
    for row, squares in enumerate(reading.squares):
        for column, square in enumerate(squares):
            added = square.label != "." and (row, column) not in taken
            unflagged += added and not square.doubtful
    return Told(frozenset(right), unflagged, len(reading.doubtful))


def turned(photograph: Photograph, quarters: int) -> Photograph:
    """A photograph turned by quarters to the left."""
    rgb, truths = photograph.rgb, photograph.truths
    for _ in range(quarters % 4):
        move = np.array([[0, 1, 0], [-1, 0, rgb.shape[1] - 1], [0, 0, 1.0]])
        truths = tuple(replace(truth, view=move @ truth.view) for truth in truths)
        rgb = np.ascontiguousarray(np.rot90(rgb))
    return Photograph(rgb, truths)


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
    mine = [each for each in kingdoms if count_overlap(truth, each)]
    if not mine:
        return NOTHING
    return tell(truth, max(mine, key=lambda each: count_overlap(truth, each)))


def measure_pair(photographs: Sequence[Photograph], reader: Reader) -> Pair | None:
    """Two photographs of a kingdom each, read alone and together; None where both are refused."""
    readings = [read_or_none(reader, coded(each)) for each in photographs]
    if not any(readings):
        return None
    both: PhotoReading = combine_photos(readings, reader.settings.judge, reader.settings.together)
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


def _compose(
    name: str, bench: PictureSource, sheets: Sequence[Sheet], seed: int, number: int
) -> list[Photograph]:
    place = (*IN_THE_WAY, DIFFERENT).index(name)
    compose = CONDITIONS[CLEAN if name == DIFFERENT else name]
    rng = np.random.default_rng([seed, place, number])
    sheet = sheets[(7 * number + 3 * place) % len(sheets)]
    other = sheet
    if name == DIFFERENT:
        strangers = [each for each in sheets if each.session != sheet.session]
        other = strangers[int(rng.integers(len(strangers)))]
    return [
        turned(compose(bench, sheet, rng), 0),
        turned(compose(bench, other, rng), int(rng.integers(4))),
    ]


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
            measure_pair(_compose(name, bench, bench.kingdoms, chosen.seed, number), reader)
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
