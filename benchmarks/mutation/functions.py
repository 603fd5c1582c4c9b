"""Changes inside functions: mutmut makes them, ``one_session`` runs the tests against each."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import libcst as cst

from benchmarks.mutation.loaded import functions_run_when_loaded
from benchmarks.mutation.rooms import Mutant, Room

__all__ = ["draw", "run_functions"]

_Some = TypeVar("_Some")

_GENERATE = """
import os, sys
from mutmut import __main__ as made
made.set_mutant_under_test("mutant_generation")
os.makedirs("mutants", exist_ok=True)
made.copy_src_dir(), made.copy_also_copy_files(), made.setup_source_paths()
made.create_mutants(1)
"""
_SHOW = """
import json, sys
from mutmut.mutation.diff_apply import find_mutant, get_diff_for_mutant
names = json.load(sys.stdin)
print(json.dumps({n: get_diff_for_mutant(n, path=find_mutant(n).path) for n in names}))
"""
_CONFIG = """
[tool.mutmut]
source_paths = ["scorer", "vision"]
only_mutate = {modules}
also_copy = ["benchmarks", "companion", "docs", "models", "sample_images"]
"""


def run_functions(
    room: Room,
    folder: Path,
    sample: int | None,
    seed: int,
    seconds: float | None = None,
    known: bool = False,
) -> tuple[list[Mutant], int]:
    """Run the tests of a room against its mutants or a sample: these, and how many there are.

    ``folder`` holds a copy of the project and keeps the results, so that a run can be gone on with.
    With ``known`` nothing is run: the sample is as large as all of it is known already.
    """
    _generate(room, folder)
    names = _names(folder)
    chosen = draw(names, sample, seed)
    results = folder / "results.jsonl"
    results.touch()
    if not known:
        (folder / "asked.json").write_text(json.dumps(chosen), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(folder), "MUTATION_FOLDER": str(folder)}
        if seconds is not None:
            environment["MUTATION_SECONDS"] = str(seconds)
        plugins = ["-p", "no:cacheprovider", "-p", "benchmarks.mutation.one_session"]
        options = ["-q", "--rootdir=.", "--tb=native", "--assert=plain", *plugins]
        command = [sys.executable, "-m", "pytest", *options, *room.tests]
        subprocess.run(command, cwd=folder / "mutants", env=environment, check=True)
    codes = dict(json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    tried = list(takewhile(codes.__contains__, chosen))
    # 0: all tests pass; -1: none reaches the function.
    living = {name for name in tried if codes[name] in (0, -1)}
    changes = _changes(folder, sorted(living))
    mutants = [
        Mutant(
            room.name,
            _module(folder, name),
            "function",
            changes.get(name, ""),
            name not in living,
        )
        for name in tried
    ]
    return mutants, len(names)


def draw(names: Sequence[_Some], number: int | None, seed: int) -> list[_Some]:
    """So many drawn at random, or all; with the same seed fewer are the first of more."""
    shuffled = list(names)
    random.Random(seed).shuffle(shuffled)
    return shuffled[:number]


def _generate(room: Room, folder: Path) -> None:
    if (folder / "mutants").exists():
        return
    modules = [path.as_posix() for path in room.paths(folder)]
    project = (folder / "pyproject.toml").read_text(encoding="utf-8").split("[tool.mutmut]")[0]
    (folder / "pyproject.toml").write_text(
        project + _CONFIG.format(modules=json.dumps(modules)), encoding="utf-8"
    )
    subprocess.run(
        [sys.executable, "-c", _GENERATE], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )


def _names(folder: Path) -> list[str]:
    """Every mutant but those of functions that run while their module is loaded."""
    names = []
    for record in sorted((folder / "mutants").rglob("*.py.meta")):
        module = record.relative_to(folder / "mutants").as_posix().removesuffix(".meta")
        code = (folder / module).read_text(encoding="utf-8")
        loaded = functions_run_when_loaded(cst.parse_module(code))
        keys = json.loads(record.read_text(encoding="utf-8"))["exit_code_by_key"]
        for key in keys:
            function = re.sub(r"__mutmut_\d+$", "", key.rpartition(".")[2]).removeprefix("x_")
            if function not in loaded:
                names.append(key)
    return names


def _module(folder: Path, name: str) -> str:
    parts = name.rpartition(".")[0].split(".")
    path = Path(*parts).with_suffix(".py")
    return path.as_posix() if (folder / path).exists() else Path(*parts, "__init__.py").as_posix()


def _changes(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """The changed lines of mutants, before and after."""
    shown = subprocess.run(
        [sys.executable, "-c", _SHOW],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        input=json.dumps(list(names)),
    ).stdout
    changes = {}
    for name, difference in json.loads(shown.splitlines()[-1]).items():
        lines = [line for line in difference.splitlines() if re.match(r"[-+](?![-+])", line)]
        parts = ([line[1:] for line in lines if line.startswith(sign)] for sign in "-+")
        changes[name] = " → ".join(" ".join(" ".join(part).split()) for part in parts)
    return changes
