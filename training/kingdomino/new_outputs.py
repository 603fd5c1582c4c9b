"""Weights that know fewer labels, or have not learnt some yet, made ready for all of them.

``python -m training.kingdomino.new_outputs OLD.onnx NEW.onnx --lowered 12`` writes weights
that read as before: the new labels exist, but are never the most probable.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from training.common.onnx_weights import read_weights, rearrange_outputs
from vision.kingdomino.labels import ONE_CROWN, OUTPUTS

__all__ = ["main", "with_all_outputs"]

LAYER = "head"
# How much less likely a label starts that is to be learnt, in natural log-odds.
STARTS_LOWERED = 1.0


def with_all_outputs(weights: bytes, lowered: float = STARTS_LOWERED) -> bytes:
    """The ONNX file of the classifier with an output for each of ``OUTPUTS``.

    Labels with two crowns that it doesn't know, or only as copies, are copies of those with one
    crown, their biases ``lowered``. ValueError for a file with another number of outputs.
    """
    rows = read_weights(weights)[f"{LAYER}.weight"]
    older = tuple(output for output in OUTPUTS if output not in ONE_CROWN)
    known = {len(outputs): outputs for outputs in (OUTPUTS, older)}.get(len(rows))
    if known is None:
        raise ValueError(f"outputs: expected {len(OUTPUTS)} or {len(older)}, got {len(rows)}")
    at = {output: place for place, output in enumerate(known)}
    copied = {
        two
        for two, one in ONE_CROWN.items()
        if two not in at or np.array_equal(rows[at[two]], rows[at[one]])
    }
    return rearrange_outputs(
        weights,
        LAYER,
        [at[ONE_CROWN[output] if output in copied else output] for output in OUTPUTS],
        [lowered if output in copied else 0.0 for output in OUTPUTS],
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Write weights with all outputs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("old", type=Path)
    options.add_argument("new", type=Path)
    options.add_argument("--lowered", type=float, default=STARTS_LOWERED)
    chosen = options.parse_args(argv)
    chosen.new.write_bytes(with_all_outputs(chosen.old.read_bytes(), chosen.lowered))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
