"""Tables as people leave them, and the table of what was measured: ``python -m benchmarks.table
DATA``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from benchmarks.markdown_tables import markdown, provenance, show
from benchmarks.table.measure import (
    Measured,
    MeasureSettings,
    Store,
    measure_all,
    read_or_none,
    split,
)
from training.kingdomino.table.conditions import CONDITIONS
from vision.kingdomino.reader import Reader
from vision.kingdomino.weights import Weights

HEAD = (
    "what", "kingdoms", "exact", "bar", "silent", "squares wrong, not flagged",
    "hidden, not flagged", "flags a kingdom", "warned", "lost", "refused",
    "phantoms", "ms",
)  # fmt: skip
# What share of the kingdoms should be exact, as it was asked for.
BARS = {
    "loose domino aligned, gap 0.05–0.2": (34, 42),
    "loose domino": (40, 42),
    "draft row": (40, 42),
    "two kingdoms": (58, 60),
    "three to five kingdoms": (98, 100),
    "hand over": (40, 42),
    "playing card": (40, 42),
    "drinking glass": (40, 42),
    "tilt 45°": (42, 42),
    "tilt 60°": (38, 42),
    "tilt 70°": (30, 42),
    "low light": (41, 42),
    "very low light": (34, 42),
    "black and white": (36, 42),
    "gingham": (28, 30),
    "across the table": (56, 60),
    "window reflection": (22, 30),
    "tall castle": (27, 30),
    "panorama": (58, 60),
}


def make_row(name: str, measured: Sequence[Measured]) -> tuple[object, ...]:
    """The line of one condition."""
    verdicts = [verdict for each in measured for verdict in each.verdicts]
    squares = sum(v.squares - v.hidden for v in verdicts)
    hidden = sum(v.hidden for v in verdicts)
    warned = Counter(code for verdict in verdicts for code in set(verdict.warnings))
    exact = sum(v.exact for v in verdicts)
    bar = next((bar for start, bar in BARS.items() if name.startswith(start)), None)
    phantoms = sum(each.phantoms for each in measured)
    untold = sum(each.phantoms_unflagged for each in measured)
    short = bar is not None and exact * bar[1] < bar[0] * len(verdicts)
    return (
        name,
        len(verdicts),
        f"**{exact}**" if short else exact,
        f"{bar[0]} of {bar[1]}" if bar else "–",
        sum(v.silent for v in verdicts),
        f"{sum(v.unflagged for v in verdicts)} of {squares}",
        f"{sum(v.hidden_unflagged for v in verdicts)} of {hidden}" if hidden else "–",
        f"{np.mean([v.flags for v in verdicts]):.2f}",
        ", ".join(f"{code} {n}" for code, n in sorted(warned.items())) or "–",
        sum(not v.read and not v.refused for v in verdicts),
        sum(v.refused for v in verdicts),
        f"{phantoms} ({untold} untold)" if phantoms else 0,
        f"{np.median([each.ms for each in measured]):.0f}",
    )


CLEAN = "nothing in the way"
LEGEND = """\
"Exact": every square that can be seen is right and none is added; squares hidden by more than
40 % are left out. A number in bold is below its bar, a share of the kingdoms. "Silent": something
wrong, no flagged square and no warning. "Lost": not read while another kingdom of the picture was;
its squares count as wrong and not flagged. Those of a refused picture do not. "Phantoms": kingdoms
read where none lies, and how many of these neither a flag nor a warning tells of.
{tiles}, and pictures of the tables they lie on were among those of the
training; things, lights and lenses are this benchmark's alone. "ms" is the median time of a
processor for one photograph.
"""


KNOWN = "The tiles come from photographs that the weights were trained on"
HELD_OUT = "No weights were trained on the session of the kingdoms that they read"
PART = "The kingdoms are those of one part of the sessions, read by the weights of a folder"
OTHER_GAMES = {"pip dominoes": "pip_dominoes/photos", "Queendomino": "not_kingdomino"}


def _others(reader: Reader, folder: Path) -> str:
    """Photographs of other games: answered, and answered with nothing flagged."""
    rows = []
    wrong = []
    for name, place in OTHER_GAMES.items():
        answered = silent = 0
        paths = sorted(p for p in (folder / place).iterdir() if p.suffix in (".jpg", ".png"))
        for path in paths:
            reading = read_or_none(reader, path.read_bytes())
            if reading is None:
                continue
            answered += 1
            quiet = any(not k.doubtful and not k.warnings for k in reading.kingdoms)
            silent += quiet and not reading.warnings
            wrong.append((path.name, str(reading.kingdoms[0].kingdom)))
        rows.append((name, len(paths), answered, silent))
    head = ("other games", "photographs", "answered", "of these silent")
    return markdown(head, rows) + "\n" + markdown(("answered", "as"), wrong)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; keep it with ``--keep``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.table", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with photos, boards and backgrounds")
    parser.add_argument("--conditions", nargs="+", metavar="TEXT", help="those whose name has it")
    parser.add_argument("--count", type=int, default=42, help="photographs for each condition")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--weights", type=Path, help="a folder of weights to measure")
    parser.add_argument(
        "--cross-validate", nargs="+", type=Path, default=[], metavar="WEIGHTS",
        help="folders of weights as for python -m benchmarks.kingdomino_photos",
    )  # fmt: skip
    parser.add_argument("--part", metavar="FOLD/FOLDS", help="only this part of the sessions")
    parser.add_argument("--state", type=Path, metavar="FILE", help="go on where a run was cut")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    parser.add_argument("--wrong", type=Path, metavar="FOLDER", help="write what was not exact")
    parser.add_argument("--all", action="store_true", help="kingdoms not read when clean as well")
    chosen = parser.parse_args(argv)
    when = provenance()
    workshop = MeasureSettings(chosen.data, chosen.seed, chosen.wrong, when.split()[-1])
    store = Store(chosen.state, workshop)

    parts = split(chosen.data, chosen.weights, chosen.cross_validate, chosen.part)
    everyone = [name for part in parts for name in part.names]
    clean = [task for part in parts for task in part.tasks(CLEAN, range(len(part.names)))]
    found = measure_all(workshop, clean, chosen.jobs, store)
    left_out = {each.sheet for each in found.values() if not all(v.exact for v in each.verdicts)}
    if not chosen.all:
        parts = [part.without(left_out) for part in parts]
    tasks = {
        condition: [
            task
            for first, part in enumerate(parts)
            for task in part.tasks(condition, range(first, chosen.count, len(parts)))
        ]
        for condition in CONDITIONS
        if condition != CLEAN and any(text in condition for text in chosen.conditions or ("",))
    }
    found |= measure_all(workshop, chain.from_iterable(tasks.values()), chosen.jobs, store)
    rows = [
        make_row(condition, [found[task] for task in each])
        for condition, each in {CLEAN: clean, **tasks}.items()
    ]
    names = "".join(f" {folder.name}" for folder in chosen.cross_validate)
    options = f" --cross-validate{names}" if names else ""
    if chosen.all:
        options += " --all"
    if chosen.part:
        options += f" --part {chosen.part}"
    if chosen.weights:
        options += f" --weights {chosen.weights.name}"
    tiles = HELD_OUT if chosen.cross_validate else PART if chosen.weights else KNOWN
    which = f"those {sum(len(part.names) for part in parts)} that it reads exactly"
    if chosen.all:
        which = "all of them in turn"
    elif left_out:
        which += f" (not {', '.join(sorted(left_out))})"
    text = (
        f"# Tables as people leave them\n\n`python -m benchmarks.table DATA{options}`, {when}, "
        f"{chosen.count} photographs for each condition. {len(everyone)} kingdoms were cut from "
        f"photographs and boards; the first line has each of them once, the others {which}"
        f".\n\n{LEGEND.format(tiles=tiles)}\n{markdown(HEAD, rows)}"
    )
    if not (chosen.conditions or chosen.cross_validate or chosen.part):
        text += "\n" + _others(Reader(Weights.load(chosen.weights)), chosen.data)
    show(text, chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
