"""``python -m benchmarks.mutation [--keep FILE.md] [--package NAME …] [--sample N] [--seed N]``.

Prints what share of the changes of each package a test notices, and every change that none does,
with the reason if it is harmless. Needs the extra "dev"; Linux and macOS.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.markdown_tables import show
from benchmarks.mutation.changes import Change, changes_of, describe
from benchmarks.mutation.session import UNCHANGED, changed_file
from benchmarks.mutation.targets import TARGETS, Counted, Mutant, Target, report

ROOT = Path(__file__).parents[2]
COPIED = (".streamlit", "benchmarks", "companion", "deploy", "docs", "models", "pyproject.toml",
          "sample_images", "scorer", "streamlit_app.py", "tests", "training", "vision")  # fmt: skip
TYPED = ("scorer", "vision", "companion")
SCRIPT = Path(__file__).with_name("session.py")


def main(argv: Sequence[str] | None = None) -> int:
    """Change the packages and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument(
        "--package", nargs="*", metavar="NAME", help="packages whose names begin so"
    )
    parser.add_argument("--module", nargs="*", metavar="PATH", help="modules whose paths begin so")
    parser.add_argument("--tests", nargs="*", metavar="PATH", help="these instead of the package's")
    parser.add_argument(
        "--kind", nargs="*", metavar="KIND", help="kinds of changes, say field lost"
    )
    parser.add_argument("--sample", type=int, default=300, help="changes each (300); 0: all")
    parser.add_argument("--seconds", type=float, default=20.0, help="of tests for a change (20)")
    parser.add_argument("--again", action="store_true", help="try with the tests of now what lived")
    parser.add_argument("--known", action="store_true", help="run nothing, show what is known")
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="keeps results, to go on with them")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = (chosen.folder or Path(place)).absolute()
        counted = [
            _run(replace(target, tests=tuple(chosen.tests or target.tests)), folder, chosen)
            for target in TARGETS
            if not chosen.package or target.name.startswith(tuple(chosen.package))
        ]
        show(report(counted), chosen.keep)
    return 0


def _run(target: Target, folder: Path, chosen: argparse.Namespace) -> Counted:
    if not (folder / "tests").exists():
        _copy(folder)
    # A run that was broken off has left a changed module; one that goes on is only looked at.
    for unchanged in () if chosen.known else folder.rglob(f"*{UNCHANGED}"):
        unchanged.replace(unchanged.with_suffix(".py"))
    if chosen.again:
        _forget_what_lived(target, folder)
    changes = [
        change
        for path in target.paths(folder)
        if not chosen.module or path.as_posix().startswith(tuple(chosen.module))
        for change in changes_of(path.as_posix(), (folder / path).read_text(encoding="utf-8"))
        if not chosen.kind or change.kind in chosen.kind
    ]
    drawn = list(changes)
    random.Random(chosen.seed).shuffle(drawn)
    drawn = drawn[: chosen.sample or None]
    if not chosen.known:
        _try(target, folder, drawn, chosen.seconds)
    results = folder / "results.jsonl"
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    noticed = {name: how for name, how, *_ in map(json.loads, lines)}
    tried = [change for change in drawn if change.name in noticed]
    refused = _refused_by_types(folder, [each for each in tried if not noticed[each.name]], chosen)
    mutants = [
        Mutant(
            target.name, each.module, each.kind, _described(folder, each), noticed[each.name],
            each.name in refused,
        )
        for each in tried
    ]  # fmt: skip
    return Counted(target.name, len(changes), tuple(mutants))


def _try(target: Target, folder: Path, changes: Sequence[Change], seconds: float) -> None:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    reach = _reach(target, folder, environment)
    asked = []
    for change in changes:
        at_load = reach["at_load"].get(change.module, [])
        lines = range(change.first, change.last + 1)
        change = replace(change, loaded=change.loaded or any(line in at_load for line in lines))
        tests = _tests_of(target, change, reach, seconds)
        took = sum(reach["seconds"][name] for name in tests)
        asked.append((change.name, change.module, change.make(), tests, took, change.loaded))
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    subprocess.run([sys.executable, str(SCRIPT), str(folder)], env=environment, check=True)


def _refused_by_types(
    folder: Path, living: Sequence[Change], chosen: argparse.Namespace
) -> set[str]:
    """Which changes that no test noticed the type checker refuses, as in ``make test``."""
    kept = folder / "types.json"
    known: dict[str, bool] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    fresh = [] if chosen.known else [each for each in living if each.name not in known]
    # A package that is refused as it is tells nothing.
    if fresh and _has_type_errors(folder):
        raise SystemExit("mypy: errors before anything was changed")
    for each in fresh:
        # In its place: of a "shadow file" of the same size mypy's cache sees no change.
        with changed_file(folder / each.module, each.make()):
            known[each.name] = _has_type_errors(folder)
        kept.write_text(json.dumps(known), encoding="utf-8")
    return {each.name for each in living if known.get(each.name)}


def _has_type_errors(folder: Path) -> bool:
    command = [sys.executable, "-m", "mypy", f"--cache-dir={folder / 'types'}", *TYPED]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode != 0


def _reach(target: Target, folder: Path, environment: dict[str, str]) -> dict[str, Any]:
    """Which tests reach which lines of all packages.

    Files of tests that were measured before, of this package or another, are not run again.
    """
    known: dict[str, Any] = {}
    kept = folder / "reach.json"
    if kept.exists():
        known = json.loads(kept.read_text(encoding="utf-8"))
    files = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for place in target.tests
        for path in _test_files(folder / place)
    }
    measured_before = known.get("files", {})
    new = [name for name, digest in files.items() if measured_before.get(name) != digest]
    if new:
        modules = [path.as_posix() for each in TARGETS for path in each.paths(folder)]
        measured = {"MUTATION_REACH": "fresh.json", "MUTATION_MODULES": json.dumps(modules)}
        plugins = ["-p", "no:cacheprovider", "-p", "benchmarks.mutation.session"]
        marked = ["-m", "not slow and not browser"]
        command = [sys.executable, "-m", "pytest", "-q", *plugins, *marked, *new]
        subprocess.run(
            command, cwd=folder, env=environment | measured, check=False, stdout=subprocess.DEVNULL
        )
        fresh = json.loads((folder / "fresh.json").read_text(encoding="utf-8"))
        still = {name for name in measured_before if name not in new and (folder / name).exists()}
        measured_now = {name: measured_before[name] for name in still} | files
        known = joined(known, fresh, still) | {"files": measured_now}
        kept.write_text(json.dumps(known), encoding="utf-8")
    return known


def _test_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("test_*.py"))


def joined(known: dict[str, Any], fresh: dict[str, Any], still: AbstractSet[str]) -> dict[str, Any]:
    """What is known of files of tests that are ``still`` the same, and what was measured of others.

    Lines that run while a module is loaded, and what is installed, are those of either.
    """

    def stays(name: str) -> bool:
        return name.partition("::")[0] in still

    seconds = {name: took for name, took in known.get("seconds", {}).items() if stays(name)}
    reached: dict[str, dict[str, list[str]]] = {}
    for lines in (known.get("reached", {}), fresh["reached"]):
        for module, by_line in lines.items():
            for line, names in by_line.items():
                kept = [name for name in names if lines is fresh["reached"] or stays(name)]
                reached.setdefault(module, {}).setdefault(line, []).extend(kept)
    loaded = known.get("at_load", {}), fresh["at_load"]
    at_load = {
        module: sorted({line for lines in loaded for line in lines.get(module, ())})
        for module in reached
    }
    installed = sorted({*known.get("installed", ()), *fresh["installed"]})
    return {
        "seconds": seconds | fresh["seconds"],
        "reached": reached,
        "at_load": at_load,
        "installed": installed,
    }


def _tests_of(target: Target, change: Change, reach: dict[str, Any], seconds: float) -> list[str]:
    """A package's tests that reach a change, of the module's own file first, then of quick files.

    What runs while a module is loaded, or in another process, is reached by no test of its own: for
    it all tests that reach the module, and those that lie beside it.
    """
    took: dict[str, float] = {
        name: took for name, took in reach["seconds"].items() if name.startswith(target.tests)
    }
    lines: dict[str, list[str]] = reach["reached"].get(change.module, {})
    at = [lines.get(str(line), []) for line in range(change.first, change.last + 1)]
    found = {name for names in at for name in names}
    beside = f"tests/{Path(change.module).parent.as_posix()}/"
    if change.loaded or not found:
        found |= {name for names in lines.values() for name in names}
        found |= {name for name in took if name.startswith(beside)}
    by_file: dict[str, list[str]] = {}
    for name in took:
        if name in found:
            by_file.setdefault(name.partition("::")[0], []).append(name)
    own = f"{beside}test_{Path(change.module).stem}.py"
    files = sorted(by_file, key=lambda file: (file != own, sum(map(took.get, by_file[file]))))  # type: ignore[arg-type]
    chosen: list[str] = []
    left = seconds
    for name in (name for file in files for name in by_file[file]):
        left -= took[name]
        if left >= 0 or not chosen:
            chosen.append(name)
    return chosen


def _described(folder: Path, change: Change) -> str:
    return describe((folder / change.module).read_text(encoding="utf-8"), change.make())


def _forget_what_lived(target: Target, folder: Path) -> None:
    """Take the tests as they are now, and drop what no test of the package noticed."""
    shutil.rmtree(folder / "tests")
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=_CACHES)
    results = folder / "results.jsonl"
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    own = {path.as_posix() for path in target.paths(folder)}
    kept = (
        line
        for line in lines
        if (found := json.loads(line))[1] or found[0].partition("#")[0] not in own
    )
    results.write_text("".join(kept), encoding="utf-8")


_CACHES = shutil.ignore_patterns("__pycache__")


def _copy(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=_CACHES)
        else:
            shutil.copy2(ROOT / name, folder / name)


if __name__ == "__main__":
    raise SystemExit(main())
