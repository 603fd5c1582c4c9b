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
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path

from benchmarks.markdown_tables import show
from benchmarks.mutation.changes import (
    describe,
    draw,
    loaded_changes,
    run_functions,
    settings_changes,
)
from benchmarks.mutation.loaded_run import UNCHANGED
from benchmarks.mutation.targets import TARGETS, Counted, Mutant, Target, report

ROOT = Path(__file__).parents[2]
COPIED = ("benchmarks", "companion", "docs", "models", "pyproject.toml", "sample_images", "scorer",
          "tests", "training", "vision")  # fmt: skip
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
    parser.add_argument("--sample-loaded", type=int, help="the same for what runs when loaded")
    parser.add_argument("--seconds", type=float, help="leave out the slowest tests of a mutant")
    parser.add_argument("--again", action="store_true", help="try with the tests of now what lived")
    parser.add_argument("--known", action="store_true", help="run nothing, show what is known")
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="keeps results, to go on with them")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = (chosen.folder or Path(place)).absolute()
        counted = []
        for room in TARGETS:
            if not chosen.room or any(room.name.startswith(name) for name in chosen.room):
                counted += _run(
                    room, folder / room.name.partition(":")[0].replace("/", "-"), chosen
                )
        show(report(counted), chosen.keep)
    return 0


def _run(room: Target, folder: Path, chosen: argparse.Namespace) -> list[Counted]:
    if not folder.exists():
        _copy(folder)
    # What is only shown may be of a run that goes on.
    for unchanged in () if chosen.known else folder.rglob(f"*{UNCHANGED}"):
        unchanged.replace(unchanged.with_suffix(".py"))
    if chosen.again:
        _forget_what_lived(folder)
    mutants, number = run_functions(
        room, folder, chosen.sample, chosen.seed, chosen.seconds, chosen.known
    )
    counted = [Counted(room.name, "in functions", number, tuple(mutants))]
    kinds = [("when loaded", loaded_changes, chosen.sample_loaded)]
    if room.settings:
        kinds.append(("settings", settings_changes, chosen.sample_loaded))
    for kind, changes_of, sample in kinds:
        changes = [
            (path.as_posix(), make)
            for path in room.paths(folder)
            for make in changes_of((folder / path).read_text(encoding="utf-8"))
        ]
        tried = draw(list(enumerate(changes)), sample, chosen.seed)
        mutants = _run_loaded(
            room, kind, folder, [(k, *change) for k, change in tried], chosen.known
        )
        counted.append(Counted(room.name, kind, len(changes), tuple(mutants)))
    return [each for each in counted if each.number]


def _run_loaded(
    room: Target,
    kind: str,
    folder: Path,
    changes: list[tuple[int, str, Callable[[], str]]],
    known: bool,
) -> list[Mutant]:
    place = folder / kind.replace(" ", "-")
    place.mkdir(exist_ok=True)
    results = place / "results.jsonl"
    results.touch()
    if not known:
        asked = [(number, module, make()) for number, module, make in changes]
        (place / "changes.json").write_text(json.dumps(asked), encoding="utf-8")
        script = Path(__file__).with_name("loaded_run.py")
        ready = READY[room.name.partition("/")[0]]
        environment = {key: value for key, value in os.environ.items() if key != "MUTATION_FOLDER"}
        subprocess.run(
            [sys.executable, str(script), str(folder), str(place), *ready, "--", *room.tests],
            env=environment,
            check=True,
        )
    codes = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    mutants = []
    for number, module, make in takewhile(lambda change: change[0] in codes, changes):
        lives = codes[number] == 0
        before = (folder / module).read_text(encoding="utf-8")
        change = describe(before, make()) if lives else ""
        mutants.append(Mutant(room.name, module, kind, change, not lives))
    return mutants


def _forget_what_lived(folder: Path) -> None:
    """Take the tests as they are now, and drop the results of what no test noticed."""
    for tests in (folder / "tests", folder / "mutants" / "tests"):
        if tests.exists():
            shutil.rmtree(tests)
            shutil.copytree(ROOT / "tests", tests, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "reached.json").unlink(missing_ok=True)
    for results in folder.rglob("results.jsonl"):
        lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if json.loads(line)[1] not in (0, -1)]
        results.write_text("".join(kept), encoding="utf-8")


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
