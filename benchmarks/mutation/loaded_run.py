"""Runs the tests of a room against changes of what runs while a module is loaded.

``python loaded_run.py FOLDER PLACE IMPORTS… -- TESTS…``: FOLDER is a copy of the project. Reads
``changes.json`` in PLACE, a list of [number, module, changed code], and adds a line to
``results.jsonl`` for each. pytest and the IMPORTS, which are none of the project, are imported
once; each change is loaded in a process of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import shutil
import sys
from pathlib import Path

import pytest

CPU_SECONDS = 120
UNCHANGED = ".unchanged"


def main(folder: Path, place: Path, tests: list[str], ready: list[str]) -> None:
    """Run all changes that have no result yet."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder))
    for name in ready:
        importlib.import_module(name)
    os.chdir(folder)
    results = place / "results.jsonl"
    results.touch()
    done = {json.loads(line)[0] for line in results.read_text(encoding="utf-8").splitlines()}
    asked = json.loads((place / "changes.json").read_text(encoding="utf-8"))
    if any(number not in done for number, *_ in asked) and _run(folder / "unchanged.py", tests):
        raise SystemExit("the tests fail without any change")
    for number, module, code in asked:
        if number in done:
            continue
        path = folder / module
        # A run that is broken off leaves this copy, from which the next one puts things right.
        unchanged = path.with_suffix(UNCHANGED)
        shutil.copy(path, unchanged)
        path.write_text(code, encoding="utf-8")
        try:
            outcome = _run(path, tests)
        finally:
            unchanged.replace(path)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps([number, outcome]) + "\n")


def _run(path: Path, tests: list[str]) -> int:
    pid = os.fork()
    if pid == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        os.environ["MUTATION_FIRST"] = f"test_{path.stem}.py"
        plugins = [
            "--tb=native",
            "--assert=plain",
            "-p",
            "no:cacheprovider",
            "-p",
            "benchmarks.mutation.one_session",
        ]
        code = 1
        try:
            code = int(pytest.main(["-x", "-q", *plugins, *tests]))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    split = sys.argv.index("--")
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[split + 1 :], sys.argv[3:split])
