"""How long a hand of fifteen takes: ``python -m benchmarks.pip_reading [PHOTO]``.

Without a photo, the sample of fifteen dominoes is enlarged to 12 megapixels. The yardstick is the
time that OpenCV takes to decode the same JPEG in full, measured in turn with the reading.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from vision.pip_dominoes import read_dominoes

SAMPLE = Path(__file__).parent.parent / "sample_images" / "pip_dominoes" / "fifteen.jpg"
SIZE = (4000, 3000)


def _twelve_megapixels() -> bytes:
    picture = cv2.imread(str(SAMPLE), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(SAMPLE)
    # The sample is square; a table's width is left at both sides.
    beside = (picture.shape[0] * SIZE[0] // SIZE[1] - picture.shape[1]) // 2
    wide = cv2.copyMakeBorder(picture, 0, 0, beside, beside, cv2.BORDER_REFLECT)
    large = cv2.resize(wide, SIZE, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def main() -> None:
    """Print medians by step, the yardstick and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, help="a JPEG of 12 megapixels")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    data = chosen.photo.read_bytes() if chosen.photo else _twelve_megapixels()
    # First with one thread: a network that has worked with several keeps them busy.
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    count = len(read_dominoes(data).dominoes)
    alone = []
    for _ in range(chosen.runs):
        worked = time.process_time()
        read_dominoes(data)
        alone.append(time.process_time() - worked)
    cv2.setNumThreads(threads)
    yardstick, readings, processor = [], [], []
    steps: dict[str, list[float]] = {}
    for _ in range(chosen.runs):
        started = time.perf_counter()
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        yardstick.append(time.perf_counter() - started)
        started, worked = time.perf_counter(), time.process_time()
        reading = read_dominoes(data)
        readings.append(time.perf_counter() - started)
        processor.append(time.process_time() - worked)
        for step, seconds in reading.seconds.items():
            steps.setdefault(step, []).append(seconds)
    whole, decode = statistics.median(readings), statistics.median(yardstick)
    rows = [(step, f"{1000 * statistics.median(spent):.1f}") for step, spent in steps.items()]
    rows.append(("**all**", f"{1000 * whole:.1f}"))
    rows.append(("fastest", f"{1000 * min(readings):.1f}"))
    rows.append(("processor time, all cores", f"{1000 * statistics.median(processor):.1f}"))
    rows.append(("OpenCV decodes the JPEG in full", f"{1000 * decode:.1f}"))
    rows.append(("processor time, one thread", f"{1000 * statistics.median(alone):.1f}"))
    rows.append(("the same, least", f"{1000 * min(alone):.1f}"))
    load = f"{os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else "unknown"
    text = (
        f"# Reading {count} dominoes from 12 megapixels\n\n{provenance()}; medians of "
        f"{chosen.runs} runs.\n\n{markdown(('step', 'ms'), rows)}\n"
        f"All over the yardstick: {whole / decode:.2f}. The machine's load was {load} on "
        f"{os.cpu_count()} processors; where it is above that, processor time says more than the "
        f"clock.\n"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
