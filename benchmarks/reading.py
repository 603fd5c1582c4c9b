"""How long a photograph takes: ``python -m benchmarks.reading [PHOTO]``.

The yardstick is the time that OpenCV takes to decode the same JPEG in full, measured in turn
with the reading. Without a photo, a sample picture is enlarged to 12 megapixels.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from pathlib import Path

import cv2
import numpy as np

from vision import read_kingdoms

SAMPLE = Path(__file__).parent.parent / "sample_images" / "complete-5x5.jpg"
SIZE = (4000, 3000)


def _twelve_megapixels() -> bytes:
    picture = cv2.imread(str(SAMPLE), cv2.IMREAD_COLOR)
    if picture is None:
        raise FileNotFoundError(SAMPLE)
    large = cv2.resize(picture, SIZE, interpolation=cv2.INTER_CUBIC)
    done, coded = cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return coded.tobytes()


def main() -> None:
    """Print medians by step, the yardstick, their ratio and the peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", nargs="?", type=Path, help="a JPEG of 12 megapixels")
    parser.add_argument("--runs", type=int, default=15)
    chosen = parser.parse_args()
    data = chosen.photo.read_bytes() if chosen.photo else _twelve_megapixels()
    read_kingdoms(data)
    yardstick, readings = [], []
    steps: dict[str, list[float]] = {}
    for _ in range(chosen.runs):
        started = time.perf_counter()
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        yardstick.append(time.perf_counter() - started)
        started = time.perf_counter()
        reading = read_kingdoms(data)
        readings.append(time.perf_counter() - started)
        for step, seconds in reading.seconds.items():
            steps.setdefault(step, []).append(seconds)
    assert decoded is not None
    height, width = decoded.shape[:2]
    print(f"{width} x {height}, {len(data) / 1e6:.1f} MB, {reading.kingdoms[0].kingdom}")
    for step, spent in steps.items():
        print(f"{step:10s} {1000 * statistics.median(spent):7.1f} ms")
    whole, decode = statistics.median(readings), statistics.median(yardstick)
    print(f"{'reading':10s} {1000 * whole:7.1f} ms, {min(readings) * 1000:.1f} at best")
    print(f"{'yardstick':10s} {1000 * decode:7.1f} ms: OpenCV decodes the JPEG in full")
    print(f"ratio {whole / decode:.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB, the yardstick's full picture included")


if __name__ == "__main__":
    main()
