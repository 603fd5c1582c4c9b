"""Tables as people leave them: ``python -m benchmarks.table DATA``.

Kingdoms cut out of the photographs and boards of the folder are laid on other tables, with loose
dominoes, other kingdoms, hands, cards, glasses and figures, under lamps and through lenses that
nothing was trained with. "Silent" is a kingdom with something wrong, no flagged square and no
warning.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from benchmarks.table.conditions import CONDITIONS, Bench
from benchmarks.table.judge import Verdict, judge
from benchmarks.table.sheets import load_kingdoms
from vision import PhotoError, PhotoReading
from vision.common.markdown_tables import markdown, provenance, show
from vision.kingdomino.reader import Reader
from vision.kingdomino.training.corpus import Corpus, read_rgb
from vision.kingdomino.weights import Weights

HEAD = (
    "what", "kingdoms", "exact", "silent", "squares wrong, not flagged", "hidden, not flagged",
    "flags a kingdom", "warned", "refused", "ms",
)  # fmt: skip
QUALITY = 90


def _read(reader: Reader, data: bytes) -> tuple[PhotoReading | None, float]:
    started = time.perf_counter()
    try:
        reading: PhotoReading | None = reader.read(data)
    except PhotoError:
        reading = None
    return reading, time.perf_counter() - started


def _row(name: str, verdicts: Sequence[Verdict], seconds: Sequence[float]) -> tuple[object, ...]:
    squares = sum(v.squares - v.hidden for v in verdicts)
    hidden = sum(v.hidden for v in verdicts)
    warned: dict[str, int] = {}
    for verdict in verdicts:
        for code in set(verdict.warnings):
            warned[code] = warned.get(code, 0) + 1
    return (
        name,
        len(verdicts),
        sum(v.exact for v in verdicts),
        sum(v.silent for v in verdicts),
        f"{sum(v.unflagged for v in verdicts)} of {squares}",
        f"{sum(v.hidden_unflagged for v in verdicts)} of {hidden}" if hidden else "–",
        f"{np.mean([v.flags for v in verdicts]):.2f}",
        ", ".join(f"{code} {n}" for code, n in sorted(warned.items())) or "–",
        sum(v.refused for v in verdicts),
        f"{1000 * np.median(seconds):.0f}",
    )


def _others(reader: Reader, folder: Path) -> tuple[str, list[tuple[str, str]]]:
    """Photographs of other games: answered, and answered with nothing flagged."""
    rows = []
    wrong = []
    for name, place in (
        ("pip dominoes", folder / "pip_dominoes" / "photos"),
        ("Queendomino", folder / "not_kingdomino"),
    ):
        answered = silent = 0
        paths = sorted(p for p in place.iterdir() if p.suffix in (".jpg", ".png"))
        for path in paths:
            reading, _ = _read(reader, path.read_bytes())
            if reading is None:
                continue
            answered += 1
            quiet = any(
                not k.doubtful and not getattr(k, "warnings", ()) for k in reading.kingdoms
            ) and not getattr(reading, "warnings", ())
            silent += quiet
            wrong.append((path.name, str(reading.kingdoms[0].kingdom)))
        rows.append((name, len(paths), answered, silent))
    head = ("other games", "photographs", "answered", "of these silent")
    return markdown(head, rows), wrong


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; keep it with ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("--conditions", nargs="+", metavar="TEXT", help="those whose name has it")
    parser.add_argument("--count", type=int, default=21, help="photographs for each condition")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--weights", type=Path, help="a folder of weights to measure")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    parser.add_argument("--wrong", type=Path, metavar="FOLDER", help="write what was not exact")
    chosen = parser.parse_args(argv)
    reader = Reader(Weights.load(chosen.weights))
    cv2.setNumThreads(1)
    corpus = Corpus(chosen.data)
    bench = Bench(
        load_kingdoms(chosen.data), [read_rgb(path) for path in corpus.backgrounds()[::9]]
    )
    rows = []
    for number, (name, compose) in enumerate(CONDITIONS.items()):
        if chosen.conditions and not any(text in name for text in chosen.conditions):
            continue
        verdicts, seconds = [], []
        for k in range(chosen.count):
            rng = np.random.default_rng([chosen.seed, number, k])
            photograph = compose(bench, bench.kingdoms[k % len(bench.kingdoms)], rng)
            _, coded = cv2.imencode(
                ".jpg",
                cv2.cvtColor(photograph.rgb, cv2.COLOR_RGB2BGR),
                [cv2.IMWRITE_JPEG_QUALITY, QUALITY],
            )
            reading, spent = _read(reader, coded.tobytes())
            found = judge(photograph, reading)
            verdicts += found
            seconds.append(spent)
            if chosen.wrong and not all(v.exact and not v.silent for v in found):
                chosen.wrong.mkdir(parents=True, exist_ok=True)
                kind = "silent" if any(v.silent for v in found) else "wrong"
                place = chosen.wrong / f"{number:02d} {name} {k:02d} {kind}.jpg"
                place.write_bytes(coded.tobytes())
        rows.append(_row(name, verdicts, seconds))
        print(" | ".join(str(value) for value in rows[-1]), flush=True)
    text = f"# Tables as people leave them\n\n{provenance()}.\n\n" + markdown(HEAD, rows)
    if not chosen.conditions:
        table, wrong = _others(reader, chosen.data)
        text += "\n" + table + "\n" + markdown(("answered", "as"), wrong)
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
