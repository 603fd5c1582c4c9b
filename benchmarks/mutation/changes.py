"""The changes of a mutation test: in functions by mutmut, and in what runs while a module is
loaded.
"""

from __future__ import annotations

import ast
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import libcst as cst
from mutmut.mutation.mutators import mutation_operators

from benchmarks.mutation.targets import Mutant, Target

__all__ = [
    "describe",
    "draw",
    "functions_run_when_loaded",
    "loaded_changes",
    "run_functions",
    "settings_changes",
]

_LEFT_ALONE = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator)
_NEVER_CHANGED_CALLS = ("len", "isinstance")
_CHANGED_BY_MUTMUT = ("classmethod", "staticmethod")


def loaded_changes(code: str) -> list[Callable[[], str]]:
    """The changes of a module, each called to give its changed code."""
    module = cst.parse_module(code)

    def change(before: cst.CSTNode, after: cst.CSTNode) -> str:
        changed = module.deep_replace(before, after)
        assert isinstance(changed, cst.Module)
        return changed.code

    pairs = _variants_of(module, functions_run_when_loaded(module))
    return [partial(change, before, after) for before, after in pairs]


def functions_run_when_loaded(module: cst.Module) -> frozenset[str]:
    """Names of the module's functions that its own top level calls."""
    functions = {node.name.value for node in module.body if isinstance(node, cst.FunctionDef)}
    called: set[str] = set()

    class Calls(cst.CSTVisitor):
        def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
            return False

        def visit_Call(self, node: cst.Call) -> None:
            if isinstance(node.func, cst.Name):
                called.add(node.func.value)

    module.visit(Calls())
    return frozenset(functions & called)


def _variants_of(
    node: cst.CSTNode, loaded: frozenset[str]
) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    if _is_left_alone(node, loaded):
        return
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            for changed in operator(node):
                yield node, changed
    for child in node.children:
        yield from _variants_of(child, loaded)


def _is_left_alone(node: cst.CSTNode, loaded: frozenset[str]) -> bool:
    if isinstance(node, _LEFT_ALONE):
        return True
    if isinstance(node, cst.FunctionDef):
        if node.name.value in loaded:
            return False
        names = [
            each.decorator.value for each in node.decorators if isinstance(each.decorator, cst.Name)
        ]
        return not node.decorators or (
            len(node.decorators) == 1 and names[:1] != [] and names[0] in _CHANGED_BY_MUTMUT
        )
    if isinstance(node, cst.Assign):
        target = node.targets[0].target
        name = target.value if isinstance(target, cst.Name) else ""
        is_alias = (
            isinstance(node.value, (cst.Subscript, cst.BinaryOperation)) and not name.isupper()
        )
        return name == "__all__" or (name[:1].isupper() and is_alias)
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value in _NEVER_CHANGED_CALLS
    )


def settings_changes(code: str) -> list[Callable[[], str]]:
    """The defaults of settings changed a little: by one, by a twentieth, or to the opposite."""
    lines = code.splitlines(keepends=True)

    def change(value: ast.Constant, other: str) -> str:
        at, start, end = value.lineno - 1, value.col_offset, value.end_col_offset
        changed = lines[at][:start] + other + lines[at][end:]
        return "".join([*lines[:at], changed, *lines[at + 1 :]])

    return [
        partial(change, field.value, other)
        for cls in ast.walk(ast.parse(code))
        if isinstance(cls, ast.ClassDef) and cls.name.endswith("Settings")
        for field in cls.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Constant)
        for other in _near(field.value.value)
    ]


def _near(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return (str(not value),)
    if isinstance(value, int):
        return (str(value + 1), str(value - 1))
    return (repr(value * 1.05), repr(value * 0.95)) if isinstance(value, float) else ()


def describe(before: str, after: str) -> str:
    """What differs between two versions of a module, before and after."""
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return " → ".join(" ".join(" ".join(lines).split()) for lines in (old, new))


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
also_copy = ["benchmarks", "companion", "docs", "models", "sample_images", "training"]
"""


def run_functions(
    room: Target,
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
    changes = _changed_lines(folder, sorted(living))
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


def _generate(room: Target, folder: Path) -> None:
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


def _changed_lines(folder: Path, names: Sequence[str]) -> dict[str, str]:
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
