"""Runs the tests of a copy of the project, without and with changes.

``python session.py FOLDER`` takes the copy in FOLDER, carries out ``asked.json`` in it, a list of
[name, module, changed code, node ids of tests, their processor time in seconds], and adds a line to
``results.jsonl`` for each. What is installed is imported once; each change is written into its
module and run in a process of its own, which loads the project anew, so that tables, defaults and
processes that tests start are changed as well. As a plugin of pytest, with ``MUTATION_REACH``, it
notes which lines each test reaches and what it takes. Linux and macOS.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

UNCHANGED = ".unchanged"
FEW_EXAMPLES = 12
MEMORY_BYTES = 8 << 30
TIMES_AS_LONG, AND_SECONDS = 5, 20
"""So many times the tests' own time, and so many seconds for loading, are noticed as too long."""


def processor_s() -> float:
    """The processor time of this process and of those it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Reach:
    """A plugin that notes for each test what it takes and which measured lines it reaches."""

    def __init__(self, path: Path, modules: Sequence[str]) -> None:
        import coverage

        self.path, self.root = path, Path.cwd()
        include = [str(self.root / module) for module in modules]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=include)
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        started = processor_s()
        done = yield
        self.seconds[item.nodeid] = processor_s() - started
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        reached = {
            Path(path).relative_to(self.root).as_posix(): {
                line: [name for name in names if name in self.seconds]
                for line, names in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        installed = [
            name
            for name, module in list(sys.modules.items())
            if "site-packages" in (getattr(module, "__file__", None) or "")
            and not name.startswith(("coverage", "__"))
        ]
        seconds = {name: took for name, took in self.seconds.items() if name not in self.failed}
        found = {"seconds": seconds, "reached": reached, "installed": installed}
        self.path.write_text(json.dumps(found), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    path = os.environ.pop("MUTATION_REACH", None)
    if path is not None:
        modules = json.loads(os.environ.pop("MUTATION_MODULES"))
        config.pluginmanager.register(Reach(Path(path), modules))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Few examples of each property, and none made smaller."""
    from hypothesis import Phase, settings

    for item in items:
        function = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        if hasattr(function, "hypothesis"):
            name = "_hypothesis_internal_use_settings"
            chosen = getattr(function, name, None) or settings()
            few = settings(
                chosen,
                max_examples=min(FEW_EXAMPLES, chosen.max_examples),
                database=None,
                phases=(Phase.explicit, Phase.generate),
            )
            setattr(function, name, few)


class Chosen:
    """A plugin that runs these tests, in this order."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self.names if name in by_name]


def main(folder: Path) -> None:
    """Carry out what is asked and not known yet."""
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.path[0] = str(folder)
    _import_installed(json.loads(Path("reach.json").read_text(encoding="utf-8"))["installed"])
    results = Path("results.jsonl")
    known = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)[0] for line in known}
    for name, module, code, tests, seconds in json.loads(Path("asked.json").read_text("utf-8")):
        if name in done:
            continue
        started = time.monotonic()
        noticed = _notices(Path(module), code, tests, seconds)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps([name, noticed, round(time.monotonic() - started, 2)]) + "\n")


def _import_installed(names: Sequence[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            # Some are made by others when these are imported, and some only under a test.
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _notices(path: Path, code: str, tests: Sequence[str], seconds: float) -> bool:
    if not tests:
        return False
    # A run that is broken off leaves this copy, from which the next one puts things right.
    unchanged = path.with_suffix(UNCHANGED)
    shutil.copy2(path, unchanged)
    path.write_text(code, encoding="utf-8")
    try:
        return _run(tests, seconds)
    finally:
        unchanged.replace(path)


def _run(tests: Sequence[str], seconds: float) -> bool:
    """Whether a test fails, or all take too long."""
    pid = os.fork()
    if pid == 0:
        os.setsid()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        limit = int(TIMES_AS_LONG * seconds + AND_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        code = 1
        try:
            files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
            options = ["-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"]
            plugins = [Chosen(tests), sys.modules[__name__]]
            code = int(pytest.main([*options, *files], plugins=plugins))
        finally:
            os._exit(code)
    # Waiting is no work: a test may wait for others, but not without end.
    ended = _wait(pid, 4 * (TIMES_AS_LONG * seconds + AND_SECONDS))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if ended is None:
        ended = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(ended) not in (
        pytest.ExitCode.OK,
        pytest.ExitCode.NO_TESTS_COLLECTED,
    )


def _wait(pid: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    return None


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
