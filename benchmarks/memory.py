"""Whether the memory of the app grows with photos that are read, or with visitors who come and go.

    python -m benchmarks.memory --photos 500 --out benchmarks/memory_photos
    python -m benchmarks.memory --visitors 200 --out benchmarks/memory_visitors

Groups of four visitors come, read photos of the samples, change squares, and leave. The curve is
of the server with its workers, taken after each group. It counts from a fifth on, when as many
have come as are remembered at once; to come there soon, those who have left are forgotten after
10 s and not after two minutes. Writes OUT.svg and OUT.md.
"""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.markdown_tables import provenance
from benchmarks.serving import Served, memory_mb, served
from benchmarks.visitor import Visitor

ROOT = Path(__file__).resolve().parents[1]
FORGET_AFTER_S = 10
GROUP = 4
ALLOWED = 0.10


@dataclass(frozen=True)
class Curve:
    """MB after so many photos or visitors (``counts``); ``start`` is where the curve begins to
    count, ``after_mb`` what is held when all have been forgotten."""

    what: str
    counts: tuple[int, ...]
    megabytes: tuple[float, ...]
    start: int
    after_mb: float
    seconds: float

    @property
    def counted(self) -> list[float]:
        pairs = zip(self.counts, self.megabytes, strict=True)
        return [megabytes for count, megabytes in pairs if count >= self.start]

    @property
    def deviation(self) -> float:
        """The largest distance from the median, as a share of it."""
        middle = median(self.counted)
        return max(abs(each - middle) for each in self.counted) / middle


async def _measured(place: Served, what: str, total: int, photos_each: int, taps: int) -> Curve:
    photos = sorted((ROOT / "sample_images").glob("*.jpg"))
    photos = [each for each in photos if each.stem not in ("no-kingdom", "glare")]
    rng, began, count = Random(1), time.monotonic(), 0
    counts, megabytes, times = [], [], []
    while count < total:
        group = [_visit(place, rng.sample(photos, photos_each), taps, rng) for _ in range(GROUP)]
        await asyncio.gather(*group)
        count += GROUP * (photos_each if what == "photos" else 1)
        counts.append(count)
        megabytes.append(memory_mb(place))
        times.append(time.monotonic() - began)
    seconds = time.monotonic() - began
    warm = (n for n, at in zip(counts, times, strict=True) if at > 3 * FORGET_AFTER_S)
    start = max(next(warm, total), total // 5)
    await asyncio.sleep(2 * FORGET_AFTER_S)
    return Curve(what, tuple(counts), tuple(megabytes), start, memory_mb(place), seconds)


async def _visit(place: Served, photos: Sequence[Path], taps: int, rng: Random) -> None:
    for photo in photos:
        visitor = Visitor(place.url, place.trusted)
        await visitor.open("")
        sent = await visitor.upload(photo.read_bytes())
        await visitor.act(visitor.component("^home$"), "photo", f"|{sent}")
        for number in range(1, taps + 1):
            await _tap(visitor, number, rng)
        await visitor.leave()


async def _tap(visitor: Visitor, number: int, rng: Random) -> None:
    board = visitor.component("^board-")
    shown = visitor.data(board)
    rows = [row.split() for row in str(shown["kingdom"]).split("/")]
    row, column = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    rows[row][column] = value = "w" if rows[row][column] != "w" else "f"
    change = {
        "client": "0123456789ab",
        "seq": number,
        "base": shown["revision"],
        "has": None,
        "kingdom": "/".join(" ".join(each) for each in rows),
        "settled": shown["settled"],
        "frame": shown["frame"],
        "done": [{"seq": number, "kind": "set", "squares": [[row, column]], "value": value}],
        "corners": None,
        "grid": None,
    }
    await visitor.send(board, change)


def table(curve: Curve, command: str) -> str:
    """What came out."""
    counted = curve.counted
    flat = "flat" if curve.deviation <= ALLOWED else "not flat"
    return "\n".join(
        [
            f"# Memory over {curve.counts[-1]} {curve.what}, {provenance()}",
            "",
            f"`{command}`, {curve.seconds:.0f} s, {platform.machine()}, "
            f"Python {platform.python_version()}. Those who left are forgotten after "
            f"{FORGET_AFTER_S} s; the server and its workers, one copy.",
            "",
            "| | MB |",
            "| --- | --- |",
            f"| median from {curve.start} {curve.what} on | {median(counted):.0f} |",
            f"| least | {min(counted):.0f} |",
            f"| most | {max(counted):.0f} |",
            f"| after the last was forgotten | {curve.after_mb:.0f} |",
            "",
            f"Largest distance from the median: {curve.deviation:.1%}, {flat} within "
            f"{ALLOWED:.0%}.",
            "",
        ]
    )


def picture(curve: Curve) -> str:
    """The curve as SVG, with the allowed band around its median."""
    width, height, left, bottom = 640, 300, 56, 40
    top_mb = 1.25 * max(curve.megabytes)
    middle = median(curve.counted)

    def x(count: float) -> float:
        return left + (width - left - 16) * count / curve.counts[-1]

    def y(megabytes: float) -> float:
        return height - bottom - (height - bottom - 16) * megabytes / top_mb

    points = " ".join(
        f"{x(count):.1f},{y(mb):.1f}"
        for count, mb in zip(curve.counts, curve.megabytes, strict=True)
    )
    high, low = y(middle * (1 + ALLOWED)), y(middle * (1 - ALLOWED))
    ticks = "".join(
        f'<text x="{left - 6}" y="{y(mb) + 4:.1f}" text-anchor="end">{mb}</text>'
        f'<path d="M{left} {y(mb):.1f}H{width - 16}" stroke="#ddd"/>'
        for mb in range(0, int(top_mb), 200)
    )
    below = "".join(
        f'<text x="{x(count):.1f}" y="{height - 18}" text-anchor="middle">{count}</text>'
        for count in range(0, curve.counts[-1] + 1, max(1, curve.counts[-1] // 5))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{ticks}{below}'
        f'<path d="M{x(curve.start):.1f} {high:.1f}H{x(curve.counts[-1]):.1f}V{low:.1f}'
        f'H{x(curve.start):.1f}Z" fill="#f3ab62" opacity=".35"/>'
        f'<polyline points="{points}" fill="none" stroke="#97350f" stroke-width="2"/>'
        f'<text x="{left}" y="12">MB of server and workers</text>'
        f'<text x="{width - 16}" y="{height - 4}" text-anchor="end">{curve.what}; the band is '
        f"{ALLOWED:.0%} around the median</text></svg>\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--photos", type=int)
    what.add_argument("--visitors", type=int)
    parser.add_argument("--out", type=Path, help="write OUT.svg and OUT.md")
    options = parser.parse_args(argv)
    with served(1, forget_after_s=FORGET_AFTER_S) as place:
        if options.photos:
            command = f"python -m benchmarks.memory --photos {options.photos}"
            run = _measured(place, "photos", options.photos, photos_each=5, taps=0)
        else:
            command = f"python -m benchmarks.memory --visitors {options.visitors}"
            run = _measured(place, "visitors", options.visitors, photos_each=1, taps=3)
        curve = asyncio.run(run)
    print(table(curve, command))
    if options.out:
        options.out.with_suffix(".md").write_text(table(curve, command), encoding="utf-8")
        options.out.with_suffix(".svg").write_text(picture(curve), encoding="utf-8")
    return int(curve.deviation > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
