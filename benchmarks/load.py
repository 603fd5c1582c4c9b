"""How many visitors at once the app bears: the slowest step, the memory of each, and isolation.

    python -m benchmarks.load --visitors 20 --out benchmarks/load.md
    python -m benchmarks.load --visitors 20 --copies 2 --out benchmarks/load_copies.md

Every visitor opens the first page, photographs a kingdom of the samples, and changes squares of it
with pauses, in which the page asks for changes of others as in a browser; each change is in the
database before it counts as answered. They speak the websocket themselves: what a browser needs to
draw is not in the times. With several copies these keep their
games in PostgreSQL and stand behind nginx with HTTPS.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.markdown_tables import provenance, show
from benchmarks.serving import Served, Use, database_mb, process_use, served
from benchmarks.visitor import Refused, Visitor

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Plan:
    """What every visitor does. Times in seconds, drawn evenly up to twice ``pause_s``."""

    visitors: int = 20
    taps: int = 10
    pause_s: float = 3.0
    arrival_s: float = 20.0
    seed: int = 0


@dataclass
class Evening:
    """What was seen: seconds of each step, photo and kingdom of each reading, and what went wrong.

    ``uses`` are of the server: "started", "opened" (everybody is there), "photographed", "tapped".
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    readings: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    failures: list[str] = field(default_factory=list)
    foreign: int = 0
    asked: int = 0
    checked: int = 0
    megabytes: float = 0.0
    uses: dict[str, Use | None] = field(default_factory=dict)
    stored_mb: float = 0.0


async def run_visitors(place: Served, plan: Plan) -> Evening:
    """All visitors at once against a running app; measured after each step that all have done."""
    evening = Evening()
    evening.uses["started"] = process_use(place.processes)
    rng = Random(plan.seed)
    visitors = [Visitor(place.url, place.trusted) for _ in range(plan.visitors)]
    photos = sorted((ROOT / "sample_images").glob("*.jpg"))
    photos = [photo for photo in photos if photo.stem not in ("no-kingdom", "glare")]
    alive = list(visitors)

    async def together(step: str, work: Sequence[Awaitable[None]]) -> None:
        done = await asyncio.gather(*work, return_exceptions=True)
        for visitor, problem in list(zip(alive, done, strict=True)):
            if isinstance(problem, BaseException):
                evening.failures.append(f"{step}: {type(problem).__name__} {problem}")
                alive.remove(visitor)
        evening.uses[step] = process_use(place.processes)

    waits = [rng.uniform(0, plan.arrival_s) for _ in visitors]
    await together("opened", [_arrive(*each, evening) for each in zip(alive, waits, strict=True)])
    waits = [rng.uniform(0, plan.arrival_s) for _ in alive]
    await together(
        "photographed",
        [
            _photograph(visitor, wait, photos[number % len(photos)], evening)
            for number, (visitor, wait) in enumerate(zip(alive, waits, strict=True))
        ],
    )
    seeds = [rng.random() for _ in alive]
    work = [_tap(*each, plan, evening) for each in zip(alive, seeds, strict=True)]
    await together("tapped", work)
    for visitor in visitors:
        own = visitor.parameter("game")
        evening.checked += own in visitor.games
        evening.foreign += len(visitor.games - {own})
        evening.megabytes += visitor.received_bytes / 1e6
        await visitor.leave()
    return evening


async def _arrive(visitor: Visitor, wait_s: float, evening: Evening) -> None:
    await asyncio.sleep(wait_s)
    await _timed("open the page", visitor.open(""), evening)


async def _photograph(visitor: Visitor, wait_s: float, photo: Path, evening: Evening) -> None:
    await asyncio.sleep(wait_s)
    data = await asyncio.to_thread(photo.read_bytes)
    sent: list[str] = []

    async def send() -> None:
        sent.append(await visitor.upload(data))

    async def read() -> None:
        await visitor.act(visitor.component("^home$"), "photo", f"|{sent[0]}")

    await _timed("send a photo", send(), evening)
    await _timed("read a photo", read(), evening)
    board = visitor.data(visitor.component("^board-"))
    evening.readings[photo.stem].add(str(board["kingdom"]))


async def _tap(visitor: Visitor, seed: float, plan: Plan, evening: Evening) -> None:
    rng = Random(seed)
    client = f"{rng.getrandbits(48):012x}"
    for number in range(1, plan.taps + 1):
        evening.asked += await visitor.wait(rng.uniform(0, 2 * plan.pause_s))
        board = visitor.component("^board-")
        shown = visitor.data(board)
        rows = [row.split() for row in str(shown["kingdom"]).split("/")]
        row, column = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
        # Another terrain than is there, so that every tap changes something.
        rows[row][column] = value = "w" if rows[row][column] != "w" else "f"
        kingdom = "/".join(" ".join(each) for each in rows)
        settled = list(str(shown["settled"]))
        settled[row * len(rows[0]) + column] = "1"
        change = {
            "client": client,
            "seq": number,
            "base": shown["revision"],
            "has": None,
            "kingdom": kingdom,
            "settled": "".join(settled),
            "frame": shown["frame"],
            "done": [{"seq": number, "kind": "set", "squares": [[row, column]], "value": value}],
            "corners": None,
            "grid": None,
        }
        await _timed("tap a square", visitor.send(board, change), evening)
        now = visitor.data(visitor.component("^board-"))
        if now["kingdom"] != kingdom:
            raise Refused("a tap was not taken")


async def _timed(step: str, work: Awaitable[None], evening: Evening) -> None:
    start = time.perf_counter()
    await work
    evening.seconds[step].append(time.perf_counter() - start)


def report(evening: Evening, plan: Plan, copies: int, load_before: float | None) -> str:
    """The table, failures included."""
    how = "one copy, SQLite" if copies == 1 else f"{copies} copies, PostgreSQL, nginx with HTTPS"
    busy = "" if load_before is None else f", load average before {load_before:.1f}"
    lines = [
        f"# {plan.visitors} visitors at once, {provenance()}",
        "",
        f"`python -m benchmarks.load --visitors {plan.visitors} --taps {plan.taps} --pause "
        f"{plan.pause_s:g} --copies {copies}`: {how}. Python {platform.python_version()}, "
        f"{os.cpu_count()} cores{busy}; the visitors run on the same machine.",
        "",
        "| step | times | median s | 95 % s | slowest s |",
        "| --- | --- | --- | --- | --- |",
    ]
    for step, seconds in evening.seconds.items():
        ordered = sorted(seconds)
        late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
        lines.append(
            f"| {step} | {len(ordered)} | {median(ordered):.2f} | {late:.2f} | {ordered[-1]:.2f} |"
        )
    lines += ["", *_uses(evening.uses, plan, evening), ""]
    several = sum(len(kingdoms) > 1 for kingdoms in evening.readings.values())
    lines += [
        f"Visitors whose own game came back: {evening.checked} of {plan.visitors}; games of others "
        f"seen: {evening.foreign}; photos read as several kingdoms: {several} of "
        f"{len(evening.readings)}; pages asked for changes {evening.asked} times; failures: "
        f"{len(evening.failures)}; sent to a visitor: "
        f"{evening.megabytes / plan.visitors:.1f} MB. A game of one photo and {plan.taps} taps "
        f"takes {1000 * evening.stored_mb / plan.visitors:.0f} kB in the database.",
        *(f"- {failure}" for failure in sorted(set(evening.failures))),
    ]
    return "\n".join(lines) + "\n"


def _uses(uses: Mapping[str, Use | None], plan: Plan, evening: Evening) -> list[str]:
    known = {step: use for step, use in uses.items() if use is not None}
    if len(known) < len(uses):
        return ["Memory and cores: not measured, there is no `ps`."]
    lines = [
        "| the server when | memory MB | more for each visitor MB | seconds of a core since |",
        "| --- | --- | --- | --- |",
    ]
    steps = list(known)
    for before, step in zip([steps[0], *steps], steps, strict=False):
        use = known[step]
        more = (use.memory_mb - known["started"].memory_mb) / plan.visitors
        spent = use.core_seconds - known[before].core_seconds
        lines.append(f"| {step} | {use.memory_mb:.0f} | {more:.1f} | {spent:.0f} |")
    taps = len(evening.seconds["tap a square"])
    asked = f" with {evening.asked / max(taps, 1):.1f} times asking for changes"
    spent = known["tapped"].core_seconds - known["photographed"].core_seconds
    photos = len(evening.seconds["read a photo"])
    reading = known["photographed"].core_seconds - known["opened"].core_seconds
    return [
        *lines,
        "",
        f"A tap{asked} takes {spent / max(taps, 1):.2f} s of a core, a photo "
        f"{reading / max(photos, 1):.2f} s.",
    ]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--visitors", type=int, default=Plan.visitors)
    parser.add_argument("--taps", type=int, default=Plan.taps)
    parser.add_argument("--pause", type=float, default=Plan.pause_s, help="seconds between taps")
    parser.add_argument("--copies", type=int, default=1, choices=(1, 2))
    parser.add_argument("--out", type=Path, help="write the table here too")
    options = parser.parse_args(argv)
    plan = Plan(options.visitors, options.taps, options.pause)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    with served(options.copies) as place:
        # What every copy loads once, the networks for one, is no visitor's share.
        asyncio.run(run_visitors(place, Plan(3 * options.copies - 2, taps=1, arrival_s=0)))
        before = database_mb(place.database)
        evening = asyncio.run(run_visitors(place, plan))
        evening.stored_mb = database_mb(place.database) - before
    table = report(evening, plan, options.copies, load)
    show(table, options.out)
    return int(bool(evening.failures or evening.foreign) or evening.checked < plan.visitors)


if __name__ == "__main__":
    sys.exit(main())
