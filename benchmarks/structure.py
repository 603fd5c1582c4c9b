"""Measure the structure of the code: ``python -m benchmarks.structure [--keep OUT.md]``.

Modules, lines and their median by package; imports that run upward and circles; the modules and
steps on the way of a photograph and of a tap; settings of the Kingdomino reader; lines that stand
twice; what a wheel holds; how long commands take to start. ``--root`` measures another checkout,
with the Python at hand.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import statistics
import subprocess
import sys
import time
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.markdown_tables import markdown, provenance, show

ROOT = Path(__file__).parents[1]
PRODUCT = ("scorer", "vision", "companion")
ORDER = ("scorer", "vision", "companion", "training", "benchmarks")
MAY_IMPORT = {
    "scorer": {"scorer"},
    "vision": {"scorer", "vision"},
    "companion": {"scorer", "vision", "companion"},
    "training": {"scorer", "vision", "training"},
    "benchmarks": {"scorer", "vision", "companion", "training", "benchmarks", "tests", "deploy"},
}
WITHIN_COMPANION = ("languages", "store", "reading", "games", "web", "cli")
"""The packages of the companion from the bottom to the top; the last two know nothing of each
other but for the command that starts the app."""
COPY_LINES = 6
NOT_PRODUCT = ("synthesis", "training", "evaluate")
"""Folders that are no part of the product where they still lie within it."""


@dataclass(frozen=True)
class Module:
    """A module: its path below the root, its lines, and what it imports of the project.

    ``imports`` are dotted names as written, those that only type checkers follow left out.
    """

    path: Path
    text: str
    imports: frozenset[str]

    @property
    def lines(self) -> int:
        """Its lines, blank ones included."""
        return self.text.count("\n")

    @property
    def package(self) -> str:
        """The folder that holds it, dotted."""
        return ".".join(self.path.parts[:-1])

    @property
    def name(self) -> str:
        """Its dotted name."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def statements(tree: ast.AST, *, for_types: bool = True) -> Iterator[ast.AST]:
    """All statements, those in others included; what type checkers alone run only on request."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(tree, name, ()):
            of_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            if for_types or not of_types:
                yield node
                yield from statements(node, for_types=for_types)


def _imports(tree: ast.AST) -> Iterator[str]:
    """What runs an import, functions included: every name, and each of its attributes."""
    for node in statements(tree, for_types=False):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules_of(root: Path, tops: Sequence[str]) -> list[Module]:
    """The modules below the folders ``tops`` of a checkout, in order of their paths."""
    found = []
    for top in tops:
        for path in sorted((root / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            names = frozenset(_imports(ast.parse(text)))
            found.append(Module(path.relative_to(root), text, names))
    return found


def _edges(modules: Sequence[Module]) -> dict[str, set[str]]:
    """By module, the modules that it imports; a package only where nothing in it is named."""
    known = {module.name for module in modules}
    edges = {}
    for module in modules:
        named = {name for name in module.imports if name in known}
        edges[module.name] = {
            name
            for name in named
            if name != module.name and not any(other.startswith(f"{name}.") for other in named)
        }
    return edges


def upward(modules: Sequence[Module]) -> list[str]:
    """The imports that run against the order of the packages, one "importer -> imported" each."""
    found = []
    for source, targets in _edges(modules).items():
        top = source.split(".")[0]
        for target in targets:
            below = target.split(".")
            if below[0] not in MAY_IMPORT.get(top, {below[0]}):
                found.append(f"{source} -> {target}")
            elif top == below[0] == "companion" and len(below) > 1:
                rank = {name: k for k, name in enumerate(WITHIN_COMPANION)}
                mine = rank.get((source.split(".") + [""])[1], len(rank))
                if rank.get(below[1], -1) > mine:
                    found.append(f"{source} -> {target}")
    return sorted(found)


def circles(modules: Sequence[Module]) -> list[list[str]]:
    """Groups of modules that import each other in a circle (strongly connected, Tarjan 1972)."""
    edges = _edges(modules)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in edges[name]:
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))
    try:
        for name in edges:
            if name not in index:
                visit(name)
    finally:
        sys.setrecursionlimit(limit)
    return sorted(found)


def _code_lines(module: Module) -> list[tuple[int, str]]:
    """The numbered lines that can stand twice: no imports, no exports, no blank lines."""
    tree = ast.parse(module.text)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and "__all__" not in ast.unparse(node.targets[0]):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assign):
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = module.text.splitlines()
    return [
        (k, line.strip()) for k, line in enumerate(lines, 1) if line.strip() and k not in skipped
    ]


def copies(modules: Sequence[Module], length: int = COPY_LINES) -> list[tuple[str, str]]:
    """Pairs of places, "path:line", from which at least ``length`` lines of code are the same."""
    seen: dict[tuple[str, ...], tuple[str, int]] = {}
    found = []
    for module in modules:
        lines = _code_lines(module)
        last: tuple[str, int] | None = None
        for start in range(len(lines) - length + 1):
            window = tuple(text for _, text in lines[start : start + length])
            first = seen.get(window)
            if first is None:
                seen[window] = (str(module.path), start)
                last = None
                continue
            # A longer copy is one pair, not one for each of its lines.
            if last != (first[0], first[1] - 1):
                found.append((f"{first[0]}:{first[1] + 1}", f"{module.path}:{lines[start][0]}"))
            last = first
    return found


def settings_of_reader(root: Path) -> int:
    """The fields with defaults, but for groups of them, of the Kingdomino reader's settings."""
    folder = root / "vision" / "kingdomino"
    return sum(
        isinstance(field, ast.AnnAssign)
        and field.value is not None
        and not ast.unparse(field.value).startswith("field(")
        for path in folder.rglob("*.py")
        if not set(path.relative_to(folder).parts) & set(NOT_PRODUCT)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name.endswith("Settings")
        for field in node.body
    )


def wheel_of(root: Path) -> tuple[int, int]:
    """How many modules a wheel holds, and about how many bytes it has, compressed."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    names = [*wheel["packages"], *wheel.get("force-include", {})]
    files = []
    for name in names:
        path = root / name
        files += [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    files = [each for each in files if "__pycache__" not in each.parts]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in files:
            archive.write(each, each.relative_to(root))
    return sum(each.suffix == ".py" for each in files), len(packed.getvalue())


_WAY = """
import sys, threading
from pathlib import Path
root = Path.cwd()
entered, steps, where = {}, 0, None
def note(frame, event, _):
    global steps, where
    if event != "call" or frame.f_code.co_name == "<module>":
        return
    path = Path(frame.f_code.co_filename)
    tops = [root / top for top in ("scorer", "vision", "companion")]
    if any(path.is_relative_to(top) for top in tops):
        here = path.relative_to(root).as_posix()
        steps += here != where
        where = here
        entered[here] = None
%s
work()
threading.setprofile(note); sys.setprofile(note)
work()
sys.setprofile(None)
print(len(entered), steps)
"""
PHOTO = """
from scorer.kingdomino import score
from vision import Reader
reader = Reader()
def work():
    score(reader.read(root / "sample_images" / "castle-standing.jpg").kingdoms[0].kingdom)
"""


def way_of(root: Path, prepared: str) -> tuple[int, int]:
    """The modules that ``work`` of a prepared program passes, and how often it enters another."""
    done = _python(root, "-c", _WAY % prepared)
    modules, steps = done.split()[-2:]
    return int(modules), int(steps)


COMMANDS: Mapping[str, Sequence[str]] = {
    "`kingdomino --help`": ("-c", "from companion.cli.{kingdomino} import main; main(['--help'])"),
    "`kingdomino score`": (
        "-c", "from companion.cli.{kingdomino} import main; main(['score', 'w w f/f1 c f/w l1 f'])",
    ),
    "`dominoes score`": (
        "-c",
        "from companion.cli.{dominoes} import main;"
        "main(['score', 'mexican-train', '12|12: Anna = 10|11 0|0; Ben = -'])",
    ),
    "`kingdomino read` of a sample": (
        "-c",
        "from companion.cli.{kingdomino} import main;"
        "main(['read', 'sample_images/castle-standing.jpg'])",
    ),
    "`import vision`": ("-c", "import vision"),
}  # fmt: skip


def _python(root: Path, *args: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, *args], cwd=root, env=environment, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.stdout


def start_of(root: Path, args: Sequence[str], runs: int) -> float:
    """The quickest start of a command in milliseconds by the clock, of ``runs``."""
    inside = root / "companion" / "cli" / "kingdomino.py"
    names = {
        name: name if inside.is_file() else f"{name}.command" for name in ("kingdomino", "dominoes")
    }
    command = [arg.format(**names) if "{" in arg else arg for arg in args]
    took = []
    for _ in range(runs):
        begun = time.perf_counter()
        _python(root, *command)
        took.append(time.perf_counter() - begun)
    return 1000 * min(took)


def _is_product(module: Module) -> bool:
    return module.path.parts[0] in PRODUCT and not set(module.path.parts) & set(NOT_PRODUCT)


def report(root: Path, runs: int) -> str:
    """All measures of a checkout as Markdown."""
    modules = modules_of(root, [top for top in ORDER if (root / top).is_dir()])
    product = [module for module in modules if _is_product(module)]
    by_package: dict[str, list[int]] = defaultdict(list)
    for module in modules:
        by_package[module.package].append(module.lines)
    rows = [
        (f"`{name}`", len(lines), sum(lines), round(statistics.median(lines)))
        for name, lines in by_package.items()
    ]
    lines = [module.lines for module in product]
    against, around, double = upward(modules), circles(product), copies(product)
    wheel_modules, wheel_bytes = wheel_of(root)
    photo_modules, photo_steps = way_of(root, PHOTO)
    figures = [
        ("modules of the product", len(product)),
        ("lines of the product", sum(lines)),
        ("median lines of a module", round(statistics.median(lines))),
        ("imports upward", len(against)),
        ("circles of modules", len(around)),
        (f"copies of {COPY_LINES} lines or more in the product", len(double)),
        ("modules that a photograph passes", photo_modules),
        ("steps between them", photo_steps),
        ("settings of the Kingdomino reader", settings_of_reader(root)),
        ("modules in the wheel", wheel_modules),
        ("megabytes of the wheel", f"{wheel_bytes / 1e6:.2f}"),
    ]
    starts = [
        (name, f"{start_of(root, args, runs):.0f}") for name, args in COMMANDS.items() if runs
    ]
    parts = [
        markdown(("measure", "figure"), figures),
        markdown(("command", f"ms from start to end, best of {runs}"), starts),
        markdown(("package", "modules", "lines", "median"), rows),
    ]
    for title, found in (
        ("Imports upward", against),
        ("Circles", [", ".join(group) for group in around]),
        ("Copies", [" and ".join(pair) for pair in double]),
    ):
        if found:
            parts.append(f"{title}:\n\n" + "\n".join(f"- {line}" for line in found) + "\n")
    return "\n".join(parts)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the measures, and keep them if a file is given."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.structure", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout to measure")
    parser.add_argument("--runs", type=int, default=7, help="starts of each command")
    parser.add_argument("--keep", type=Path, help="write the report to this file as well")
    chosen = parser.parse_args(argv)
    text = f"# The structure of the code\n\n{provenance()}.\n\n"
    show(text + report(chosen.root.resolve(), chosen.runs), chosen.keep)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
