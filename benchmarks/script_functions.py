"""Which functions of the scripts the stories in a real browser run.

    python -m benchmarks.script_functions --out benchmarks/script_functions.md [STORY …]

tells all stories, or those of the files that are named, counts in Chromium which functions of each
script were run by one at least, and writes a row a script with the names of those that were not.
``--from FOLDER`` tells none and adds up what lies there of stories that were told before, in parts,
with ``SCRIPT_FUNCTIONS=FOLDER``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from companion.web.shell.assets import FILES
from tests.browser.functions_run import ENVIRONMENT

ROOT = Path(__file__).parents[1]
Functions = dict[str, tuple[str, bool]]


def merged(folder: Path) -> dict[str, Functions]:
    """Functions by script and place, each with its name and whether any story ran it."""
    found: dict[str, Functions] = {}
    for path in sorted(folder.glob("*.json")):
        for script, functions in json.loads(path.read_text(encoding="utf-8")).items():
            known = found.setdefault(script, {})
            for place, (name, ran) in functions.items():
                known[place] = (name, ran or known.get(place, (name, False))[1])
    return found


def table_of(found: Mapping[str, Functions], stories: str, when: str) -> str:
    """The document; a script that no story loaded has no functions."""
    lines = [
        "# Functions of the scripts that stories run",
        "",
        f"`python -m benchmarks.script_functions`, {when}, {stories}. Named functions alone.",
        "",
        "| Script | Functions | Run | Not run |",
        "| --- | ---: | ---: | --- |",
    ]
    for script in sorted(each for each in FILES if each.endswith(".mjs")):
        functions = found.get(script, {})
        left = sorted({name for name, ran in functions.values() if not ran})
        ran = sum(ran for _, ran in functions.values())
        names = ", ".join(f"`{name}`" for name in left)
        title = script.removesuffix(".mjs").replace("/static", "")
        lines.append(f"| `{title}` | {len(functions) or 'not loaded'} | {ran} | {names} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("stories", nargs="*", metavar="STORY")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--from", dest="told", type=Path, metavar="FOLDER", help="add up only")
    given = parser.parse_args(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        if given.told is None:
            command = [sys.executable, "-m", "pytest", "-q", "-m", "browser", *given.stories]
            environment = {**os.environ, ENVIRONMENT: folder}
            failed = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        found = merged(given.told or Path(folder))
    stories = ", ".join(Path(each).stem for each in given.stories) or "all stories"
    given.out.write_text(table_of(found, stories, date.today().isoformat()), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
