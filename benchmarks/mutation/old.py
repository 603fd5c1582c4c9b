"""Mutation test of rules and judgement: ``python -m benchmarks.mutation [--keep FILE.md]``.

mutmut makes one change at a time in a copy of the project, in every function of the rooms named in
pyproject.toml, and runs the tests that reach it. The defaults of the settings, which mutmut leaves
alone, are changed here one by one. Each surviving mutant is listed, with the reason if it is
harmless. Needs the extra "dev"; the whole run takes an hour or two.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vision.kingdomino.evaluate.markdown_tables import markdown, provenance, show

ROOT = Path(__file__).parents[1]
COPIED = ("benchmarks", "companion", "docs", "models", "pyproject.toml", "sample_images", "scorer",
          "tests", "vision")  # fmt: skip
SURVIVED, NO_TESTS = 0, 33
SETTINGS = {
    "vision/kingdomino/choose.py": "tests/vision/kingdomino/test_choose.py",
    "vision/kingdomino/judgement.py": "tests/vision/kingdomino/test_judgement.py",
    "vision/kingdomino/settle/program.py": "tests/vision/kingdomino/settle",
}
REASONS = (
    (r"strict=", "the lengths are equal by construction; strict only says so"),
    (r"quick_probability", "only how soon an answer is found; it is proven against all labels"),
    (r"time_limit|deadline|monotonic|until|_LIMIT", "a limit of time, not an outcome"),
    (r"astype|np\.asarray|float\(|dtype", "the values are of that type already"),
    (r"XX", "the wording of an exception or a key that nothing else reads"),
)
# Functions of these modules are called while they are imported, and never again.
RUN_WHEN_LOADED = ("scorer/kingdomino/dominoes.py",)


@dataclass(frozen=True)
class Mutant:
    """A mutant: its module, whether a test failed on it, and the change."""

    module: str
    killed: bool
    change: str = ""

    @property
    def reason(self) -> str:
        """Why it may live, as far as its module or the kind of its change tells."""
        if self.module in RUN_WHEN_LOADED:
            return "runs when the module is loaded, before mutmut changes it; its table is pinned"
        found = [why for pattern, why in REASONS if re.search(pattern, self.change)]
        return found[0] if found else ""


def _copy(folder: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)


def _mutants(folder: Path, names: Sequence[str], jobs: int) -> list[Mutant]:
    """Run mutmut in the copy; its mutants."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", str(jobs)]
    subprocess.run([*command, *names], cwd=folder, check=False, stdout=subprocess.DEVNULL)
    mutants = []
    for record in sorted((folder / "mutants").rglob("*.py.meta")):
        module = record.relative_to(folder / "mutants").as_posix().removesuffix(".meta")
        codes = json.loads(record.read_text(encoding="utf-8"))["exit_code_by_key"]
        for key, code in codes.items():
            if code is not None:
                lives = code in (SURVIVED, NO_TESTS)
                mutants.append(Mutant(module, not lives, _change(folder, key) if lives else ""))
    return mutants


def _change(folder: Path, key: str) -> str:
    """The changed lines of a mutant, before and after."""
    command = [str(Path(sys.executable).with_name("mutmut")), "show", key]
    shown = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True).stdout
    lines = [line for line in shown.splitlines() if re.match(r"[-+](?![-+])", line)]
    return " → ".join(re.sub(r"\s+", " ", line[1:]).strip() for line in lines)


def _defaults(path: Path) -> Iterator[tuple[ast.Constant, str, str]]:
    """The default of each number or flag in the settings of a module, with another value."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for cls in ast.walk(tree):
        if not (isinstance(cls, ast.ClassDef) and cls.name.endswith("Settings")):
            continue
        for field in cls.body:
            if not (isinstance(field, ast.AnnAssign) and isinstance(field.value, ast.Constant)):
                continue
            value = field.value.value
            name = ast.unparse(field.target)
            if isinstance(value, bool):
                yield field.value, name, str(not value)
            elif isinstance(value, int):
                yield field.value, name, str(value + 1)
                yield field.value, name, str(value - 1)
            elif isinstance(value, float):
                yield field.value, name, repr(value * 1.05)
                yield field.value, name, repr(value * 0.95)


def _settings_mutants(folder: Path) -> list[Mutant]:
    """Change each default of the settings: by one, by a twentieth, or to the opposite."""
    mutants = []
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    for module, tests in SETTINGS.items():
        path = folder / module
        before = path.read_text(encoding="utf-8")
        for constant, name, other in _defaults(path):
            lines = before.splitlines(keepends=True)
            line = lines[constant.lineno - 1]
            start, end = constant.col_offset, constant.end_col_offset
            lines[constant.lineno - 1] = line[:start] + other + line[end:]
            path.write_text("".join(lines), encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
            done = subprocess.run(
                command, cwd=folder, env=environment, check=False, capture_output=True
            )
            change = f"{name} = {line[start:end]} → {other}"
            mutants.append(Mutant(f"{module}, settings", done.returncode != 0, change))
        path.write_text(before, encoding="utf-8")
    return mutants


def report(mutants: Sequence[Mutant]) -> str:
    """The tables: by module, and every survivor with its reason."""
    rows = []
    for module in [*dict.fromkeys(each.module for each in mutants), "**all**"]:
        mine = [each for each in mutants if each.module == module or module == "**all**"]
        killed = sum(each.killed for each in mine)
        rows.append((module, len(mine), killed, f"{100 * killed / len(mine):.1f} %"))
    survivors = [
        (each.module, f"`{each.change.replace('|', chr(92) + '|')}`", each.reason)
        for each in mutants
        if not each.killed
    ]
    return (
        f"# What breaks unnoticed\n\n{provenance()}.\n\n"
        + markdown(("module", "changes", "noticed", "share"), rows)
        + "\n## Not noticed\n\n"
        + markdown(("module", "change", "why it may live"), survivors)
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run both kinds of changes and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="mutants to run, as mutmut names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without-settings", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FILE.md")
    chosen = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _copy(folder)
        mutants = _mutants(folder, chosen.only, chosen.jobs)
        if not chosen.without_settings:
            mutants += _settings_mutants(folder)
        show(report(mutants), chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
