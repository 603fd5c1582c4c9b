"""How sure the witnesses may be: ``python -m training.pip_dominoes.calibrate SCENES``.

Finds the temperatures of ``RecognitionSettings`` that make the numbers of drawn dominoes, which no
training has seen, most likely.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.pip_dominoes.corpus import StoredScene, load_scenes
from training.pip_dominoes.cuts import LOOSE, jittered
from vision.pip_dominoes.candidates import Candidates
from vision.pip_dominoes.recognise import RecognitionSettings, recognise
from vision.pip_dominoes.weights import Weights

__all__ = ["likelihood_of", "looked_at"]

TEMPERATURES = (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
SHIFTS = (-0.25, 0.0, 0.2, 0.4, 0.6, 1.0)
LEAST = 2e-3


def looked_at(
    scenes: Sequence[StoredScene], weights: Weights, settings: RecognitionSettings, seed: int
) -> list[tuple[Candidates, NDArray[np.int64]]]:
    """What the witnesses say of every readable domino with pips, and its numbers (n, 2)."""
    rng = np.random.default_rng(seed)
    seen = []
    for scene in scenes:
        drawn = [d for d in scene.drawn if d.readable and not d.numerals]
        if drawn:
            boxes = np.stack([jittered(d.corners, rng, **LOOSE) for d in drawn])
            evidence = recognise(scene.rgb(), boxes, weights.faces, weights.halves, settings)
            seen.append((evidence, np.array([d.halves for d in drawn])))
    return seen


def likelihood_of(shares: NDArray[np.float64], truth: NDArray[np.int64]) -> float:
    """The mean log probability (n, 2, 19) of the true numbers, a little of everything mixed in."""
    rows = shares.reshape(-1, shares.shape[-1])
    said = rows[np.arange(len(rows)), truth.ravel()]
    return float(np.log((1 - LEAST) * said + LEAST).mean())


def main() -> None:
    """Print for each temperature how likely the truth is by either witness."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("scenes", type=Path)
    options.add_argument("--weights", type=Path)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    scenes, weights = load_scenes(chosen.scenes), Weights.load(chosen.weights)
    trials = [(temperature, shift) for temperature in TEMPERATURES for shift in SHIFTS]
    for temperature, shift in trials:
        settings = replace(
            RecognitionSettings(),
            pip_temperature=temperature,
            half_temperature=temperature,
            pip_shift=shift,
        )
        seen = looked_at(scenes, weights, settings, chosen.seed)
        counted = np.concatenate([e.counted for e, _ in seen])
        recognised = np.concatenate([e.recognised for e, _ in seen])
        truth = np.concatenate([halves for _, halves in seen])
        right = [(w.argmax(-1) == truth).mean() for w in (counted, recognised)]
        print(
            f"{temperature:4} {shift:4}: "
            f"pips {likelihood_of(counted, truth):.4f} ({right[0]:.4f} right), "
            f"halves {likelihood_of(recognised, truth):.4f} ({right[1]:.4f} right)",
            flush=True,
        )


if __name__ == "__main__":
    main()
