"""The time to read a photograph: ``python -m benchmarks.reading [PHOTO]``.

It is compared with the time that OpenCV takes to decode the same JPEG in full; both are measured
alternately, by the clock and by the time of the processor, which other programs disturb less.
Without a photo, a sample picture is enlarged to 12 megapixels, with grain until the file has the
3 to 4 MB of a natural photograph.
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
from benchmarks.peak_memory import peak_mb
from vision import read_kingdoms
from vision.common.network import count_threads

SAMPLE = Path(__file__).parent.parent / "sample_images" / "complete-5x5.jpg"
SIZE = (4000, 3000)
GRAIN = 7.0
# The first readings load the networks, and take the memory that is kept from then on.
WARM_RUNS = 3


def _twelve_megapixels() -> bytes:
    picture = cv2.imread(str(SAMPLE), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(SAMPLE)
    large = cv2.resize(picture, SIZE, interpolation=cv2.INTER_CUBIC)
    rng = np.random.default_rng(12)
    grain = cv2.GaussianBlur(
        rng.normal(0, 1, (*large.shape[:2], 1)).astype(np.float32), (0, 0), 0.8
    )
    grain *= GRAIN / grain.std()
    large = np.clip(large + grain[..., None], 0, 255).astype(np.uint8)
    done, coded = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return coded.tobytes()


def _since(started: tuple[float, float]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    return time.perf_counter() - started[0], time.process_time() - started[1]


def main() -> None:
    """Print medians by step, the time to decode, their ratio and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, help="a JPEG of 12 megapixels")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--threads", type=int, help="1 for one core; as many as OpenCV likes")
    parser.add_argument("--keep", type=Path, metavar="FILE.md", help="write the table there too")
    chosen = parser.parse_args()
    data = chosen.photo.read_bytes() if chosen.photo else _twelve_megapixels()
    if chosen.threads:
        cv2.setNumThreads(chosen.threads)
    for _ in range(WARM_RUNS):
        read_kingdoms(data)
    yardstick: list[tuple[float, float]] = []
    readings: list[tuple[float, float]] = []
    steps: dict[str, list[float]] = {}
    for _ in range(chosen.runs):
        started = time.perf_counter(), time.process_time()
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        yardstick.append(_since(started))
        started = time.perf_counter(), time.process_time()
        reading = read_kingdoms(data)
        readings.append(_since(started))
        for step, seconds in reading.seconds.items():
            steps.setdefault(step, []).append(seconds)
    assert decoded is not None
    height, width = decoded.shape[:2]
    (whole, whole_cpu), (decode, decode_cpu) = (
        [statistics.median(each) for each in zip(*times, strict=True)]
        for times in (readings, yardstick)
    )
    rows = [(step, f"{1000 * statistics.median(spent):.1f}", "") for step, spent in steps.items()]
    rows.append(("**all**", f"{1000 * whole:.1f}", f"{1000 * whole_cpu:.1f}"))
    rows.append(
        (
            "yardstick: OpenCV decodes the JPEG in full",
            f"{1000 * decode:.1f}",
            f"{1000 * decode_cpu:.1f}",
        )
    )
    beyond = whole - statistics.median(steps["decode"])
    peak = peak_mb()
    text = (
        f"# A warm read\n\n{provenance()}: "
        f"{chosen.photo.name if chosen.photo else 'a sample enlarged'}, {width} × {height}, "
        f"{len(data) / 1e6:.1f} MB, {len(reading.kingdoms)} kingdom(s); {os.cpu_count()} cores, "
        f"{count_threads()} thread(s), median of {chosen.runs} runs.\n\n"
        + markdown(("step", "ms", "ms of a processor"), rows)
        + f"\n{whole / decode:.2f} times the yardstick by the clock, "
        f"{whole_cpu / decode_cpu:.2f} by the "
        f"processor, {1000 * beyond:.1f} ms beyond the decoding; peak memory {peak:.0f} MB, the "
        "full picture of the yardstick included.\n\n"
        "With two threads a large JPEG is decoded twice at the same time, and the first search "
        "runs beside: the step locate is what is left of it once the photo is there.\n"
    )
    show(text, chosen.keep)


if __name__ == "__main__":
    main()
