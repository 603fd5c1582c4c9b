"""What the model of presence is worth: ``python -m benchmarks.pip_presence GATHERED.npz``.

``python -m training.pip_dominoes.presence --gathered`` keeps the candidates. Every figure is by
models that never saw the source of the picture. With ``--folders`` the models that leave out one
source of photographs are written, each to a folder with the shipped networks, as
``python -m benchmarks.pip_photos --cross-validate`` reads them.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.markdown_tables import markdown, provenance, show
from training.pip_dominoes.presence import Examples, fitted, load, shares_of, write_model
from vision.common.network import shipped_weights
from vision.pip_dominoes.candidates import COMPANY, FEATURES

Floats = NDArray[np.float64]

_BINS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0)
_GATES = (0.5, 0.7, 0.8, 0.85, 0.9)


def _held_out(examples: Sequence[Examples], without: Sequence[str] = (), folds: int = 6) -> Floats:
    """The probability of every candidate by a model that never saw its source."""
    from sklearn.model_selection import GroupKFold

    sources, said = [e.source for e in examples], [np.zeros(0)] * len(examples)
    for rest, out in GroupKFold(folds).split(sources, groups=sources):
        model = fitted([examples[k] for k in rest], without)
        for k in out:
            said[k] = model.shares(examples[k].features)
    return np.concatenate(said)


def _loss(said: Floats, present: NDArray[np.bool_], shares: Floats) -> float:
    """The mean logarithmic loss."""
    right = np.clip(np.where(present, said, 1 - said), 1e-6, 1)
    return float(-(np.log(right) * shares).mean() / shares.mean())


def _report(examples: Sequence[Examples]) -> str:
    """What the features are worth, and how far the probabilities hold for unseen sources."""
    present, shares = np.concatenate([e.present for e in examples]), shares_of(examples)
    said = _held_out(examples)
    rows: list[tuple[object, ...]] = [("all", f"{_loss(said, present, shares):.4f}")]
    for name in (*FEATURES, COMPANY):
        without = _held_out(examples, [name])
        rows.append((f"without {name}", f"{_loss(without, present, shares):.4f}"))
    calibration = [
        (
            f"{low:g} to {high:g}", int(mine.sum()),
            f"{np.average(said[mine], weights=shares[mine]):.3f}",
            f"{np.average(present[mine], weights=shares[mine]):.3f}", int(present[mine].sum()),
        )
        for low, high in pairwise(_BINS)
        if (mine := (said >= low) & ((said < high) | (high == 1))).any()
    ]  # fmt: skip
    place, by_source = 0, dict[str, list[int]]()
    for e in examples:
        own = said[place : place + len(e.present)]
        place += len(e.present)
        row = by_source.setdefault(e.source, [0, 0, 0, 0, 0])
        row[0] += 1
        row[1] += int(e.present.sum())
        row[2] += int((e.present & (own < 0.5)).sum())
        row[3] += int((~e.present & (own >= 0.5)).sum())
        row[4] += bool((own[~e.present] >= 0.5).any())
    sources = [(name, *row) for name, row in sorted(by_source.items())]
    ends = np.cumsum([len(e.present) for e in examples])[:-1]
    best = [float(own.max()) for own in np.split(said, ends)]
    there = [p for p, e in zip(best, examples, strict=True) if e.present.any()]
    none = [p for p, e in zip(best, examples, strict=True) if not _may_show(e)]
    gates = [
        (gate, f"{_below(there, gate)} of {len(there)}", f"{_below(none, gate)} of {len(none)}")
        for gate in _GATES
    ]
    return (
        f"# How likely a domino is there\n\n{provenance()}; {len(present)} candidates of "
        f"{len(examples)} pictures, {int(present.sum())} of them dominoes; every figure by models "
        f"that never saw the source.\n\n"
        f"{markdown(('features', 'logarithmic loss'), rows)}\n"
        + markdown(
            ("probability", "candidates", "mean", "share of dominoes", "dominoes"), calibration
        )
        + "\n"
        + markdown(("refused below", "of pictures with dominoes", "of those without"), gates)
        + "\n"
        + markdown(
            (
                "source",
                "pictures",
                "dominoes",
                "below one half",
                "others above",
                "pictures with such",
            ),
            sources,
        )
    )


def _may_show(examples: Examples) -> bool:
    """Whether the picture is of a source with dominoes, such as a drawing."""
    return "drawn" in examples.source or "/" in examples.source


def _below(shares: Sequence[float], gate: float) -> int:
    return sum(share < gate for share in shares)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gathered", type=Path, metavar="FILE.npz")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the report there too")
    parser.add_argument("--folders", type=Path, metavar="FOLDER", help="write the models there")
    chosen = parser.parse_args()
    examples = load(chosen.gathered)
    if chosen.folders:
        _write_folders(examples, chosen.folders)
    show(_report(examples), chosen.keep)


def _write_folders(examples: Sequence[Examples], folder: Path) -> None:
    """A folder of weights for each source of photographs, which they leave out."""
    sources = sorted({e.source for e in examples if "/" in e.source})
    for number, source in enumerate(sources):
        rest = [e for e in examples if e.source != source]
        own = folder / f"{number:02d}"
        own.mkdir(parents=True)
        for network in ("pip_locator.onnx", "pip_faces.onnx", "pip_halves.onnx"):
            shutil.copy(shipped_weights() / network, own)
        write_model(rest, own / "pip_presence.json")
        (own / "left_out.txt").write_text(source + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
