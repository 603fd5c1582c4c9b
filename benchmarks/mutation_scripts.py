"""How many small changes of the scripts of the pages their tests notice, by Stryker.

    python -m benchmarks.mutation_scripts [MODULE …] --out benchmarks/mutation_scripts.md

makes each change that Stryker knows in each script (``kingdomino/kingdom``), or in all of them that
tests under node reach, runs these tests, and writes a row a script; rows of scripts that were not
asked for stay. Survivors stand below the table; those that change nothing that anybody sees are
named in ``mutation_scripts.toml`` with the reason, and count as what they are: not noticed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WEB = ROOT / "companion" / "web"
REASONS = Path(__file__).with_suffix(".toml")
REPORT = ROOT / "reports" / "mutation.json"
MODELS = frozenset(
    {
        "domino_duell/model",
        "kingdomino/geometry",
        "kingdomino/history",
        "kingdomino/kingdom",
        "kingdomino/messages",
        "pip_dominoes/model",
        "shell/wire",
    }
)
"""Models and the wire: at least nine tenths noticed; everywhere else four fifths."""
TESTS = {
    "domino_duell": ("duel",),
    "kingdomino": ("board", "drawing"),
    "kingdomino/geometry": ("drawing",),
    "kingdomino/history": ("history",),
    "kingdomino/kingdom": ("kingdom",),
    "kingdomino/messages": ("kingdom",),
    "kingdomino/sheets": ("drawing",),
    "pip_dominoes": ("hand",),
    "shell/bridge": ("bridge",),
    "shell/camera": ("camera",),
    "shell/copies": ("phone",),
    "shell/fingers": ("fingers",),
    "shell/kept": ("kept",),
    "shell/markup": ("surface",),
    "shell/offline": ("offline",),
    "shell/page": ("start",),
    "shell/phone": ("phone",),
    "shell/photos": ("photos",),
    "shell/surface": ("surface",),
    "shell/window": ("fingers",),
    "shell/wire": ("wire",),
    "shell/worker": ("kept",),
}
"""The tests of a script, or of a folder of them, by the names of their files."""


@dataclass(frozen=True)
class Row:
    """One script: how many changes were tried and noticed, and the others as text."""

    module: str
    tried: int
    noticed: int
    left: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.noticed / self.tried if self.tried else 1.0

    @property
    def bar(self) -> float:
        return 0.9 if self.module in MODELS else 0.8


def modules() -> list[str]:
    """All scripts that tests under node reach, as ``folder/name``."""
    paths = sorted(WEB.glob("*/static/*.mjs"))
    found = [f"{path.parts[-3]}/{path.stem}" for path in paths]
    return [each for each in found if each in TESTS or each.partition("/")[0] in TESTS]


def measured(module: str) -> Row:
    """Run Stryker on one script; RuntimeError with what it printed where it fails."""
    folder, name = module.split("/")
    tests = TESTS.get(module) or TESTS[folder]
    path = f"companion/web/{folder}/static/{name}.mjs"
    npx = shutil.which("npx")
    if npx is None:
        raise RuntimeError("npx: expected node and npm on the path, got none")
    REPORT.unlink(missing_ok=True)
    done = subprocess.run(
        [npx, "stryker", "run", "--mutate", path],
        cwd=ROOT,
        env={**os.environ, "SPECS": " ".join(f"tests/web/{each}.test.mjs" for each in tests)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if not REPORT.exists():
        raise RuntimeError(f"{module}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return row_of(module, json.loads(REPORT.read_text(encoding="utf-8")))


def row_of(module: str, report: dict[str, Any]) -> Row:
    """The row of a report of Stryker on one script."""
    (file,) = report["files"].values()
    counts = Counter(each["status"] for each in file["mutants"])
    noticed = counts["Killed"] + counts["Timeout"]
    lines = file["source"].split("\n")
    left = [
        _text(lines, each)
        for each in file["mutants"]
        if each["status"] in ("Survived", "NoCoverage")
    ]
    return Row(module, noticed + len(left), noticed, tuple(left))


def _text(lines: Sequence[str], mutant: dict[str, Any]) -> str:
    start, end = mutant["location"]["start"], mutant["location"]["end"]
    one = start["line"] == end["line"]
    text = lines[start["line"] - 1][start["column"] - 1 : end["column"] - 1 if one else None]
    more = "" if one else " …"
    changed = " ".join(str(mutant.get("replacement", "")).split())
    return f"{text[:90]}{more} → {changed[:60]}".replace("|", "\\|").replace("`", "'")


def table_of(rows: Iterable[Row], reasons: dict[tuple[str, str], str], when: str) -> str:
    """The document."""
    found = sorted(rows, key=lambda each: each.module)
    lines = [
        "# Changes of the scripts that their tests notice",
        "",
        f"`python -m benchmarks.mutation_scripts`, {when}. Models and the wire are to notice 90 %,",
        "all others 80 %.",
        "",
        "| Script | Changes | Noticed | Share |",
        "| --- | ---: | ---: | ---: |",
    ]
    for row in found:
        mark = "" if row.share >= row.bar else " (below)"
        lines.append(
            f"| `{row.module}` | {row.tried} | {row.noticed} | {100 * row.share:.1f} %{mark} |"
        )
    tried, noticed = sum(row.tried for row in found), sum(row.noticed for row in found)
    lines.append(f"| all | {tried} | {noticed} | {100 * noticed / max(1, tried):.1f} % |")
    lines += ["", "## Not noticed", ""]
    for row in found:
        lines += [f"### {row.module}", ""] if row.left else []
        for text, count in sorted(Counter(row.left).items()):
            reason = reasons.get((row.module, text))
            times = f" ({count} times)" if count > 1 else ""
            lines.append(f"- `{text}`{times}" + (f": {reason}" if reason else ""))
        lines += [""] if row.left else []
    return "\n".join(lines).rstrip() + "\n"


_ROW = re.compile(r"^\| `([a-z_]+/[a-z_]+)` \| (\d+) \| (\d+) \|", re.MULTILINE)


def rows_in(text: str) -> Iterator[Row]:
    """The rows of a document, with what was not noticed."""
    parts = dict(re.findall(r"^### (\S+)\n\n((?:- .*\n?)*)", text, re.MULTILINE))
    for module, tried, noticed in _ROW.findall(text):
        left: list[str] = []
        for line in parts.get(module, "").splitlines():
            if found := re.match(r"- `(.*?)`(?: \((\d+) times\))?(?:: .*)?$", line):
                left += [found[1]] * int(found[2] or 1)
        yield Row(module, int(tried), int(noticed), tuple(left))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    known = modules()
    if unknown := set(given.modules) - set(known):
        parser.error(f"expected scripts such as {known[0]}, got {', '.join(sorted(unknown))}")
    reasons = {
        (each["module"], each["change"]): each["why"]
        for each in tomllib.loads(REASONS.read_text(encoding="utf-8")).get("same", [])
    }
    rows = {}
    if given.out.exists():
        old = rows_in(given.out.read_text(encoding="utf-8"))
        rows = {row.module: row for row in old if row.module in known}
    for module in given.modules or known:
        rows[module] = row = measured(module)
        print(f"{module}: {row.noticed} of {row.tried}, {100 * row.share:.1f} %", flush=True)
        text = table_of(rows.values(), reasons, date.today().isoformat())
        given.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
