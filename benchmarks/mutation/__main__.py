"""``python -m benchmarks.mutation [--keep FILE.md] [--room NAME …] [--sample N] [--seed N]``.

Prints what share of the changes a test notices, by room and module, and every change that none
does, with the reason if it is harmless. Needs the extra "dev"; Linux and macOS.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.mutation.functions import draw, run_functions
from benchmarks.mutation.loaded import loaded_changes, settings_changes
from benchmarks.mutation.report import Counted, report
from benchmarks.mutation.rooms import ROOMS, Mutant, Room
from vision.common.markdown_tables import show

ROOT = Path(__file__).parents[2]
COPIED = ("benchmarks", "companion", "docs", "models", "pyproject.toml", "sample_images", "scorer",
          "tests", "vision")  # fmt: skip
# Imported once for all changes of a room; nothing of the project.
READY = {
    "scorer": ["hypothesis", "yaml"],
    "vision": ["hypothesis", "numpy", "scipy.optimize", "cv2"],
}


def main(argv: Sequence[str] | None = None) -> int:
    """Change the rooms and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("--room", nargs="*", metavar="NAME", help="rooms whose names begin so")
    parser.add_argument("--sample", type=int, help="at most so many changes of each kind in a room")
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="keeps results, to go on with them")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = chosen.folder or Path(place)
        counted = []
        for room in ROOMS:
            if not chosen.room or any(room.name.startswith(name) for name in chosen.room):
                mine = folder / room.name.partition(":")[0].replace("/", "-")
                counted += _run(room, mine.absolute(), chosen.sample, chosen.seed)
        show(report(counted), chosen.keep)
    return 0


def _run(room: Room, folder: Path, sample: int | None, seed: int) -> list[Counted]:
    if not folder.exists():
        _copy(folder)
    mutants, number = run_functions(room, folder, sample, seed)
    counted = [Counted(room.name, "in functions", number, tuple(mutants))]
    changes = [
        (module, *change)
        for path in room.paths(folder)
        for module in (path.as_posix(),)
        for change in loaded_changes((folder / path).read_text(encoding="utf-8"))
    ]
    counted.append(_run_loaded(room, "when loaded", folder, changes, sample, seed))
    if room.settings:
        changes = [
            (path.as_posix(), *change)
            for path in room.paths(folder)
            for change in settings_changes((folder / path).read_text(encoding="utf-8"))
        ]
        counted.append(_run_loaded(room, "settings", folder, changes, None, seed))
    return [each for each in counted if each.number]


def _run_loaded(
    room: Room,
    kind: str,
    folder: Path,
    changes: list[tuple[str, str, str]],
    sample: int | None,
    seed: int,
) -> Counted:
    order = draw(range(len(changes)), sample, seed)
    place = folder / kind.replace(" ", "-")
    place.mkdir(exist_ok=True)
    (place / "changes.json").write_text(
        json.dumps([(k, *changes[k][:2]) for k in order]), encoding="utf-8"
    )
    script = Path(__file__).with_name("loaded_run.py")
    ready = READY[room.name.partition("/")[0]]
    environment = {key: value for key, value in os.environ.items() if key != "MUTATION_FOLDER"}
    subprocess.run(
        [sys.executable, str(script), str(folder), str(place), *ready, "--", *room.tests],
        env=environment,
        check=True,
    )
    lines = (place / "results.jsonl").read_text(encoding="utf-8").splitlines()
    codes = dict(json.loads(line) for line in lines)
    mutants = tuple(
        Mutant(room.name, changes[k][0], kind, changes[k][2], codes[k] != 0) for k in order
    )
    return Counted(room.name, kind, len(changes), mutants)


def _copy(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


if __name__ == "__main__":
    raise SystemExit(main())
