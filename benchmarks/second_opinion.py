"""What a second opinion on squares is worth: ``python -m benchmarks.second_opinion DATA``.

Single squares, photographed, cut from composed scenes, and disturbed, are read by the first network
alone and by both, each as the reader asks them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from training.common.answers import Answer, compare
from training.common.recipe import load_recipes
from training.common.task import Source
from training.kingdomino.classifier import WAYS, Asked, Squares
from vision.kingdomino.result import LABELS
from vision.kingdomino.weights import LEFT_OPEN, SquareClassifier, Weights

HEAD = (
    "squares", "asked", "the first leaves open", "wrong by the first alone", "by both",
    "put right", "made wrong", "p",
)  # fmt: skip
# Scenes that no training and no judgement composes.
SCENES, SEED = 120, 800_000


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write it to the file named by ``--keep``."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.second_opinion", description=__doc__
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--scenes", type=int, default=SCENES)
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    both = Weights.load().classifier
    alone = replace(both, second=None)
    rows = []
    for kind, squares in _asked(chosen.data, chosen.scenes):
        before, after = (list(answers_of(each, kind, squares)) for each in (alone, both))
        told = compare(before, after)
        open_ = sum(answer.probability < LEFT_OPEN for answer in before)
        wrong = told.wrong_before - told.gained + told.lost
        changed = told.gained, told.lost, f"{told.p:.2g}" if told.p >= 0.0001 else "< 0.0001"
        rows.append((kind, told.both, open_, told.wrong_before, wrong, *changed))
    text = f"# A second opinion on squares\n\n{provenance()}.\n\n" + markdown(HEAD, rows)
    show(text, chosen.keep)
    return 0


def _asked(data: Path, scenes: int) -> Iterator[tuple[str, list[Asked]]]:
    with tempfile.TemporaryDirectory() as cache:
        recipe = load_recipes()["squares"]
        task = Squares(Source(data, Path(cache), SEED), recipe.options)
        plain = list(task.asked(scenes, SEED))
        composed = [each for each in plain if each[0].startswith("composed")]
        yield "photographed", plain[: -len(composed)]
        yield "composed", composed
        for way in WAYS:
            yield way, list(task.disturbed(composed, way))


def answers_of(
    classifier: SquareClassifier, kind: str, squares: Sequence[Asked]
) -> Iterator[Answer]:
    """What squares are read as, castles without colours."""
    shares, _ = classifier.probabilities(np.stack([patch for *_, patch in squares]))
    for (question, group, label, _), row in zip(squares, shares, strict=True):
        said, sure = LABELS[int(row.argmax())], float(row.max())
        yield Answer(question, group, kind, label.partition(":")[0], said, sure)


if __name__ == "__main__":
    raise SystemExit(main())
