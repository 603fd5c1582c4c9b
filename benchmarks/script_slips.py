"""How many planted slips the tests of the scripts notice.

    python -m benchmarks.script_slips --out benchmarks/script_slips.md

plants each slip of ``script_slips.toml`` by itself into a checkout of the last commit, runs what
``make test-web`` runs there, the quick tests first, and writes a row a slip. They were chosen
before the tests that were added beside them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.markdown_tables import provenance

ROOT = Path(__file__).parents[1]
SLIPS = Path(__file__).with_suffix(".toml")
STEPS = {
    "node": ("node_modules/.bin/mocha", "--bail", "--reporter", "dot"),
    "fingers": (".venv/bin/pytest", "-q", "-x", "--reruns", "0", "tests/browser/test_fingers.py"),
}
"""What is run, in this order, until something fails."""


@contextmanager
def _checkout() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "worktree", "add", "-q", "--detach", tree], cwd=ROOT, check=True)
        try:
            for name in ("node_modules", ".venv"):
                (tree / name).symlink_to((ROOT / name).resolve())
            yield tree
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


def planted(text: str, slip: dict[str, str]) -> str:
    """A script with a slip; ValueError where what the slip replaces is not there."""
    if slip["was"] not in text:
        raise ValueError(f"{slip['script']}: expected {slip['was']!r}, got none")
    return text.replace(slip["was"], slip["is"], 1)


def _noticed_by(tree: Path) -> str:
    """The step that fails, "" for none."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    for name, command in STEPS.items():
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False)
        if done.returncode:
            return name
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    slips = tomllib.loads(SLIPS.read_text(encoding="utf-8"))["slips"]
    rows = []
    with _checkout() as tree:
        if step := _noticed_by(tree):
            raise SystemExit(f"{step}: expected tests that pass without a slip, got a failure")
        for slip in slips:
            folder, name = slip["script"].split("/")
            path = tree / "companion" / "web" / folder / "static" / f"{name}.mjs"
            text = path.read_text(encoding="utf-8")
            path.write_text(planted(text, slip), encoding="utf-8")
            rows.append((slip, _noticed_by(tree) or "**nothing**"))
            path.write_text(text, encoding="utf-8")
            print(f"{slip['script']}: {slip['name']}: {rows[-1][1]}", flush=True)
    noticed = sum("*" not in by for _, by in rows)
    lines = [
        "# Slips planted into the scripts",
        "",
        f"`python -m benchmarks.script_slips`, {provenance()}: {noticed} of {len(rows)} noticed by "
        f"`make test-web`, {100 * noticed / len(rows):.0f} % (bar 85).",
        "",
        "| Script | Slip | Noticed by |",
        "| --- | --- | --- |",
        *(f"| `{slip['script']}` | {slip['name']} | {by} |" for slip, by in rows),
    ]
    given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
