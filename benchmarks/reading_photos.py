"""The time to read labelled photographs: ``python -m benchmarks.reading_photos FOLDER [...]``.

Each of them, with its kingdom as the folder's labels give it, is read ``--runs`` times in turn with
the others; what counts is the time by the clock beyond the decoding.
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path

import cv2

from benchmarks.markdown_tables import markdown, provenance, show
from training.kingdomino.corpus import LabelledKingdom, read_labels
from vision import PhotoError, read_kingdoms
from vision.common.network import count_threads

# The first readings load the networks, and take the memory that is kept from then on.
WARM_RUNS = 3
STEPS = ("decode", "locate", "classify", "settle", "warn")


def _photographs(folders: list[Path]) -> list[LabelledKingdom]:
    return [
        one
        for folder in folders
        for one in read_labels(folder)
        if isinstance(one, LabelledKingdom) and one.kingdom is not None
    ]


def main() -> None:
    """Print the medians of each photograph by step, those that take longest first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="+", type=Path, help="pictures with labels.csv")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--threads", type=int, help="1 for one core; as many as OpenCV likes")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    if chosen.threads:
        cv2.setNumThreads(chosen.threads)
    photographs = _photographs(chosen.folder)
    coded = [one.path.read_bytes() for one in photographs]
    for _ in range(WARM_RUNS):
        read_kingdoms(coded[0], anyway=True)
    spent: list[list[dict[str, float]]] = [[] for _ in photographs]
    sizes = [""] * len(photographs)
    refused = 0
    for _ in range(chosen.runs):
        for k, data in enumerate(coded):
            try:
                reading = read_kingdoms(data)
            except PhotoError:
                refused += 1
                continue
            spent[k].append(reading.seconds)
            sizes[k] = f"{reading.width} × {reading.height}"
    rows: list[tuple[float, tuple[str, ...]]] = []
    for one, size, times in zip(photographs, sizes, spent, strict=True):
        if not times or one.kingdom is None:
            continue
        steps = [statistics.median(each.get(step, 0.0) for each in times) for step in STEPS]
        beyond = statistics.median(sum(each.values()) - each["decode"] for each in times)
        grid = f"{one.kingdom.height} × {one.kingdom.width}"
        figures = (f"{1000 * each:.1f}" for each in (*steps, beyond))
        rows.append((beyond, (one.path.name, size, grid, *figures)))
    rows.sort(reverse=True)
    usual = [beyond for beyond, row in rows if max(map(int, row[2].split(" × "))) <= 5]
    text = (
        f"# Warm reads of photographs\n\n{provenance()}: {len(rows)} photographs, "
        f"{refused // chosen.runs} refused; {os.cpu_count()} cores, {count_threads()} thread(s), "
        f"medians of {chosen.runs} runs, in milliseconds by the clock.\n\n"
        + markdown(("photograph", "size", "kingdom", *STEPS, "beyond"), [row for _, row in rows])
        + f"\nBeyond the decoding, the {len(usual)} of kingdoms up to 5 × 5 take "
        f"{1000 * min(usual):.0f} to {1000 * max(usual):.0f} ms, median "
        f"{1000 * statistics.median(usual):.0f}.\n"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
