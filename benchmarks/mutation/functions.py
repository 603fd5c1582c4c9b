"""Changes inside functions: mutmut makes them, ``one_session`` runs the tests against each."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
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
_CONFIG = """
[tool.mutmut]
source_paths = ["scorer", "vision"]
only_mutate = {modules}
also_copy = ["benchmarks", "companion", "docs", "models", "sample_images"]
"""


def run_functions(
    room: Room, folder: Path, sample: int | None, seed: int, seconds: float | None = None
) -> tuple[list[Mutant], int]:
    """Run the tests of a room against its mutants or a sample: these, and how many there are.

    ``folder`` holds a copy of the project and keeps the results, so that a run can be gone on with.
    """
    _generate(room, folder)
    names = _names(folder)
    chosen = draw(names, sample, seed)
    (folder / "asked.json").write_text(json.dumps(chosen), encoding="utf-8")
    (folder / "results.jsonl").touch()
    environment = {**os.environ, "PYTHONPATH": str(folder), "MUTATION_FOLDER": str(folder)}
    plugins = [
        "--tb=native",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "-p",
        "benchmarks.mutation.one_session",
    ]
    if seconds is not None:
        environment["MUTATION_SECONDS"] = str(seconds)
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir=.", *plugins, *room.tests]
    subprocess.run(command, cwd=folder / "mutants", env=environment, check=True)
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    codes = dict(json.loads(line) for line in lines)
    one_of_ours = {name: _module(folder, name) for name in chosen}
    mutants = []
    for name in chosen:
        # 0: all tests pass; -1: none reaches the function.
        lives = codes[name] in (0, -1)
        change = _change(folder, name) if lives else ""
        mutants.append(Mutant(room.name, one_of_ours[name], "function", change, not lives))
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


def _change(folder: Path, name: str) -> str:
    """The changed lines of a mutant, before and after."""
    command = [str(Path(sys.executable).with_name("mutmut")), "show", name]
    shown = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if re.match(r"[-+](?![-+])", line)]
    before = [line[1:].strip() for line in lines if line.startswith("-")]
    after = [line[1:].strip() for line in lines if line.startswith("+")]
    return " → ".join(re.sub(r"\s+", " ", " ".join(part)) for part in (before, after))
