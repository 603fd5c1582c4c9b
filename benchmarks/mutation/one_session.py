"""pytest plugin: tests are collected once and run against each mutant in a process of its own.

Collecting takes longer than most tests, so this makes a room of thousands of mutants affordable.
``MUTATION_FOLDER`` holds ``asked.json``, the names of mutants as mutmut gives them, and gets
``results.jsonl`` with a line for each. Property tests run with few examples, and quick tests first.
A mutant that takes far more processor time than the tests do is noticed, too; waiting is never
counted, so that a busy machine makes no difference. Linux and macOS only, like mutmut.
The tests of the module's own file come first, then the quickest; ``MUTATION_SECONDS`` leaves out
the last of them: what lives then is at most too much.
"""

from __future__ import annotations

import json
import math
import os
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

FEW_EXAMPLES = 12
NO_TESTS = -1
MEMORY_BYTES = 4 << 30


def _function(item: Any) -> Any:
    return getattr(item.obj, "__func__", item.obj)


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Few examples of each property, none made smaller, and properties after plain tests."""
    phases = (Phase.explicit, Phase.generate)
    for item in items:
        function = _function(item)
        if hasattr(function, "hypothesis"):
            name = "_hypothesis_internal_use_settings"
            chosen = getattr(function, name, None) or settings()
            few = min(FEW_EXAMPLES, chosen.max_examples)
            setattr(
                function, name, settings(chosen, max_examples=few, database=None, phases=phases)
            )
    first = os.environ.get("MUTATION_FIRST", "")
    items.sort(
        key=lambda item: (Path(item.path).name != first, hasattr(_function(item), "hypothesis"))
    )


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests once for each mutant that was asked for."""
    if "MUTATION_FOLDER" not in os.environ:
        return None
    folder = Path(os.environ["MUTATION_FOLDER"])
    asked = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
    reached_at = folder / "reached.json"
    if not reached_at.exists() and not _record_reach(session.items, reached_at):
        raise pytest.UsageError("the tests fail without any change")
    reached = json.loads(reached_at.read_text(encoding="utf-8"))
    results = folder / "results.jsonl"
    known = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)[0] for line in known}
    for name in asked:
        if name not in done:
            code = _run_against(name, session.items, reached)
            with results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, code]) + "\n")
    return True


def _in_child(work: Callable[[], int]) -> int:
    pid = os.fork()
    if pid == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        code = 1
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _record_reach(items: Sequence[Any], path: Path) -> bool:
    """Note for each test which functions it reaches, and its processor time in seconds.

    Each runs in a process of its own, so that nothing is kept from a test before it: what is
    computed once and cached counts for every test that asks for it. False where a test fails.
    """
    parts = path.with_suffix(".parts")
    parts.unlink(missing_ok=True)
    if any(_in_child(partial(_record_one, item, parts)) for item in items):
        return False
    lines = parts.read_text(encoding="utf-8").splitlines()
    path.write_text(f"[{','.join(lines)}]", encoding="utf-8")
    parts.unlink()
    return True


def _record_one(item: Any, parts: Path) -> int:
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.state import state

    set_mutant_under_test("stats")
    started = time.process_time()
    if not _passes(item, None):
        return 1
    line = json.dumps([sorted(state()._stats), time.process_time() - started])
    with parts.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    return 0


def _run_against(name: str, items: Sequence[Any], reached: Sequence[Any]) -> int:
    """0 where all tests pass, ``NO_TESTS`` where none reaches the function, else another number."""
    from mutmut.mutation.trampoline import set_mutant_under_test
    from mutmut.utils.format_utils import mangled_name_from_mutant_name

    function = mangled_name_from_mutant_name(name)
    chosen = [k for k, (functions, _) in enumerate(reached) if function in functions]
    if not chosen:
        return NO_TESTS
    own = f"test_{function.split('.')[-2]}.py"
    order = _within_budget(
        sorted(chosen, key=lambda k: (Path(items[k].path).name != own, reached[k][1], k)), reached
    )
    seconds = math.ceil(5 * sum(reached[k][1] for k in order)) + 2

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        set_mutant_under_test(name)
        pairs = zip(order, [*order[1:], None], strict=True)
        return int(
            not all(
                _passes(items[k], None if after is None else items[after]) for k, after in pairs
            )
        )

    return _in_child(work)


def _within_budget(order: list[int], reached: Sequence[Any]) -> list[int]:
    """The first tests, as many as take ``MUTATION_SECONDS`` together; all by default."""
    left = float(os.environ.get("MUTATION_SECONDS", "inf"))
    kept: list[int] = []
    for k in order:
        left -= reached[k][1]
        if left < 0 and kept:
            break
        kept.append(k)
    return kept


def _passes(item: Any, following: Any) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))
